// A virtual machine whose instructions call each other: every step is a tail call through a table,
// so that it runs in the stack of one.
#include "guest.h"

enum { kCode = 48, kSteps = 2000 };

typedef struct Machine {
  const uint8_t* code;
  uint32_t memory[16];
  uint32_t left;
} Machine;
typedef uint32_t Step(Machine* machine, uint32_t pc, uint32_t a, uint32_t b);

static Step* const steps[8];

#define NEXT(pc, a, b) \
  __attribute__((musttail)) return steps[machine->code[(pc) % kCode] & 7](machine, (pc) + 1, a, b)

static uint32_t step_end(Machine* machine, uint32_t pc, uint32_t a, uint32_t b) {
  if (machine->left == 0) return a ^ b ^ pc;
  --machine->left;
  NEXT(pc, a * 31 + pc, b);
}
static uint32_t step_add(Machine* machine, uint32_t pc, uint32_t a, uint32_t b) {
  NEXT(pc, a + b, b);
}
static uint32_t step_turn(Machine* machine, uint32_t pc, uint32_t a, uint32_t b) {
  NEXT(pc, b, (a << 5 | a >> 27) ^ pc);
}
static uint32_t step_load(Machine* machine, uint32_t pc, uint32_t a, uint32_t b) {
  NEXT(pc, machine->memory[a & 15], b + a);
}
static uint32_t step_store(Machine* machine, uint32_t pc, uint32_t a, uint32_t b) {
  machine->memory[b & 15] += a;
  NEXT(pc, a, b ^ 0x55);
}
static uint32_t step_jump(Machine* machine, uint32_t pc, uint32_t a, uint32_t b) {
  NEXT(pc + (a & 7), a >> 1, b);
}
static uint32_t sum(const uint32_t* memory, uint32_t count, uint32_t so_far) {
  if (count == 0) return so_far;
  __attribute__((musttail)) return sum(memory + 1, count - 1, so_far * 5 + *memory);
}
static uint32_t step_sum(Machine* machine, uint32_t pc, uint32_t a, uint32_t b) {
  NEXT(pc, sum(machine->memory, 16, a), b + 1);
}
static uint32_t step_divide(Machine* machine, uint32_t pc, uint32_t a, uint32_t b) {
  NEXT(pc, a / (b % 61 + 1), b * 3);
}
static Step* const steps[8] = {step_end,   step_add,  step_turn, step_load,
                               step_store, step_jump, step_sum,  step_divide};

EXPORT(run) uint32_t run(uint32_t seed) {
  seed_random(seed);
  static uint8_t code[kCode];
  for (int i = 0; i < kCode; ++i) code[i] = (uint8_t)(next_random() >> 9);
  code[kCode / 2] = 0;
  for (int i = 0; i < kCode; i += 9) code[i] = 0;
  Machine machine = {.code = code, .left = kSteps};
  out_u32(steps[0](&machine, seed, seed * 7, 13));
  for (int i = 0; i < 16; ++i) out_u32(machine.memory[i]);
  return guest_output_size;
}
