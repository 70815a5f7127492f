#include "compiler/system/wasi/descriptor.h"

#include "compiler/system/wasi/clock.h"
#include "compiler/system/wasi/config.h"
#include "compiler/system/wasi/heap.h"
#include "compiler/system/wasi/layer.h"

enum { kStandardStreams = 3, kFirstRoom = 8, kMostDescriptors = 4096 };

const I64 kFileRights =
    RIGHT_FD_DATASYNC | RIGHT_FD_READ | RIGHT_FD_SEEK | RIGHT_FD_FDSTAT_SET_FLAGS | RIGHT_FD_SYNC |
    RIGHT_FD_TELL | RIGHT_FD_WRITE | RIGHT_FD_ADVISE | RIGHT_FD_ALLOCATE | RIGHT_FD_FILESTAT_GET |
    RIGHT_FD_FILESTAT_SET_SIZE | RIGHT_FD_FILESTAT_SET_TIMES | RIGHT_POLL_FD_READWRITE;
const I64 kDirectoryRights =
    RIGHT_FD_FDSTAT_SET_FLAGS | RIGHT_FD_SYNC | RIGHT_FD_ADVISE | RIGHT_PATH_CREATE_DIRECTORY |
    RIGHT_PATH_CREATE_FILE | RIGHT_PATH_LINK_SOURCE | RIGHT_PATH_LINK_TARGET | RIGHT_PATH_OPEN |
    RIGHT_FD_READDIR | RIGHT_PATH_READLINK | RIGHT_PATH_RENAME_SOURCE | RIGHT_PATH_RENAME_TARGET |
    RIGHT_PATH_FILESTAT_GET | RIGHT_PATH_FILESTAT_SET_SIZE | RIGHT_PATH_FILESTAT_SET_TIMES |
    RIGHT_FD_FILESTAT_GET | RIGHT_FD_FILESTAT_SET_TIMES | RIGHT_PATH_SYMLINK |
    RIGHT_PATH_REMOVE_DIRECTORY | RIGHT_PATH_UNLINK_FILE | RIGHT_POLL_FD_READWRITE;
// As of a pipe, which cannot be sought in.
static const I64 kStreamRights = RIGHT_FD_FDSTAT_SET_FLAGS | RIGHT_FD_FILESTAT_GET |
                                 RIGHT_POLL_FD_READWRITE | RIGHT_SOCK_SHUTDOWN;

static bool MakeRoom(Descriptors* table, uint32_t wanted) {
  if (wanted <= table->room) return true;
  uint32_t room = table->room == 0 ? kFirstRoom : table->room;
  while (room < wanted) room *= 2;
  if (room > kMostDescriptors) return false;
  Descriptor* all = Allocate(room * sizeof(Descriptor));
  if (all == NULL) return false;
  for (uint32_t i = 0; i < table->room; ++i) all[i] = table->all[i];
  Release(table->all, table->room * sizeof(Descriptor));
  table->all = all;
  table->room = room;
  return true;
}

static void OpenStandardStreams(Descriptor* all) {
  all[0].kind = kInput;
  all[0].stream = kInputStdin;
  all[0].base = kStreamRights | RIGHT_FD_READ;
  for (uint32_t i = 1; i < kStandardStreams; ++i) {
    all[i].kind = kOutput;
    all[i].stream = i;
    all[i].base = kStreamRights | RIGHT_FD_WRITE;
  }
}

static void OpenPreopens(Descriptor* all, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    Descriptor* descriptor = &all[kStandardStreams + i];
    descriptor->kind = kDirectory;
    descriptor->preopen = i + 1;
    descriptor->base = kDirectoryRights;
    descriptor->inheriting = kDirectoryRights | kFileRights;
  }
}

static Descriptors* TheDescriptors(void) {
  Descriptors* table = &layer.descriptors;
  if (!table->is_ready) {
    table->is_ready = true;
    const uint32_t preopens = TheConfig()->preopens;
    if (MakeRoom(table, kStandardStreams + preopens)) {
      OpenStandardStreams(table->all);
      OpenPreopens(table->all, preopens);
    }
  }
  return table;
}

