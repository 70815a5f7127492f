// A priority queue (binary heap) with a comparator, driving shortest paths on a random graph.
#include "guest.h"

typedef struct {
  uint64_t cost;
  uint32_t node;
} Entry;
typedef int (*Before)(const Entry*, const Entry*);

enum { kNodes = 120, kEdges = 6, kCapacity = kNodes * kEdges + 1 };
static Entry heap[kCapacity];
static uint32_t heap_size;
static Before before;

static int cheaper(const Entry* a, const Entry* b) {
  return a->cost != b->cost ? a->cost < b->cost : a->node < b->node;
}
static int dearer(const Entry* a, const Entry* b) { return cheaper(b, a); }

static void sift_up(uint32_t i) {
  if (i == 0) return;
  uint32_t parent = (i - 1) / 2;
  if (!before(&heap[i], &heap[parent])) return;
  Entry kept = heap[i];
  heap[i] = heap[parent];
  heap[parent] = kept;
  sift_up(parent);
}

static void sift_down(uint32_t i) {
  for (;;) {
    uint32_t child = 2 * i + 1;
    if (child >= heap_size) return;
    if (child + 1 < heap_size && before(&heap[child + 1], &heap[child])) ++child;
    if (!before(&heap[child], &heap[i])) return;
    Entry kept = heap[i];
    heap[i] = heap[child];
    heap[child] = kept;
    i = child;
  }
}

static void push(uint64_t cost, uint32_t node) {
  if (heap_size == kCapacity) __builtin_trap();
  heap[heap_size] = (Entry){cost, node};
  sift_up(heap_size++);
}
static Entry pop(void) {
  Entry top = heap[0];
  heap[0] = heap[--heap_size];
  sift_down(0);
  return top;
}

static struct { uint32_t to, cost; } edges[kNodes][kEdges];
static uint64_t distance[kNodes];

static void shortest_paths(uint32_t from) {
  for (uint32_t i = 0; i < kNodes; ++i) distance[i] = UINT64_MAX;
  distance[from] = 0;
  push(0, from);
  while (heap_size > 0) {
    Entry entry = pop();
    if (entry.cost != distance[entry.node]) continue;
    for (uint32_t i = 0; i < kEdges; ++i) {
      uint32_t to = edges[entry.node][i].to;
      uint64_t cost = entry.cost + edges[entry.node][i].cost;
      if (cost >= distance[to]) continue;
      distance[to] = cost;
      push(cost, to);
    }
  }
}

EXPORT(run) uint32_t run(uint32_t seed) {
  seed_random(seed);
  for (uint32_t i = 0; i < kNodes; ++i) {
    for (uint32_t j = 0; j < kEdges; ++j) {
      edges[i][j].to = next_random() % kNodes;
      edges[i][j].cost = next_random() >> (next_random() % 20);
    }
  }
  before = cheaper;
  shortest_paths(seed % kNodes);
  for (uint32_t i = 0; i < kNodes; ++i) out_u64(distance[i]);
  before = dearer;
  for (uint32_t i = 0; i < kNodes; ++i) push(distance[i], i);
  while (heap_size > 0) out_byte(pop().node);
  return guest_output_size;
}
