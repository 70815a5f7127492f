// Quicksort and mergesort of records, generic over size and comparator like the C library's.
#include "guest.h"

typedef int (*Compare)(const void*, const void*);

static void swap(uint8_t* a, uint8_t* b, uint32_t size) {
  for (uint32_t i = 0; i < size; ++i) {
    uint8_t kept = a[i];
    a[i] = b[i];
    b[i] = kept;
  }
}

static void quick_sort(uint8_t* base, uint32_t count, uint32_t size, Compare compare) {
  if (count < 2) return;
  swap(base, base + count / 2 * size, size);
  uint32_t smaller = 0;
  for (uint32_t i = 1; i < count; ++i) {
    if (compare(base + i * size, base) >= 0) continue;
    ++smaller;
    swap(base + smaller * size, base + i * size, size);
  }
  swap(base, base + smaller * size, size);
  quick_sort(base, smaller, size, compare);
  quick_sort(base + (smaller + 1) * size, count - smaller - 1, size, compare);
}

static uint8_t spare[8192];

static void merge_sort(uint8_t* base, uint32_t count, uint32_t size, Compare compare) {
  if (count < 2) return;
  uint32_t half = count / 2;
  merge_sort(base, half, size, compare);
  merge_sort(base + half * size, count - half, size, compare);
  memcpy(spare, base, half * size);
  uint8_t *left = spare, *left_end = spare + half * size;
  uint8_t *right = base + half * size, *end = base + count * size, *to = base;
  for (; left < left_end; to += size) {
    if (right < end && compare(right, left) < 0) {
      memcpy(to, right, size);
      right += size;
    } else {
      memcpy(to, left, size);
      left += size;
    }
  }
}

typedef struct {
  uint32_t key;
  uint16_t group;
  uint16_t order;
  float weight;
} Record;

static int by_key(const void* a, const void* b) {
  uint32_t x = ((const Record*)a)->key, y = ((const Record*)b)->key;
  return (x > y) - (x < y);
}
static int by_group(const void* a, const void* b) {
  return (int)((const Record*)a)->group - (int)((const Record*)b)->group;
}
static int by_weight_down(const void* a, const void* b) {
  float x = ((const Record*)a)->weight, y = ((const Record*)b)->weight;
  return (x < y) - (x > y);
}
static int by_group_then_key(const void* a, const void* b) {
  int groups = by_group(a, b);
  return groups != 0 ? groups : by_key(a, b);
}

enum { kRecords = 200 };
static Record records[kRecords];
static const Compare orders[] = {by_key, by_weight_down, by_group_then_key, by_group};

static uint32_t digest(void) {
  uint32_t sum = 2166136261u;
  for (int i = 0; i < kRecords; ++i) {
    sum = (sum ^ records[i].key) * 16777619u;
    sum = (sum ^ records[i].order) * 16777619u;
  }
  return sum;
}

static void fill(void) {
  for (uint32_t i = 0; i < kRecords; ++i) {
    records[i].key = next_random();
    records[i].group = (uint16_t)(next_random() % 10);
    records[i].order = (uint16_t)i;
    records[i].weight = (float)(int32_t)next_random() / 1024.0f;
  }
}

EXPORT(run) uint32_t run(uint32_t seed) {
  seed_random(seed);
  for (uint32_t i = 0; i < 4; ++i) {
    Compare compare = orders[(seed + i) % 4];
    fill();
    if (compare == by_group) {
      merge_sort((uint8_t*)records, kRecords, sizeof(Record), compare);  // stable
    } else {
      quick_sort((uint8_t*)records, kRecords, sizeof(Record), compare);
    }
    for (uint32_t j = 1; j < kRecords; ++j) {
      if (compare(&records[j - 1], &records[j]) > 0) __builtin_trap();
    }
    out_u32(digest());
    merge_sort((uint8_t*)records, kRecords, sizeof(Record), orders[(seed + i + 1) % 4]);
    out_u32(digest());
  }
  memcpy(guest_output + guest_output_size, records, sizeof(records));
  return guest_output_size + sizeof(records);
}
