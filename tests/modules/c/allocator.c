// A first-fit allocator with coalescing over memory that grows, under a random program that checks
// every block's contents before it frees it.
#include "guest.h"

typedef struct Block {
  uint32_t size;  // of the payload, a multiple of 8
  uint32_t is_free;
  struct Block* previous;
  struct Block* next;
} Block;

static Block* first;
static Block* last;
static uint8_t* heap_end;
extern uint8_t __heap_base;

static uint32_t grow_heap(uint32_t bytes) {
  uint32_t pages = (uint32_t)__builtin_wasm_memory_size(0);
  uint32_t wanted = ((uint32_t)heap_end + bytes + 65535) / 65536;
  if (wanted <= pages) return 1;
  return __builtin_wasm_memory_grow(0, wanted - pages) != (size_t)-1;
}

static Block* append(uint32_t size) {
  if (heap_end == NULL) heap_end = (uint8_t*)(((uint32_t)&__heap_base + 7) & ~7u);
  if (!grow_heap(size + sizeof(Block))) return NULL;
  Block* block = (Block*)heap_end;
  heap_end += size + sizeof(Block);
  *block = (Block){size, 0, last, NULL};
  if (last != NULL) last->next = block;
  if (first == NULL) first = block;
  last = block;
  return block;
}

static void split(Block* block, uint32_t size) {
  if (block->size < size + sizeof(Block) + 8) return;
  Block* rest = (Block*)((uint8_t*)(block + 1) + size);
  *rest = (Block){block->size - size - (uint32_t)sizeof(Block), 1, block, block->next};
  if (block->next != NULL) block->next->previous = rest;
  if (last == block) last = rest;
  block->next = rest;
  block->size = size;
}

static void* allocate(uint32_t bytes) {
  uint32_t size = (bytes + 7) & ~7u;
  for (Block* block = first; block != NULL; block = block->next) {
    if (!block->is_free || block->size < size) continue;
    split(block, size);
    block->is_free = 0;
    return block + 1;
  }
  Block* block = append(size);
  return block == NULL ? NULL : block + 1;
}

static void join_next(Block* block) {
  Block* next = block->next;
  block->size += next->size + (uint32_t)sizeof(Block);
  block->next = next->next;
  if (next->next != NULL) next->next->previous = block;
  if (last == next) last = block;
}

static void release(void* payload) {
  Block* block = (Block*)payload - 1;
  block->is_free = 1;
  if (block->next != NULL && block->next->is_free) join_next(block);
  if (block->previous != NULL && block->previous->is_free) join_next(block->previous);
}

static void* resize(void* payload, uint32_t bytes) {
  uint32_t old = ((Block*)payload - 1)->size;
  void* moved = allocate(bytes);
  if (moved == NULL) return payload;
  memcpy(moved, payload, old < bytes ? old : bytes);
  release(payload);
  return moved;
}

enum { kSlots = 48 };
typedef struct {
  uint8_t* bytes;
  uint32_t size;
  uint8_t fill;
} Slot;
static Slot slots[kSlots];

static void check(const Slot* slot) {
  for (uint32_t i = 0; i < slot->size; ++i) {
    if (slot->bytes[i] != slot->fill) __builtin_trap();
  }
}

static void step(Slot* slot) {
  uint32_t size = 1 + next_random() % (next_random() % 8 == 0 ? 9000 : 200);
  if (slot->bytes == NULL) {
    slot->bytes = allocate(size);
  } else if (next_random() % 4 == 0) {
    check(slot);
    slot->bytes = resize(slot->bytes, size);
  } else {
    check(slot);
    release(slot->bytes);
    slot->bytes = NULL;
    return;
  }
  slot->size = size;
  slot->fill = (uint8_t)next_random();
  memset(slot->bytes, slot->fill, size);
}

EXPORT(run) uint32_t run(uint32_t seed) {
  seed_random(seed);
  for (int i = 0; i < 400; ++i) step(&slots[next_random() % kSlots]);
  uint32_t blocks = 0, free_bytes = 0;
  for (const Block* block = first; block != NULL; block = block->next, ++blocks) {
    if (block->is_free) free_bytes += block->size;
  }
  for (int i = 0; i < kSlots; ++i) {
    out_u32((uint32_t)slots[i].bytes);
    out_byte(slots[i].fill);
  }
  out_u32(blocks);
  out_u32(free_bytes);
  out_u32((uint32_t)__builtin_wasm_memory_size(0));
  return guest_output_size;
}
