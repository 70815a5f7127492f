#pragma once

// The job's file set: input 2, read-only, the same for all instances. Its layout is in
// compiler/docs/system_layer.md. Nothing in it is trusted. An image that contradicts itself answers
// E_IO where that is met.

#include "compiler/system/wasi/abi.h"

enum { kWindowBytes = 1024, kLongestName = 255 };

// The bytes of the image that were read last, since neighbours are often asked for next.
typedef struct {
  uint64_t at;
  uint32_t bytes;
  uint8_t data[kWindowBytes];
} Window;

typedef enum { kImageUnread, kImageAbsent, kImageDamaged, kImageWhole } ImageState;

typedef struct {
  ImageState state;
  uint32_t entries;
  uint64_t entries_at;
  uint64_t names_at, names_bytes;
  uint64_t bytes;  // of the image
  Window entry_window, name_window;
} Image;

typedef struct {
  uint32_t index;
  uint32_t type;
  uint64_t name_at;  // from the image's start
  uint32_t name_bytes;
  uint32_t first_child, children;  // of a directory
  uint64_t data_at, size;          // of a file
  uint64_t modified;               // nanoseconds
} ImageEntry;

// E_NOENT: the job has no file set.
Errno ImageEntryAt(uint32_t index, ImageEntry* entry);
// Valid until the next name is asked for. Null: it cannot be read.
const char* ImageName(const ImageEntry* entry);
// The child of that name among `children` entries from `first`. E_NOENT: there is none.
Errno ImageFind(uint32_t first, uint32_t children, const char* name, uint32_t bytes,
                ImageEntry* entry);
