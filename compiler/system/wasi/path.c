#include "compiler/system/wasi/path.h"

#include "compiler/system/wasi/bytes.h"
#include "compiler/system/wasi/heap.h"

typedef struct {
  uint32_t from, bytes;
} Part;

// The part of the path that begins at `from` or behind slashes there.
static Part PartFrom(const char* path, uint32_t bytes, uint32_t from) {
  while (from < bytes && path[from] == '/') ++from;
  Part part = {from, 0};
  while (from + part.bytes < bytes && path[from + part.bytes] != '/') ++part.bytes;
  return part;
}

static bool IsDots(const char* text, Part part, uint32_t dots) {
  return part.bytes == dots && BytesEqual(text + part.from, "..", dots);
}

static uint32_t WithoutLast(const char* path, uint32_t bytes) {
  while (bytes > 0 && path[bytes - 1] != '/') --bytes;
  return bytes == 0 ? 0 : bytes - 1;
}

static uint32_t Append(char* path, uint32_t length, Part part) {
  if (length > 0) path[length++] = '/';
  __builtin_memmove(path + length, path + part.from, part.bytes);
  return length + part.bytes;
}

Errno CleanPath(char* path, uint32_t* bytes) {
  for (uint32_t i = 0; i < *bytes; ++i) {
    if (path[i] == '\0') return E_INVAL;
  }
  uint32_t length = 0;
  Part part = PartFrom(path, *bytes, 0);
  for (; part.bytes > 0; part = PartFrom(path, *bytes, part.from + part.bytes)) {
    if (IsDots(path, part, 1)) continue;
    if (!IsDots(path, part, 2)) {
      length = Append(path, length, part);
    } else if (length == 0) {
      return E_NOTCAPABLE;
    } else {
      length = WithoutLast(path, length);
    }
  }
  *bytes = length;
  return E_OK;
}

// The directory of that name. The nodes on a path are directories, which stay in memory.
static Errno Enter(Node** directory, const char* text, uint32_t bytes) {
  Name* name = NULL;
  const Errno error = FindChild(*directory, text, bytes, &name);
  if (error != E_OK) return error;
  Node* node = name->node;
  Hold(node);
  if (node->type == TYPE_DIRECTORY) *directory = node;
  const Errno entered = node->type == TYPE_DIRECTORY ? E_OK : E_NOTDIR;
  Drop(node);
  return entered;
}

Errno FindPlace(Node* start, const char* path, uint32_t bytes, Place* place) {
  const Place none = {0};
  *place = none;
  Node* directory = start;
  Part part = PartFrom(path, bytes, 0);
  for (; part.from + part.bytes < bytes; part = PartFrom(path, bytes, part.from + part.bytes)) {
    const Errno error = Enter(&directory, path + part.from, part.bytes);
    if (error != E_OK) return error;
  }
  if (part.bytes == 0) {
    place->node = start;
  } else {
    place->directory = directory;
    place->text = path + part.from;
    place->bytes = part.bytes;
    const Errno error = FindChild(directory, place->text, part.bytes, &place->name);
    if (error != E_OK && error != E_NOENT) return error;
    if (error == E_OK) place->node = place->name->node;
  }
  if (place->node != NULL) Hold(place->node);
  return E_OK;
}

void LeavePlace(Place* place) {
  if (place->node != NULL) Drop(place->node);
  place->node = NULL;
}

static Errno MakeDirectory(Node** directory, const char* text, uint32_t bytes) {
  Name* name = NULL;
  const Errno error = FindChild(*directory, text, bytes, &name);
  if (error == E_OK && name->node->type == TYPE_DIRECTORY) {
    *directory = name->node;
    return E_OK;
  }
  if (error == E_OK) return E_NOTDIR;
  if (error != E_NOENT) return error;
  Node* made = NewNode(TYPE_DIRECTORY);
  if (made == NULL) return E_NOMEM;
  made->time_is_due = true;
  const Errno put = PutChild(*directory, text, bytes, name, made);
  if (put != E_OK) {
    Release(made, sizeof(Node));
    return put;
  }
  *directory = made;
  return E_OK;
}

Errno MakeDirectories(Node* start, const char* path, uint32_t bytes, Node** node) {
  *node = start;
  Part part = PartFrom(path, bytes, 0);
  for (; part.bytes > 0; part = PartFrom(path, bytes, part.from + part.bytes)) {
    const Errno error = MakeDirectory(node, path + part.from, part.bytes);
    if (error != E_OK) return error;
  }
  Hold(*node);
  return E_OK;
}
