// Decoded code, in units of 128 bytes: a unit is made when its code is first run, its instructions
// decoded when each is first run. When there is no room for one more, all are forgotten.
#include "arm64.h"

enum {
#define ACTION(name) k##name,
#include "actions.def"
#undef ACTION
  kUnits = 704,
  kUnitOps = 32,
};

typedef struct {
  u64 pc;
  u64 unused;
  Op ops[kUnitOps];
  Op behind;
} Unit;

static _Alignas(16) Unit units[kUnits];
static u32 units_taken;
static u32* unit_map;
u32 units_forgotten;

void ReserveUnits(u32* map) {
  if ((uintptr_t)(units + kUnits) > kOpMask + 16)
    Die("arm64: it is linked too large for its ops", 126);
  unit_map = map;
  cpu.units = map;
}

void ForgetUnits(void) {
  memset(unit_map, 0, (cpu.code_size + 127) / 128 * sizeof *unit_map);
  units_taken = 0;
  ++units_forgotten;
}

static void TakeUnit(u64 index) {
  if (units_taken == kUnits) ForgetUnits();
  Unit* const unit = &units[units_taken++];
  memset(unit, 0, sizeof *unit);
  unit->pc = cpu.code_low + index * 128;
  unit->behind.w = kCross;
  unit->behind.imm = unit->pc + 128;
  unit_map[index] = (u32)(uintptr_t)unit->ops;
}

const Op* OpAt(u64 pc) {
  const u64 distance = pc - cpu.code_low;
  if (distance >= cpu.code_size || (pc & 3) != 0) Fault(pc, pc);
  if (unit_map[distance >> 7] == 0) TakeUnit(distance >> 7);
  return (const Op*)(uintptr_t)unit_map[distance >> 7] + (distance >> 2 & 31);
}

u64 PcOf(const Op* op) {
  const u32 distance = (u32)((const u8*)op - (const u8*)units);
  const Unit* const unit = &units[distance / sizeof(Unit)];
  return unit->pc + (u64)(op - unit->ops) * 4;
}

// Lets `op` lead to where it branches. Returns it, which may have moved.
const Op* Link(const Op* op) {
  const u64 pc = PcOf(op), to = (u32)op->imm;
  const u32 before = units_forgotten;
  const Op* const target = OpAt(to);
  if (units_forgotten != before) return OpAt(pc);
  ((Op*)op)->aux = (u32)(uintptr_t)target;
  return op;
}
