#include "compiler/system/wasi/path.h"

#include "compiler/system/wasi/bytes.h"

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

// From a directory that is held to the one of that name, which is held in its place.
static Errno Enter(Node** directory, const char* text, uint32_t bytes) {
  Name* name = NULL;
  const Errno error = FindChild(*directory, text, bytes, &name);
  if (error != E_OK) return error;
  Node* node = name->node;
  Hold(node);
  if (node->type != TYPE_DIRECTORY) {
    Drop(node);
    return E_NOTDIR;
  }
  Drop(*directory);
  *directory = node;
  return E_OK;
}

// The place of the last name, in a directory that is held and becomes the place's.
static Errno LastPlace(Node* directory, const char* text, uint32_t bytes, Place* place) {
  Name* name = NULL;
  const Errno error = FindChild(directory, text, bytes, &name);
  if (error != E_OK && error != E_NOENT) return error;
  place->directory = directory;
  place->text = text;
  place->bytes = bytes;
  place->name = name;
  place->node = error == E_OK ? name->node : NULL;
  if (place->node != NULL) Hold(place->node);
  return E_OK;
}

Errno FindPlace(Node* start, const char* path, uint32_t bytes, Place* place) {
  const Place none = {0};
  *place = none;
  Node* directory = start;
  Hold(directory);
  if (bytes == 0) {
    place->node = start;
    return E_OK;
  }
  Errno error = E_OK;
  Part part = PartFrom(path, bytes, 0);
  while (error == E_OK && part.from + part.bytes < bytes) {
    error = Enter(&directory, path + part.from, part.bytes);
    part = PartFrom(path, bytes, part.from + part.bytes);
  }
  if (error == E_OK) error = LastPlace(directory, path + part.from, part.bytes, place);
  if (error != E_OK) Drop(directory);
  return error;
}

void LeavePlace(Place* place) {
  if (place->node != NULL) Drop(place->node);
  if (place->directory != NULL) Drop(place->directory);
  place->node = place->directory = NULL;
}

// As Enter; the directory is made where there is none of the name.
static Errno MakeDirectory(Node** directory, const char* text, uint32_t bytes) {
  const Errno entered = Enter(directory, text, bytes);
  if (entered != E_NOENT) return entered;
  Name* name = NULL;
  FindChild(*directory, text, bytes, &name);
  Node* made = NewNode(TYPE_DIRECTORY);
  if (made == NULL) return E_NOMEM;
  made->time_is_due = true;
  Hold(made);
  const Errno put = PutChild(*directory, text, bytes, name, made);
  if (put != E_OK) {
    Drop(made);
    return put;
  }
  Drop(*directory);
  *directory = made;
  return E_OK;
}

Errno MakeDirectories(Node* start, const char* path, uint32_t bytes, Node** node) {
  *node = start;
  Hold(start);
  Errno error = E_OK;
  Part part = PartFrom(path, bytes, 0);
  for (; error == E_OK && part.bytes > 0; part = PartFrom(path, bytes, part.from + part.bytes)) {
    error = MakeDirectory(node, path + part.from, part.bytes);
  }
  if (error != E_OK) Drop(*node);
  return error;
}
