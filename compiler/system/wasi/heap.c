#include "compiler/system/wasi/heap.h"

#include "compiler/system/wasi/host.h"
#include "compiler/system/wasi/layer.h"

enum { kSmallest = 4 };  // 16 bytes

static int SizeOf(size_t bytes) {
  int size = kSmallest;
  while (size < kHeapSizes && ((size_t)1 << size) < bytes) ++size;
  return size;
}

// A block from what was never used; null: there is no memory left.
static void* Cut(size_t bytes) {
  Heap* heap = &layer.heap;
  if ((size_t)(heap->end - heap->at) < bytes) {
    size_t given = 0;
    uint8_t* more = MoreMemory(bytes, &given);
    if (more == NULL) return NULL;
    if (more != heap->end) heap->at = more;
    heap->end = more + given;
  }
  void* block = heap->at;
  heap->at += bytes;
  return block;
}

void* Allocate(size_t bytes) {
  const int size = SizeOf(bytes);
  if (size >= kHeapSizes) return NULL;
  FreeBlock* block = layer.heap.free[size];
  if (block != NULL) {
    layer.heap.free[size] = block->next;
  } else {
    block = Cut((size_t)1 << size);
  }
  if (block != NULL) __builtin_memset(block, 0, bytes);
  return block;
}

void Release(void* block, size_t bytes) {
  if (block == NULL) return;
  FreeBlock* freed = block;
  FreeBlock** list = &layer.heap.free[SizeOf(bytes)];
  freed->next = *list;
  *list = freed;
}
