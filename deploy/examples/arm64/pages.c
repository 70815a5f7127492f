// Which pages of the guest's memory are taken: the program and its heap from below, mappings and
// the stack from above. Pages that are free hold zeros.
#include "linux.h"

enum { kMostPages = 1 << 18 };

static u32 taken[kMostPages / 32];
static u32 pages;
static u64 heap_begin, heap_end;

static u32 IndexOf(u64 address) { return (u32)((address - cpu.low) >> 12); }
static int IsTaken(u32 page) { return taken[page / 32] >> page % 32 & 1; }
static void Mark(u32 from, u32 count, int is_taken) {
  for (u32 page = from; page < from + count; ++page) {
    if (is_taken) {
      taken[page / 32] |= 1u << page % 32;
    } else {
      taken[page / 32] &= ~(1u << page % 32);
    }
  }
}
static int AreFree(u32 from, u32 count) {
  for (u32 page = from; page < from + count; ++page) {
    if (page >= pages || IsTaken(page)) return 0;
  }
  return 1;
}

void SetPages(u64 program_end, u64 stack_begin) {
  pages = (u32)((cpu.last + 16) >> 12);
  heap_begin = heap_end = (program_end + 4095) & ~4095ull;
  const u32 below = IndexOf(heap_begin), stack = IndexOf(stack_begin);
  Mark(0, below, 1);
  Mark(stack, pages - stack, 1);
}

u64 MoveBreak(u64 wanted) {
  if (wanted < heap_begin || !IsGuest(wanted, 0)) return heap_end;
  const u32 before = IndexOf(heap_end + 4095), after = IndexOf(wanted + 4095);
  if (after > before && !AreFree(before, after - before)) return heap_end;
  if (wanted < heap_end) {
    memset(Guest(wanted, heap_end - wanted), 0, heap_end - wanted);
    if (after < before) Mark(after, before - after, 0);
  }
  if (after > before) Mark(before, after - before, 1);
  heap_end = wanted;
  return heap_end;
}

u64 MapPages(u64 bytes) {
  const u64 wanted = (bytes + 4095) >> 12;
  if (wanted == 0 || wanted >= pages) return 0;
  const u32 count = (u32)wanted;
  u32 run = 0;
  for (u32 page = pages; page-- > 0;) {
    run = IsTaken(page) ? 0 : run + 1;
    if (run < count) continue;
    Mark(page, count, 1);
    return cpu.low + ((u64)page << 12);
  }
  return 0;
}

void UnmapPages(u64 address, u64 bytes) {
  bytes = (bytes + 4095) & ~4095ull;
  if (bytes == 0 || !IsGuest(address, bytes)) return;
  memset(Guest(address, bytes), 0, bytes);
  Mark(IndexOf(address), (u32)(bytes >> 12), 0);
}

int MapFixed(u64 address, u64 bytes) {
  bytes = (bytes + 4095) & ~4095ull;
  if ((address & 4095) != 0 || bytes == 0 || !IsGuest(address, bytes)) return 0;
  memset(Guest(address, bytes), 0, bytes);
  Mark(IndexOf(address), (u32)(bytes >> 12), 1);
  return 1;
}
