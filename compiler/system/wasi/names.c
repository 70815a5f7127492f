// Calls about names: what they stand for, making, removing and renaming them.

#include "compiler/system/wasi/calls.h"
#include "compiler/system/wasi/layer.h"
#include "compiler/system/wasi/stat.h"

Errno PathStat(I32 fd, Guest path, I32 bytes, Guest out, const StatFormat* format) {
  Place place;
  if (!GuestHas(out, format->bytes)) return E_FAULT;
  Errno error = PlaceAt(fd, RIGHT_PATH_FILESTAT_GET, path, bytes, 0, &place);
  if (error != E_OK) return error;
  if (place.node == NULL) {
    error = E_NOENT;
  } else {
    StoreStat(out, format, place.node->type, place.node);
  }
  LeavePlace(&place);
  return error;
}

I32 wasi_path_filestat_get(I32 fd, I32 lookup, I32 path, I32 bytes, I32 out) {
  (void)lookup;
  return PathStat(fd, path, bytes, out, &kStat);
}

I32 wasi_unstable_path_filestat_get(I32 fd, I32 lookup, I32 path, I32 bytes, I32 out) {
  (void)lookup;
  return PathStat(fd, path, bytes, out, &kUnstableStat);
}

I32 wasi_path_filestat_set_times(I32 fd, I32 lookup, I32 path, I32 bytes, I64 accessed,
                                 I64 modified, I32 flags) {
  (void)lookup;
  Place place;
  Errno error = PlaceAt(fd, RIGHT_PATH_FILESTAT_SET_TIMES, path, bytes, 0, &place);
  if (error != E_OK) return error;
  error = place.node == NULL ? E_NOENT : SetTimes(place.node, accessed, modified, flags);
  LeavePlace(&place);
  return error;
}

static Errno MakeDirectoryAt(const Place* place) {
  if (place->node != NULL) return E_EXIST;
  Node* made = NewNode(TYPE_DIRECTORY);
  if (made == NULL) return E_NOMEM;
  made->time_is_due = true;
  Hold(made);
  const Errno error = PutChild(place->directory, place->text, place->bytes, place->name, made);
  Drop(made);
  return error;
}

I32 wasi_path_create_directory(I32 fd, I32 path, I32 bytes) {
  Place place;
  Errno error = PlaceAt(fd, RIGHT_PATH_CREATE_DIRECTORY, path, bytes, 0, &place);
  if (error != E_OK) return error;
  error = MakeDirectoryAt(&place);
  LeavePlace(&place);
  return error;
}

// Why the name cannot be removed, if so.
static Errno MayRemove(const Place* place, uint8_t type) {
  if (place->node == NULL) return E_NOENT;
  if (place->node->type != type) return type == TYPE_DIRECTORY ? E_NOTDIR : E_ISDIR;
  if (type == TYPE_DIRECTORY && HasChildren(place->node)) return E_NOTEMPTY;
  return place->directory == NULL ? E_BUSY : E_OK;
}

static Errno Remove(I32 fd, I64 right, I32 path, I32 bytes, uint8_t type) {
  Place place;
  Errno error = PlaceAt(fd, right, path, bytes, 0, &place);
  if (error != E_OK) return error;
  error = MayRemove(&place, type);
  if (error == E_OK) RemoveChild(place.directory, place.name);
  LeavePlace(&place);
  return error;
}

I32 wasi_path_remove_directory(I32 fd, I32 path, I32 bytes) {
  return Remove(fd, RIGHT_PATH_REMOVE_DIRECTORY, path, bytes, TYPE_DIRECTORY);
}

I32 wasi_path_unlink_file(I32 fd, I32 path, I32 bytes) {
  return Remove(fd, RIGHT_PATH_UNLINK_FILE, path, bytes, TYPE_REGULAR);
}

static bool LiesWithin(const Node* node, const Node* directory) {
  while (node != NULL && node != directory) node = node->parent;
  return node != NULL;
}

// Why `from` cannot take the name of `to`, if so.
static Errno MayRename(const Place* from, const Place* to) {
  if (from->node == NULL) return E_NOENT;
  if (from->directory == NULL || to->directory == NULL) return E_BUSY;
  const bool directory = from->node->type == TYPE_DIRECTORY;
  if (directory && LiesWithin(to->directory, from->node)) return E_INVAL;
  if (to->node == NULL || to->node == from->node) return E_OK;
  if (to->node->type != from->node->type) return directory ? E_NOTDIR : E_ISDIR;
  return directory && HasChildren(to->node) ? E_NOTEMPTY : E_OK;
}

// The name that a place had may be gone with its node, so it is asked for again.
static Errno Rename(const Place* from, const Place* to) {
  Node* node = from->node;
  if (to->node == node) return E_OK;
  if (to->node != NULL) RemoveChild(to->directory, to->name);
  Name* name = NULL;
  const Errno found = FindChild(to->directory, to->text, to->bytes, &name);
  if (found != E_NOENT) return found;
  const Errno error = PutChild(to->directory, to->text, to->bytes, name, node);
  if (error == E_OK) RemoveChild(from->directory, from->name);
  return error;
}

I32 wasi_path_rename(I32 fd, I32 path, I32 bytes, I32 to_fd, I32 to_path, I32 to_bytes) {
  Place from, to;
  Errno error = PlaceAt(fd, RIGHT_PATH_RENAME_SOURCE, path, bytes, 0, &from);
  if (error != E_OK) return error;
  error = PlaceAt(to_fd, RIGHT_PATH_RENAME_TARGET, to_path, to_bytes, 1, &to);
  if (error == E_OK) {
    error = MayRename(&from, &to);
    if (error == E_OK) error = Rename(&from, &to);
    LeavePlace(&to);
  }
  LeavePlace(&from);
  return error;
}

I32 wasi_path_readlink(I32 fd, I32 path, I32 bytes, I32 to, I32 room, I32 out) {
  Place place;
  if (!GuestHas(to, room) || !GuestHas(out, 4)) return E_FAULT;
  const Errno error = PlaceAt(fd, RIGHT_PATH_READLINK, path, bytes, 0, &place);
  if (error != E_OK) return error;
  const Errno answer = place.node == NULL ? E_NOENT : E_INVAL;  // there are no symbolic links
  LeavePlace(&place);
  return answer;
}
