#include "scheduler/devices/interpreter/execute.h"

#include <string_view>
#include <type_traits>

#include "compiler/base/check.h"
#include "compiler/compiler.h"
#include "scheduler/devices/interpreter/lane_watch.h"
#include "scheduler/devices/interpreter/machine.h"
#include "scheduler/devices/interpreter/vectors.h"

#include <metal_stdlib>

namespace wb {
namespace interpreter {

// Set while a lane runs: the runtime text has no place for them in its arguments.
thread_local const ByteProgram* current_program = nullptr;
thread_local Machine machine;
thread_local CallTrace* current_trace = nullptr;
thread_local LaneWatch* current_watch = nullptr;
thread_local FuelRecorder* current_recorder = nullptr;
thread_local bool has_left = false;  // for a primitive: the calls are in the lane's frames

#define WB_MEMORY_AT (current_program->layout.memory_at)
#define WB_GLOBALS_AT (current_program->layout.globals_at)
#define WB_WINDOWED 0u
#define WB_PRIMITIVES (current_program->asks ? 1u : 0u)
#define WB_COLLECTIVES 1u
#define WB_LOCKSTEP 0u
#define WB_GROUP_AT (current_program->layout.group_at)
#define WB_GROUP_MEMORY_AT (current_program->layout.group_memory_at)
#define WB_AS_CPP_GROUP_MEMORY
#include "compiler/runtime/as_cpp.inc"

// ---- the loop. Direct threading: every instruction jumps to the next one's code itself.

// A lane that is watched stops before the instruction where the watch says so.
#define WB_RUN_PC                                                             \
  do {                                                                        \
    if constexpr (kIsWatched) {                                               \
      const auto at = static_cast<size_t>(pc - code);                         \
      if (current_watch->Before(machine, *function, at, slots, L)) goto halt; \
    }                                                                         \
    goto* kLabels[static_cast<uint>(pc->op)];                                 \
  } while (false)
#define WB_NEXT \
  do {          \
    ++pc;       \
    WB_RUN_PC;  \
  } while (false)
#define WB_GO(target)     \
  do {                    \
    pc = code + (target); \
    WB_RUN_PC;            \
  } while (false)
#define WB_TRAP_WITH(number) \
  do {                       \
    trap = (number);         \
    goto trapped;            \
  } while (false)

#include "scheduler/devices/interpreter/numeric_forms.inc"

// The number of the function at this index, or a trap.
static uint LookUp(const ByteProgram& program, wb_lane L, ulong imm, uint index, uint* number) {
  const ByteTable& table = program.tables[imm >> 32];
  const ir::Lookup& lookup = program.lookups[static_cast<uint>(imm)];
  const uint size = table.size_at != 0 ? wb_get(L, table.size_at) : table.size;
  if (index >= size) return WB_TRAP_UNDEFINED_ELEMENT;
  uint element = 0;
  if (table.in_lane) {
    element = wb_get(L, table.at + index);
  } else if (index < table.elements.size()) {
    element = table.elements[index];
  }
  if (element == ir::kNullReference) return WB_TRAP_UNINITIALIZED_ELEMENT;
  *number = program.callee_numbers[element - 1];
  return *number - lookup.first < lookup.count ? 0 : WB_TRAP_INDIRECT_CALL_TYPE;
}

// `code`: ACCESS_*, and in the bits from 8 on whether the value has two words.
static ulong AccessGroup(wb_lane L, uint code, uint w, ulong value, uint other) {
  const uint operation = code & 0xffu;
  const bool is_wide = code >> 8 != 0;
  switch (operation) {
    case abi::ACCESS_LOAD: return is_wide ? wb_group_load64(L, w) : wb_group_load(L, w);
    case abi::ACCESS_STORE:
      is_wide ? wb_group_store64(L, w, value) : wb_group_store(L, w, static_cast<uint>(value));
      return 0;
    case abi::ACCESS_COMPARE: return wb_group_compare(L, w, static_cast<uint>(value), other);
    default: return wb_group_change(L, operation, w, static_cast<uint>(value));
  }
}

template <bool kIsWatched>
static WbEnd Execute(wb_lane L, uint fuel) {
  static const void* const kLabels[] = {
#define WB_LABEL(name) &&L_##name,
#define WB_NUMERIC(name, code, token, text, result, a, b, form, spelling, check) \
  WB_BYTE_NUMERIC(WB_LABEL, name, result, b)
#define WB_LOAD(name, code, token, text, type, bytes) WB_LABEL(name)
#define WB_STORE(name, code, token, text, type, bytes) WB_LABEL(name)
#define WB_OTHER(name, code, text, fuel)
#include "compiler/wasm/opcode.def"
#undef WB_NUMERIC
#undef WB_LOAD
#undef WB_STORE
#undef WB_OTHER
      WB_BYTE_OPS(WB_LABEL)};

  const ByteFunction* function = &machine.function();
  const ByteCode* code = function->code.data();
  const ByteCode* pc = code + machine.pc();
  ulong* slots = machine.slots();
  wb_mem M = wb_memory(L);  // the first memory, but between two UseMemory
  ulong bytes = wb_memory_bytes(L);
  uint written = 0;  // spans of the first memory, and those of the same number in others
  const uint shift = current_program->layout.span_shift;
  uint trap = 0;
  WbEnd end;
  WB_RUN_PC;

#define WB_NUMERIC(name, code, token, text, result, a, b, form, spelling, check)              \
  WB_NUMERIC_CODE(name, token, check, WB_USE_STORE, WB_ARGS_##b(a))                           \
  WB_IMM_FORM_##b(WB_NUMERIC_CODE(name##Imm, token, check, WB_USE_STORE, WB_IMM_ARGS_##b(a))) \
      WB_JUMP_FORM_##result(WB_NUMERIC_CODE(name##If, token, "", WB_USE_IF, WB_ARGS_##b(a)))  \
          WB_JUMP_FORM_##result(                                                              \
              WB_NUMERIC_CODE(name##Unless, token, "", WB_USE_UNLESS, WB_ARGS_##b(a)))        \
              WB_JUMP_FORM_##result(WB_IMM_FORM_##b(                                          \
                  WB_NUMERIC_CODE(name##ImmIf, token, "", WB_USE_IF, WB_IMM_ARGS_##b(a))))    \
                  WB_JUMP_FORM_##result(WB_IMM_FORM_##b(WB_NUMERIC_CODE(                      \
                      name##ImmUnless, token, "", WB_USE_UNLESS, WB_IMM_ARGS_##b(a))))
#define WB_NOTE(address) written |= wb_span_of(address, shift)
#define WB_LOAD(name, code, token, text, type, size)              \
  L_##name : {                                                    \
    const uint address = static_cast<uint>(slots[pc->a]);         \
    if (wb_outside(bytes, address, pc->imm + size)) goto outside; \
    slots[pc->dst] = ToSlot(wb_##token(M, address, pc->imm));     \
    WB_NEXT;                                                      \
  }
#define WB_STORE(name, code, token, text, type, size)              \
  L_##name : {                                                     \
    const uint address = static_cast<uint>(slots[pc->a]);          \
    if (wb_outside(bytes, address, pc->imm + size)) goto outside;  \
    WB_NOTE(address + static_cast<uint>(pc->imm));                 \
    wb_##token(M, address, pc->imm, WB_FROM_##type(slots[pc->b])); \
    WB_NEXT;                                                       \
  }
#define WB_OTHER(name, code, text, fuel)
#include "compiler/wasm/opcode.def"
#undef WB_NUMERIC
#undef WB_LOAD
#undef WB_STORE
#undef WB_OTHER

L_Const:
  slots[pc->dst] = pc->imm;
  WB_NEXT;
L_Copy:
  slots[pc->dst] = slots[pc->a];
  WB_NEXT;
L_Select:
  slots[pc->dst] = static_cast<uint>(slots[pc->imm]) != 0 ? slots[pc->a] : slots[pc->b];
  WB_NEXT;
L_CanonF32:
  slots[pc->dst] = ToSlot(wb_f32_canon(WB_FROM_F32(slots[pc->a])));
  WB_NEXT;
L_CanonF64:
  slots[pc->dst] = ToSlot(wb_f64_canon(WB_FROM_F64(slots[pc->a])));
  WB_NEXT;
L_GlobalGet32:
  slots[pc->dst] = wb_get(L, static_cast<uint>(pc->imm));
  WB_NEXT;
L_GlobalGet64:
  slots[pc->dst] = wb_get64(L, static_cast<uint>(pc->imm));
  WB_NEXT;
L_GlobalSet32:
  wb_put(L, static_cast<uint>(pc->imm), static_cast<uint>(slots[pc->a]));
  WB_NEXT;
L_GlobalSet64:
  wb_put64(L, static_cast<uint>(pc->imm), slots[pc->a]);
  WB_NEXT;
L_Vector:
  VectorOpOf(*pc).run(slots, *pc, nullptr);
  WB_NEXT;
L_VectorAccess : {
  const VectorOp& op = VectorOpOf(*pc);
  const ulong end_of_access = (pc->imm & 0xffffffffu) + op.bytes;
  if (wb_outside(bytes, static_cast<uint>(slots[pc->a]), end_of_access)) goto outside;
  WB_NOTE(static_cast<uint>(slots[pc->a]) + static_cast<uint>(pc->imm));  // loads, too
  op.run(slots, *pc, M);
  WB_NEXT;
}
L_UseMemory : {
  const ByteMemory& memory = current_program->memories[pc->imm];
  M = wb_memory_at(L, static_cast<uint>(pc->imm));
  bytes = wb_bytes_of(wb_get(L, memory.pages_at));
  WB_NEXT;
}
L_KnownAccess : {
  const uint address = static_cast<uint>(slots[pc->a]);
  const bool is_inside = !wb_outside(bytes, address, pc->imm + pc->b);
  WB_CHECK((pc->dst & 2u) == 0 || is_inside);  // an access that was known to be inside
  const uint below = (pc->b < 4u ? pc->b : 4u) - 1u;
  const bool is_aligned = ((address + static_cast<uint>(pc->imm)) & below) == 0;
  WB_CHECK((pc->dst & 1u) == 0 || is_aligned);  // an access that was known to be aligned
  const uint place_bits = (1u << (pc->dst >> 2 & 3u)) - 1u;
  const bool is_in_place = ((address ^ pc->dst >> 4) & place_bits) == 0;
  WB_CHECK(is_in_place);  // a byte with a known place in its word
  WB_NEXT;
}
L_KnownRange:
  WB_CHECK(static_cast<uint>(slots[pc->a]) - static_cast<uint>(pc->imm >> 32) <= pc->dst);
  WB_NEXT;
L_MemorySize:
  slots[pc->dst] = wb_get(L, WB_LANE_PAGES);
  WB_NEXT;
L_MemoryGrow : {
  const uint old_pages = wb_memory_grow(L, static_cast<uint>(slots[pc->a]));
  if (old_pages == WB_GROW_LEAVES) goto needs_memory;
  slots[pc->dst] = old_pages;
  bytes = wb_memory_bytes(L);
  WB_NEXT;
}
L_MemoryGrowOf : {
  const ByteMemory& memory = current_program->memories[pc->imm];
  const uint old_pages = wb_memory_grow_at(L, static_cast<uint>(pc->imm), memory.pages_at,
                                           memory.max_pages, static_cast<uint>(slots[pc->a]));
  if (old_pages == WB_GROW_LEAVES) goto needs_memory;
  slots[pc->dst] = old_pages;
  bytes = wb_memory_bytes(L);
  WB_NEXT;
}
#define WB_C static_cast<uint>(slots[pc->imm])
#define WB_A static_cast<uint>(slots[pc->a])
#define WB_B static_cast<uint>(slots[pc->b])
L_MemoryCopyCheck:
  if (wb_memory_copy_outside(bytes, WB_A, WB_B, WB_C)) goto outside;
  WB_NEXT;
L_MemoryFillCheck:
  if (wb_memory_fill_outside(bytes, WB_A, WB_C)) goto outside;
  WB_NEXT;
L_MemoryCopyChunk:
  written |= wb_chunk_spans(WB_A, WB_B, WB_C, shift);
  wb_memory_copy_chunk(M, WB_A, WB_B, WB_C);
  WB_NEXT;
L_MemoryCopyBetween:
  if ((pc->dst & 255u) == 0) written |= wb_chunk_spans(WB_A, WB_B, WB_C, shift);
  wb_memory_copy_between(wb_memory_at(L, pc->dst & 255u), WB_A, wb_memory_at(L, pc->dst >> 8), WB_B,
                         WB_C);
  WB_NEXT;
L_MemoryFillChunk:
  written |= wb_spans_of(WB_A, WB_C, shift);
  wb_memory_fill_chunk(M, WB_A, WB_B, WB_C);
  WB_NEXT;
#define WB_DST static_cast<uint>(slots[pc->dst])
L_MemoryInitChunk:
  written |= wb_spans_of(WB_A, WB_DST, shift);
  wb_memory_init_chunk(M, WB_A, current_program->data[pc->imm].data(), WB_B, WB_DST);
  WB_NEXT;
L_RangeCheck:
  if (wb_outside(static_cast<ulong>(WB_B), WB_A, static_cast<ulong>(WB_DST))) {
    WB_TRAP_WITH(static_cast<uint>(pc->imm));
  }
  WB_NEXT;
L_TableGet:
  slots[pc->dst] = wb_get(L, static_cast<uint>(pc->imm) + WB_A);
  WB_NEXT;
L_TableSet:
  wb_put(L, static_cast<uint>(pc->imm) + WB_A, WB_B);
  WB_NEXT;
L_GroupLoad:
  slots[pc->dst] = AccessGroup(L, static_cast<uint>(pc->imm), WB_A, 0, 0);
  WB_NEXT;
L_GroupStore:
  AccessGroup(L, static_cast<uint>(pc->imm), WB_A, slots[pc->b], 0);
  WB_NEXT;
L_GroupChange:
  slots[pc->dst] = AccessGroup(L, static_cast<uint>(pc->imm), WB_A, slots[pc->b],
                               static_cast<uint>(slots[pc->imm >> 32]));
  WB_NEXT;
#define WB_TABLE(index) current_program->tables[index].at
#define WB_LOW static_cast<uint>(pc->imm)
#define WB_HIGH static_cast<uint>(pc->imm >> 32)
L_TableFillChunk:
  wb_table_fill_chunk(L, WB_TABLE(WB_LOW), WB_A, WB_B, WB_DST);
  WB_NEXT;
L_TableCopyChunk:
  wb_table_copy_chunk(L, WB_TABLE(WB_LOW), WB_A, WB_TABLE(WB_HIGH), WB_B, WB_DST);
  WB_NEXT;
L_TableInitChunk:
  wb_table_init_chunk(L, WB_TABLE(WB_LOW), WB_A, current_program->elements[WB_HIGH].data(), WB_B,
                      WB_DST);
  WB_NEXT;
L_Pay:
  fuel -= static_cast<uint>(pc->imm);
  WB_NEXT;
L_PayVar:
  fuel -= WB_A;
  WB_NEXT;
L_PayPer16:
  fuel -= static_cast<uint>((slots[pc->a] + 15) / 16);
  WB_NEXT;
L_PaySafepoint:
  fuel -= static_cast<uint>(pc->imm);
L_Safepoint:
  if (wb_spent(fuel)) {
    machine.Leave(pc->dst, L);
    end.w = WB_LEFT;
    goto done;
  }
  WB_NEXT;
L_Ask:
  wb_asks(L, static_cast<uint>(pc->imm));
  machine.Leave(pc->dst, L);
  has_left = true;
  end.w = WB_LEFT;
  goto done;
L_Call : {
  const ByteCall& call = function->calls[pc->imm];
  const ByteFunction& callee = current_program->functions[call.callee];
  if (!machine.Push(callee, call, static_cast<uint>(pc - code))) {
    if (wb_exhausted(L, 0) != 0) goto needs_stack;
    WB_TRAP_WITH(WB_TRAP_STACK_EXHAUSTED);
  }
  function = &callee;
  code = function->code.data();
  slots = machine.slots();
  WB_GO(0);
}
L_TailCall : {
  const ByteCall& call = function->calls[pc->imm];
  const ByteFunction& callee = current_program->functions[call.callee];
  if (!machine.Replace(callee, call)) {
    if (wb_exhausted(L, 0) != 0) goto needs_stack;
    WB_TRAP_WITH(WB_TRAP_STACK_EXHAUSTED);
  }
  function = &callee;
  code = function->code.data();
  slots = machine.slots();
  WB_GO(0);
}
L_Return:
  if (!machine.Pop()) {
    machine.Results(L);
    end.w = WB_RETURNED;
    goto done;
  }
  function = &machine.function();
  code = function->code.data();
  slots = machine.slots();
  WB_GO(machine.pc() + 1);
L_TableLookup : {
  uint number = 0;
  trap = LookUp(*current_program, L, pc->imm, WB_A, &number);
  if (trap != 0) goto trapped;
  slots[pc->dst] = number;
  WB_NEXT;
}
L_CheckRoom:
  if (current_program->callee_slots[WB_A] > machine.stack_left() + pc->imm) {
    if (wb_exhausted(L, 0) != 0) goto needs_stack;
    WB_TRAP_WITH(WB_TRAP_STACK_EXHAUSTED);
  }
  WB_NEXT;
L_Trap:
  WB_TRAP_WITH(static_cast<uint>(pc->imm));
L_Jump:
  WB_GO(pc->dst);
L_If:
  if (WB_A != 0) WB_GO(pc->dst);
  WB_NEXT;
L_Unless:
  if (WB_A == 0) WB_GO(pc->dst);
  WB_NEXT;
L_BrTable : {
  const uint last = static_cast<uint>(pc->imm) - 1;
  const uint index = WB_A < last ? WB_A : last;
  WB_GO(function->targets[pc->dst + index]);
}
L_ProfileEnter:
  current_recorder->Enter(*function, fuel);
  WB_NEXT;
L_ProfileLeave:
  current_recorder->Leave(fuel);
  WB_NEXT;
L_ProfileLoop:
  current_recorder->AtLoop(*function, static_cast<uint>(pc->imm), fuel);
  WB_NEXT;

halt:
  __attribute__((unused));
  trap = WB_TRAP_UNREACHABLE;
  goto trapped;
outside:
  trap = WB_TRAP_OUT_OF_BOUNDS_MEMORY;
trapped:
  wb_put_trap(L, trap, function->origin, function->offsets[static_cast<size_t>(pc - code)]);
  if (current_trace != nullptr) *current_trace = machine.Trace(static_cast<uint>(pc - code));
  if constexpr (kIsWatched) current_watch->Stopped(machine, static_cast<size_t>(pc - code));
  end.w = WB_TRAPPED;
  goto done;
needs_memory:
  machine.Leave(pc->b, L);
  end.w = WB_LEFT;
  goto done;
needs_stack:
  end.w = WB_NEEDS_STACK;
done:
  end.fuel = fuel;
  wb_note_written(L, written);
  return end;
}

static WbEnd wb_call(wb_lane L, bool active, uint function, uint, uint fuel, uint resume) {
  WbEnd end;
  end.w = WB_RETURNED;
  end.fuel = fuel;
  if (!active) return end;
  has_left = false;
  const ByteProgram& program = *current_program;
  const ByteFunction& entry = program.functions[function - program.imported_functions];
  if (resume != 0) {
    machine.Resume(program, L);
  } else if (!machine.Enter(program, entry, L)) {
    wb_put_trap(L, WB_TRAP_STACK_EXHAUSTED, function, entry.code_offset);
    end.w = wb_exhausted(L, 0) != 0 ? WB_NEEDS_STACK : WB_TRAPPED;
    return end;
  } else if (current_watch != nullptr) {
    current_watch->Enter(machine, machine.slots());
  }
  if (current_watch != nullptr) return Execute<true>(L, fuel);
  if (current_recorder == nullptr) return Execute<false>(L, fuel);
  current_recorder->BeginTurn(wb_get64(L, WB_LANE_FUEL_LO), fuel);
  if (resume == 0) current_recorder->BeginStep();
  end = Execute<false>(L, fuel);
  current_recorder->EndTurn(end.fuel);
  return end;
}

#include "compiler/runtime/as_cpp_kernel.inc"

}  // namespace interpreter

#include "compiler/runtime/as_cpp_end.inc"

namespace {

bool SeesPrimitives(const LaneObservers& observers) {
  return observers.has_left != nullptr &&
         (observers.trace != nullptr || observers.watch != nullptr);
}

// Of a dispatch whose lanes have a seat each.
const uint32_t* RecordOfLane(const LaneBuffers& buffers, uint32_t gid) {
  return buffers.records + uint64_t{gid} * buffers.params->record_words;
}

// A primitive is answered outside of the loop above. Where it traps, the calls are in the frames of
// the lane that has left for it.
void ObservePrimitive(const ByteProgram& program, const LaneBuffers& buffers, uint32_t gid,
                      const LaneObservers& observers) {
  const uint32_t* record = RecordOfLane(buffers, gid);
  if (!interpreter::has_left || record[abi::RECORD_SEAT] != abi::SEAT_DONE) return;
  if (record[abi::RECORD_END] != static_cast<uint32_t>(End::kTrapped)) return;
  const uint64_t words = buffers.params->lane_words_lo | uint64_t{buffers.params->lane_words_hi}
                                                             << 32;
  Machine& machine = interpreter::machine;
  machine.Resume(program, buffers.state + gid * words);
  if (observers.trace != nullptr) *observers.trace = machine.Trace(machine.pc());
  if (observers.watch != nullptr) observers.watch->Stopped(machine, machine.pc());
}

}  // namespace

void InterpretLane(const ByteProgram& program, const LaneBuffers& buffers, uint32_t gid,
                   const LaneObservers& observers) {
  const bool sees_primitives = SeesPrimitives(observers);
  if (sees_primitives) {
    const bool begins = RecordOfLane(buffers, gid)[abi::RECORD_SEAT] == abi::SEAT_START;
    interpreter::has_left = !begins && *observers.has_left;
  }
  interpreter::current_program = &program;
  interpreter::current_recorder = observers.recorder;
  interpreter::current_trace = observers.trace;
  interpreter::current_watch = observers.watch;
  // One atomic word, read as such by the runtime text.
  auto* control = reinterpret_cast<interpreter::atomic_uint*>(buffers.control);
  static_assert(sizeof(interpreter::WbParams) == sizeof(abi::Params));
  const auto& params = *reinterpret_cast<const interpreter::WbParams*>(buffers.params);
  interpreter::wb_main(buffers.state, buffers.records, buffers.program, buffers.columns,
                       buffers.blob, buffers.image, control, params, buffers.kept, gid);
  if (!sees_primitives) return;
  ObservePrimitive(program, buffers, gid, observers);
  *observers.has_left = interpreter::has_left;
}

}  // namespace wb