Errno FindDescriptor(I32 fd, I64 base, I64 inheriting, Descriptor** descriptor) {
  Descriptors* table = TheDescriptors();
  if (fd >= table->room || table->all[fd].kind == kFree) return E_BADF;
  *descriptor = &table->all[fd];
  const bool has =
      (base & ~(*descriptor)->base) == 0 && (inheriting & ~(*descriptor)->inheriting) == 0;
  return has ? E_OK : E_NOTCAPABLE;
}

Errno NewDescriptor(I32* fd, Descriptor** descriptor) {
  Descriptors* table = TheDescriptors();
  I32 at = 0;
  while (at < table->room && table->all[at].kind != kFree) ++at;
  if (!MakeRoom(table, at + 1)) return E_MFILE;
  *fd = at;
  *descriptor = &table->all[at];
  return E_OK;
}

void CloseDescriptor(Descriptor* descriptor) {
  if (descriptor->node != NULL) {
    SettleTimes(descriptor->node);
    Drop(descriptor->node);
  }
  const Descriptor none = {0};
  *descriptor = none;
}

uint8_t TypeOf(const Descriptor* descriptor) {
  if (descriptor->kind == kDirectory) return TYPE_DIRECTORY;
  return descriptor->kind == kFile ? TYPE_REGULAR : TYPE_STREAM;
}

// Directories that the configuration names are there, in the file set or made.
static Errno OpenPreopen(Descriptor* descriptor) {
  Node* root = NULL;
  const Errno error = TreeRoot(&root);
  if (error != E_OK) return error;
  const Text path = TheConfig()->preopen[descriptor->preopen - 1].path;
  if (path.bytes > kLongestPath) return E_NAMETOOLONG;
  char* copy = layer.paths[2];
  uint32_t bytes = path.bytes;
  __builtin_memcpy(copy, path.text, bytes);
  const Errno cleaned = CleanPath(copy, &bytes);
  return cleaned != E_OK ? cleaned : MakeDirectories(root, copy, bytes, &descriptor->node);
}

Errno DirectoryOf(Descriptor* descriptor, Node** node) {
  if (descriptor->kind != kDirectory) return E_NOTDIR;
  if (descriptor->node == NULL) {
    const Errno error = OpenPreopen(descriptor);
    if (error != E_OK) return error;
  }
  *node = descriptor->node;
  return E_OK;
}

// A path of the guest, clean, in one of the layer's buffers. Absolute ones are refused: a program's
// libc makes them relative to a preopened directory.
static Errno FetchPath(Guest path, char* text, uint32_t* bytes, bool* wants_directory) {
  if (*bytes == 0) return E_INVAL;
  if (*bytes > kLongestPath) return E_NAMETOOLONG;
  GuestToSystem(text, path, *bytes);
  *wants_directory = text[*bytes - 1] == '/';
  return text[0] == '/' ? E_NOTCAPABLE : CleanPath(text, bytes);
}

Errno PlaceAt(I32 fd, I64 right, Guest path, I32 bytes, int buffer, Place* place) {
  Descriptor* descriptor = NULL;
  Node* start = NULL;
  char* text = layer.paths[buffer];
  bool wants_directory = false;
  if (!GuestHas(path, bytes)) return E_FAULT;
  Errno error = FindDescriptor(fd, right, 0, &descriptor);
  if (error == E_OK) error = DirectoryOf(descriptor, &start);
  if (error == E_OK) error = FetchPath(path, text, &bytes, &wants_directory);
  if (error == E_OK) error = FindPlace(start, text, bytes, place);
  if (error != E_OK) return error;
  place->wants_directory = wants_directory;
  if (!wants_directory || place->node == NULL || place->node->type == TYPE_DIRECTORY) return E_OK;
  LeavePlace(place);
  return E_NOTDIR;
}
