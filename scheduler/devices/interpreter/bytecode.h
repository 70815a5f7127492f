#pragma once

// What the interpreter runs: one module's IR as flat instructions over register slots. Translate
// makes it once. It is then immutable, and all threads share it.
//
// A slot is 64 bits. i32 and f32 are in its low half, zero-extended; a v128 takes two slots. The
// slots of an activation are, in this order: parameters, other locals, the rest of the frame's
// variables, temporaries (which share slots). Jumps are resolved to instruction numbers.

#include <cstdint>
#include <memory>
#include <vector>

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "compiler/wasm/opcode.h"

namespace wb {

// Instructions besides those of the opcode table; operands by the IR row of the same name.
#define WB_BYTE_OPS(X)                                                                    \
  X(Const)       /* dst = imm */                                                          \
  X(Copy)        /* dst = a */                                                            \
  X(Select)      /* dst = slot imm != 0 ? a : b */                                        \
  X(CanonF32)    /* dst = a */                                                            \
  X(CanonF64)    /* dst = a */                                                            \
  X(GlobalGet32) /* dst = lane word imm */                                                \
  X(GlobalGet64)                                                                          \
  X(GlobalSet32) /* lane word imm = a */                                                  \
  X(GlobalSet64)                                                                          \
  X(Vector)       /* an operator of vectors.h */                                          \
  X(VectorAccess) /* a load or store of vectors.h */                                      \
  X(UseMemory)    /* memory imm is what the next ones access */                           \
  X(KnownAccess)  /* stops the process unless b bytes at a + imm are what */              \
                  /* dst says: 1 aligned, 2 inside, 4 * bits and 16 * value of a Place */ \
  X(KnownRange)   /* stops the process unless address a is from the high half of imm */   \
                  /* on, and at most dst behind it */                                     \
  X(MemorySize)                                                                           \
  X(MemoryGrow)      /* leaves with number b, to be resumed at itself */                  \
  X(MemoryGrowOf)    /* of memory imm, where there are several */                         \
  X(MemoryCopyCheck) /* c is slot imm, in all four */                                     \
  X(MemoryFillCheck)                                                                      \
  X(MemoryCopyChunk)                                                                      \
  X(MemoryCopyBetween) /* to memory dst & 255 from memory dst >> 8 */                     \
  X(MemoryFillChunk)                                                                      \
  X(MemoryInitChunk) /* c is slot dst; imm = data segment */                              \
  X(RangeCheck)      /* c is slot dst; traps with imm */                                  \
  X(TableGet)        /* dst = lane word imm + a */                                        \
  X(TableSet)        /* lane word imm + a = b */                                          \
  X(GroupLoad)       /* dst = the group's word a; imm: AccessGroup (execute.cc) */        \
  X(GroupStore)      /* the group's word a = b */                                         \
  X(GroupChange)     /* dst = what it was; the low half of imm as above, c is slot */     \
                     /* imm >> 32 */                                                      \
  X(TableFillChunk)  /* c is slot dst in all three; imm as the IR has it */               \
  X(TableCopyChunk)                                                                       \
  X(TableInitChunk)                                                                       \
  X(Pay)          /* fuel -= imm */                                                       \
  X(PayVar)       /* fuel -= a */                                                         \
  X(PayPer16)     /* fuel -= (a + 15) / 16 */                                             \
  X(Safepoint)    /* leave with number dst if fuel < 0 */                                 \
  X(PaySafepoint) /* Pay imm, then Safepoint dst */                                       \
  X(Ask)          /* leave with number dst and request imm */                             \
  X(Call)         /* imm = index into ByteFunction::calls */                              \
  X(TailCall)     /* likewise; the callee takes the caller's place */                     \
  X(Return)                                                                               \
  X(TableLookup)  /* dst = callee number for index a; imm as the IR has it */             \
  X(CheckRoom)    /* traps unless the callee numbered a has room with imm */              \
                  /* slots more than are left */                                          \
  X(Trap)         /* imm = trap number */                                                 \
  X(Jump)         /* go to instruction dst */                                             \
  X(If)           /* ... if a != 0 */                                                     \
  X(Unless)       /* ... if a == 0 */                                                     \
  X(BrTable)      /* index a into the imm targets from ByteFunction::targets[dst] on */   \
  X(ProfileEnter) /* these three where fuel is counted by call (fuel_recorder.h) */       \
  X(ProfileLeave)                                                                         \
  X(ProfileLoop) /* imm = index into ByteFunction::loops, 0: none */

// Numeric operators come in up to six forms: dst = f(a, b); dst = f(a, imm); and for those with an
// i32 result that cannot trap, a jump to dst if f(a, b) or f(a, imm) is, or is not, zero.
#define WB_IMM_FORM_Void(x)
#define WB_IMM_FORM_I32(x) x
#define WB_IMM_FORM_I64(x) x
#define WB_IMM_FORM_F32(x) x
#define WB_IMM_FORM_F64(x) x
#define WB_JUMP_FORM_I32(x) x
#define WB_JUMP_FORM_I64(x)
#define WB_JUMP_FORM_F32(x)
#define WB_JUMP_FORM_F64(x)

// Every instruction in the order of their numbers: X(Name).
#define WB_BYTE_NUMERIC(X, name, result, b)                                        \
  X(name)                                                                          \
  WB_IMM_FORM_##b(X(name##Imm)) WB_JUMP_FORM_##result(X(name##If) X(name##Unless)) \
      WB_JUMP_FORM_##result(WB_IMM_FORM_##b(X(name##ImmIf) X(name##ImmUnless)))

enum class ByteOp : uint32_t {
#define WB_NAME(name) k##name,
#define WB_NUMERIC(name, code, token, text, result, a, b, form, spelling, check) \
  WB_BYTE_NUMERIC(WB_NAME, name, result, b)
#define WB_LOAD(name, code, token, text, type, bytes) k##name,
#define WB_STORE(name, code, token, text, type, bytes) k##name,
#define WB_OTHER(name, code, text, fuel)
#include "compiler/wasm/opcode.def"
#undef WB_NUMERIC
#undef WB_LOAD
#undef WB_STORE
#undef WB_OTHER
  WB_BYTE_OPS(WB_NAME)
#undef WB_NAME
};

struct ByteCode {
  ByteOp op = ByteOp::kReturn;
  uint32_t dst = 0;
  uint32_t a = 0;
  uint32_t b = 0;
  uint64_t imm = 0;
};

struct ByteCall {
  uint32_t callee = 0;            // position in ByteProgram::functions
  uint32_t safepoint = 0;         // 0: the callee never leaves
  std::vector<uint32_t> args;     // slots of the caller
  std::vector<uint32_t> results;  // slots of the caller
};

// Where a resumed activation goes on.
struct ByteSafepoint {
  uint32_t pc = 0;       // the instruction after it, or the call or memory.grow itself
  uint32_t row = 0;      // of the IR
  bool is_call = false;  // the callee's frame follows
};

struct ByteFrameVar {
  uint32_t slot = 0;
  bool wide = false;   // two words in the frame
  bool canon = false;  // an arithmetic float: a NaN is saved in canonical form
};

// A constant that a resumed activation needs at safepoints of rows [first, last]. Elsewhere its
// slot belongs to another variable.
struct ByteConst {
  uint32_t slot = 0;
  uint64_t bits = 0;
  uint32_t first = 0;
  uint32_t last = 0;
};

// A loop of the module, where fuel is counted by loops.
struct ByteLoop {
  uint32_t offset = 0;  // in the module
  uint32_t outer = 0;   // index of the loop around it; 0: none
};

struct ByteFunction {
  uint32_t index = 0;        // in the module's function index space
  uint32_t origin = 0;       // whose rows these are; not index in a part of it
  uint32_t code_offset = 0;  // byte offset of the body, for traps at its entry
  uint32_t stack_slots = 0;  // 0 if bounded
  uint32_t frame_words = 0;
  bool recursive = false;  // its calls begin a root
  uint32_t slots = 0;
  uint32_t zero_slots = 0;  // slots [parameters, zero_slots) are zero at entry
  std::vector<bool> param_wide;
  std::vector<bool> result_wide;
  std::vector<uint32_t> results;  // slots
  bool synthetic = false;         // no code of the module
  uint32_t params = 0;
  std::vector<ValueType> local_types;   // parameters first; their slots follow one another from 0
  std::vector<ValueType> result_types;  // where `results` has slots, two for a v128
  std::vector<ByteCode> code;
  std::vector<uint32_t> offsets;  // per instruction: byte offset in the module
  std::vector<ByteCall> calls;
  std::vector<uint32_t> targets;          // of BrTable
  std::vector<ByteSafepoint> safepoints;  // [0] unused
  std::vector<ByteFrameVar> frame;
  std::vector<ByteConst> frame_constants;  // constants that live across a safepoint
  std::vector<ByteLoop> loops;             // [0] unused
};

struct ByteMemory {
  uint32_t pages_at = 0;  // lane word of its size
  uint32_t max_pages = 0;
};

struct ByteTable {
  bool in_lane = false;
  uint32_t at = 0;                 // in_lane: lane word of element 0
  uint32_t size = 0;               // at instantiation
  uint32_t size_at = 0;            // lane word of the size, 0: it never changes
  std::vector<uint32_t> elements;  // of a constant table, up to the last that is not null
};

struct ByteProgram {
  LaneLayout layout;
  uint32_t imported_functions = 0;
  bool asks = false;  // ir::Program::asks
  std::vector<ByteFunction> functions;
  std::vector<ir::Lookup> lookups;
  std::vector<ByteMemory> memories;
  std::vector<ByteTable> tables;
  std::vector<uint32_t> callee_numbers;         // by function of the module
  std::vector<uint32_t> callee_slots;           // stack slots by number
  std::vector<std::vector<uint32_t>> elements;  // words of passive element segments, by segment
  std::vector<std::vector<uint32_t>> data;      // words of passive data segments, by segment
};

struct TranslateOptions {
  // What is known of an access (ir::Function::aligned, inside) is checked before it.
  bool asserts_facts = false;
  bool profiles = false;  // fuel is counted by calls and loops
};
ByteProgram Translate(const LoweredModule& module, const TranslateOptions& options = {});

}  // namespace wb
