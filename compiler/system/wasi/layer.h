#pragma once

// All state of the system layer, zero at first.

#include "compiler/system/wasi/clock.h"
#include "compiler/system/wasi/config.h"
#include "compiler/system/wasi/descriptor.h"
#include "compiler/system/wasi/heap.h"
#include "compiler/system/wasi/image.h"
#include "compiler/system/wasi/path.h"
#include "compiler/system/wasi/tree.h"

enum { kPathBuffers = 3 };  // a rename has two paths, and a preopened directory one

typedef struct {
  Heap heap;
  Config config;
  Image image;
  Tree tree;
  Descriptors descriptors;
  Clock clock;
  uint64_t scratch_blocks;  // blocks of files that hold something written
  bool is_finished;
  char paths[kPathBuffers][kLongestPath];
} Layer;

extern Layer layer;
