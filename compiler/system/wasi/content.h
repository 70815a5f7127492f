#pragma once

// The bytes of a file: those of an input, and over them blocks that were written. A block is copied
// when it is first written, so a large file of the set costs what the program changes.

#include "compiler/system/wasi/guest.h"

enum { kBlockBytes = 4096 };

typedef struct {
  uint64_t size;
  // [0, from_input) is what the input holds from `input_at`, where no block says otherwise.
  uint64_t from_input, input_at;
  uint32_t input;
  uint32_t blocks;  // length of the table below
  uint8_t** block;  // null: not written
} Content;

// To the guest; how many bytes: fewer than asked for at the end of the file.
uint32_t ContentRead(const Content* content, uint64_t at, Guest to, uint32_t bytes);
// From the guest; `done` says how many: fewer where the limit of written files is reached. E_NOSPC
// or E_FBIG: none at all.
Errno ContentWrite(Content* content, uint64_t at, Guest from, uint32_t bytes, uint32_t* done);
Errno ContentResize(Content* content, uint64_t size);
void ContentRelease(Content* content);
// Appends the file to a stream of the instance's output.
void ContentDeliver(const Content* content, uint32_t stream);
