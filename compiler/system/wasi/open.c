// path_open.

#include "compiler/system/wasi/calls.h"
#include "compiler/system/wasi/layer.h"
#include "compiler/system/wasi/stat.h"

static const I64 kWriteRights =
    RIGHT_FD_DATASYNC | RIGHT_FD_WRITE | RIGHT_FD_ALLOCATE | RIGHT_FD_FILESTAT_SET_SIZE;

typedef struct {
  I32 how;               // OPEN_
  I32 flags;             // FDFLAG_
  I64 base, inheriting;  // rights that are asked for
} Request;

static bool Writes(const Request* request) { return (request->base & kWriteRights) != 0; }

// What the directory must allow itself, and what to those who are opened from it.
static Errno CheckRights(I32 fd, const Request* request) {
  I64 base = RIGHT_PATH_OPEN;
  I64 inheriting = request->base | request->inheriting;
  if (request->how & OPEN_CREATE) base |= RIGHT_PATH_CREATE_FILE;
  if (request->how & OPEN_TRUNCATE) base |= RIGHT_PATH_FILESTAT_SET_SIZE;
  if (request->flags & FDFLAG_DSYNC) inheriting |= RIGHT_FD_DATASYNC;
  if (request->flags & (FDFLAG_RSYNC | FDFLAG_SYNC)) inheriting |= RIGHT_FD_SYNC;
  const bool seeks =
      Writes(request) && !(request->flags & FDFLAG_APPEND) && !(request->how & OPEN_TRUNCATE);
  if (seeks) inheriting |= RIGHT_FD_SEEK;
  Descriptor* directory = NULL;
  return FindDescriptor(fd, base, inheriting, &directory);
}

static Errno CreateFile(Place* place) {
  if (place->wants_directory) return E_ISDIR;
  Node* node = NewNode(TYPE_REGULAR);
  if (node == NULL) return E_NOMEM;
  node->time_is_due = true;
  Hold(node);
  const Errno error = PutChild(place->directory, place->text, place->bytes, place->name, node);
  if (error != E_OK) {
    Drop(node);
    return error;
  }
  place->node = node;
  return E_OK;
}

static Errno OpenNode(const Request* request, Place* place) {
  if (place->node == NULL) {
    if (!(request->how & OPEN_CREATE)) return E_NOENT;
    return request->how & OPEN_DIRECTORY ? E_INVAL : CreateFile(place);
  }
  const bool exclusive = (request->how & OPEN_CREATE) && (request->how & OPEN_EXCLUSIVE);
  if (exclusive) return E_EXIST;
  const bool directory = place->node->type == TYPE_DIRECTORY;
  if (!directory && (request->how & OPEN_DIRECTORY)) return E_NOTDIR;
  const bool changes = Writes(request) || (request->how & (OPEN_CREATE | OPEN_TRUNCATE));
  if (directory && changes) return E_ISDIR;
  if (request->how & OPEN_TRUNCATE) {
    place->node->is_changed = place->node->time_is_due = true;
    return ContentResize(&place->node->content, 0);
  }
  return E_OK;
}

// The place's node becomes the descriptor's.
static Errno Describe(const Request* request, Place* place, Guest out) {
  I32 fd = 0;
  Descriptor* descriptor = NULL;
  const Errno error = NewDescriptor(&fd, &descriptor);
  if (error != E_OK) return error;
  const bool directory = place->node->type == TYPE_DIRECTORY;
  descriptor->kind = directory ? kDirectory : kFile;
  descriptor->flags = (uint16_t)request->flags;
  descriptor->base = request->base & (directory ? kDirectoryRights : kFileRights);
  descriptor->inheriting = directory ? request->inheriting & (kDirectoryRights | kFileRights) : 0;
  descriptor->node = place->node;
  Hold(place->node);
  GuestStore32(out, fd);
  return E_OK;
}

I32 wasi_path_open(I32 directory, I32 lookup, I32 path, I32 bytes, I32 how, I64 base,
                   I64 inheriting, I32 flags, I32 out) {
  (void)lookup;
  const Request request = {how, flags, base, inheriting};
  if (!GuestHas(out, 4)) return E_FAULT;
  if (flags > FDFLAGS) return E_INVAL;
  Errno error = CheckRights(directory, &request);
  if (error != E_OK) return error;
  Place place;
  error = PlaceAt(directory, RIGHT_PATH_OPEN, path, bytes, 0, &place);
  if (error != E_OK) return error;
  error = OpenNode(&request, &place);
  if (error == E_OK) error = Describe(&request, &place, out);
  LeavePlace(&place);
  return error;
}
