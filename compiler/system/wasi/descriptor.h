#pragma once

// The table of open descriptors. 0 to 2 are the standard streams, and those of the configuration's
// directories follow.

#include "compiler/system/wasi/path.h"

typedef enum { kFree, kInput, kOutput, kDirectory, kFile } DescriptorKind;

typedef struct {
  uint8_t kind;
  uint16_t flags;        // FDFLAG_
  uint32_t stream;       // kInput: number of the input; kOutput: of the stream
  uint32_t preopen;      // counted from 1; 0: opened by the program
  I64 base, inheriting;  // rights
  uint64_t offset;       // of the next read or write; at most 2^63 - 1
  Node* node;            // held; null: a preopened directory that was not used yet
} Descriptor;

typedef struct {
  bool is_ready;
  Descriptor* all;
  uint32_t room;
} Descriptors;

extern const I64 kFileRights, kDirectoryRights;

// E_BADF: not open. E_NOTCAPABLE: it lacks one of the rights.
Errno FindDescriptor(I32 fd, I64 base, I64 inheriting, Descriptor** descriptor);
// A free one, the lowest; it is in use once its kind is set. E_MFILE: there are too many.
Errno NewDescriptor(I32* fd, Descriptor** descriptor);
void CloseDescriptor(Descriptor* descriptor);
uint8_t TypeOf(const Descriptor* descriptor);
// The directory itself. E_NOTDIR: it is none.
Errno DirectoryOf(Descriptor* descriptor, Node** node);
// What a path of the guest names from the directory `fd`, which has the right. `buffer`: which of
// the layer's buffers holds the path, as long as the place is used.
Errno PlaceAt(I32 fd, I64 right, Guest path, I32 bytes, int buffer, Place* place);
