// A stack machine with two interpreters, one by switch (a br_table) and one by function pointers;
// both run the same random program and must agree. Program counters and stacks are bounded, a
// division by zero is left to trap.
#include "guest.h"

typedef enum {
  kPush,
  kAdd,
  kSub,
  kMul,
  kDiv,
  kDup,
  kSwap,
  kOver,
  kDrop,
  kLess,
  kJump,
  kJumpIf,
  kLoad,
  kStore,
  kXor,
  kRotate,
  kCount,
  kHalt
} Code;

enum { kCode = 96, kStack = 32, kCells = 16, kSteps = 4000 };
typedef struct {
  int32_t stack[kStack];
  int32_t cells[kCells];
  uint32_t top, at, steps;
} Machine;

static uint8_t code[kCode];
static int8_t operand[kCode];

static void push(Machine* m, int32_t value) {
  if (m->top < kStack) m->stack[m->top++] = value;
}
static int32_t pop(Machine* m) { return m->top > 0 ? m->stack[--m->top] : 0; }
static int32_t wrap(uint32_t value) { return (int32_t)value; }

static void run_by_switch(Machine* m) {
  for (; m->steps < kSteps; ++m->steps) {
    uint32_t at = m->at;
    m->at = (at + 1) % kCode;
    int32_t b, a;
    switch ((Code)code[at]) {
      case kPush: push(m, operand[at]); break;
      case kAdd: b = pop(m), a = pop(m), push(m, wrap((uint32_t)a + (uint32_t)b)); break;
      case kSub: b = pop(m), a = pop(m), push(m, wrap((uint32_t)a - (uint32_t)b)); break;
      case kMul: b = pop(m), a = pop(m), push(m, wrap((uint32_t)a * (uint32_t)b)); break;
      case kDiv: b = pop(m), a = pop(m), push(m, a / (b | 1)); break;
      case kDup: a = pop(m), push(m, a), push(m, a); break;
      case kSwap: b = pop(m), a = pop(m), push(m, b), push(m, a); break;
      case kOver: b = pop(m), a = pop(m), push(m, a), push(m, b), push(m, a); break;
      case kDrop: pop(m); break;
      case kLess: b = pop(m), a = pop(m), push(m, a < b); break;
      case kJump: m->at = (uint8_t)operand[at] % kCode; break;
      case kJumpIf:
        if (pop(m) != 0) m->at = (uint8_t)operand[at] % kCode;
        break;
      case kLoad: push(m, m->cells[(uint8_t)operand[at] % kCells]); break;
      case kStore: m->cells[(uint8_t)operand[at] % kCells] = pop(m); break;
      case kXor: b = pop(m), a = pop(m), push(m, a ^ b); break;
      case kRotate: a = pop(m), push(m, wrap((uint32_t)a << 7 | (uint32_t)a >> 25)); break;
      case kCount: push(m, wrap(m->steps)); break;
      case kHalt: return;
    }
  }
}

typedef void (*Handler)(Machine*, int32_t);
static void do_push(Machine* m, int32_t o) { push(m, o); }
static void do_add(Machine* m, int32_t o) {
  int32_t b = pop(m);
  push(m, wrap((uint32_t)pop(m) + (uint32_t)b));
}
static void do_sub(Machine* m, int32_t o) {
  int32_t b = pop(m);
  push(m, wrap((uint32_t)pop(m) - (uint32_t)b));
}
static void do_mul(Machine* m, int32_t o) {
  int32_t b = pop(m);
  push(m, wrap((uint32_t)pop(m) * (uint32_t)b));
}
static void do_div(Machine* m, int32_t o) {
  int32_t b = pop(m);
  push(m, pop(m) / (b | 1));
}
static void do_dup(Machine* m, int32_t o) {
  int32_t a = pop(m);
  push(m, a);
  push(m, a);
}
static void do_swap(Machine* m, int32_t o) {
  int32_t b = pop(m), a = pop(m);
  push(m, b);
  push(m, a);
}
static void do_over(Machine* m, int32_t o) {
  int32_t b = pop(m), a = pop(m);
  push(m, a);
  push(m, b);
  push(m, a);
}
static void do_drop(Machine* m, int32_t o) { pop(m); }
static void do_less(Machine* m, int32_t o) {
  int32_t b = pop(m);
  push(m, pop(m) < b);
}
static void do_jump(Machine* m, int32_t o) { m->at = (uint8_t)o % kCode; }
static void do_jump_if(Machine* m, int32_t o) {
  if (pop(m) != 0) do_jump(m, o);
}
static void do_load(Machine* m, int32_t o) { push(m, m->cells[(uint8_t)o % kCells]); }
static void do_store(Machine* m, int32_t o) { m->cells[(uint8_t)o % kCells] = pop(m); }
static void do_xor(Machine* m, int32_t o) {
  int32_t b = pop(m);
  push(m, pop(m) ^ b);
}
static void do_rotate(Machine* m, int32_t o) {
  uint32_t a = (uint32_t)pop(m);
  push(m, wrap(a << 7 | a >> 25));
}
static void do_count(Machine* m, int32_t o) { push(m, wrap(m->steps)); }

static const Handler handlers[] = {do_push, do_add,   do_sub,  do_mul,    do_div,  do_dup,
                                   do_swap, do_over,  do_drop, do_less,   do_jump, do_jump_if,
                                   do_load, do_store, do_xor,  do_rotate, do_count};

static void run_by_pointers(Machine* m) {
  for (; m->steps < kSteps; ++m->steps) {
    uint32_t at = m->at;
    if (code[at] == kHalt) return;
    m->at = (at + 1) % kCode;
    handlers[code[at]](m, operand[at]);
  }
}

static Machine first, second;

EXPORT(run) uint32_t run(uint32_t seed) {
  seed_random(seed);
  for (uint32_t i = 0; i < kCode; ++i) {
    code[i] = (uint8_t)(next_random() % 4 == 0 ? kPush : next_random() % kHalt);
    operand[i] = (int8_t)next_random();
  }
  if (seed % 3 == 0) code[kCode - 1] = kHalt;
  run_by_switch(&first);
  run_by_pointers(&second);
  if (memcmp(&first, &second, sizeof(first)) != 0) __builtin_trap();
  memcpy(guest_output, &first, sizeof(first));
  return sizeof(first);
}
