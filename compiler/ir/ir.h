#pragma once

// The compiler's intermediate representation: a module's functions as flat rows of structured
// register code. There is no operand stack; every value is a variable. The kernel printer and the
// interpreter read exactly this form, after all passes. They so agree on fuel, safepoints, frames
// and canonical NaNs. Nothing here nests in memory: Block/Loop/If/Else/End rows give the structure,
// so that no code recurses on a module's nesting.
//
// Source of the rules: the execution semantics (fuel, safepoints, stack, numbers).

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/abi/lane.h"
#include "compiler/ir/counted_loop.h"
#include "compiler/ir/straight_run.h"
#include "compiler/wasm/module.h"
#include "compiler/wasm/opcode.h"

namespace wb::ir {

using Var = uint32_t;  // index into Function::vars
inline constexpr Var kNoVar = 0xffffffffu;
inline constexpr uint32_t kNoFunction = 0xffffffffu;

enum class Op : uint8_t {
  kNumeric,          // dst = opcode(a, b, c); traps as its check says
  kLoad,             // dst = memory[a + imm], width and sign by opcode; traps out of bounds. A lane
                     // of a vector: b with lane c from memory
  kStore,            // memory[a + imm] = b, or lane c of b; traps out of bounds
  kConst,            // dst = imm (bits; f32 and i32 zero-extended; v128: index into vectors)
  kCopy,             // dst = a (bits kept)
  kSelect,           // dst = c != 0 ? a : b (bits kept)
  kCanon,            // dst = a, but the canonical NaN where a is any NaN (f32, f64)
  kGlobalGet,        // dst = global imm
  kGlobalSet,        // global imm = a
  kMemorySize,       // dst = pages of memory 0 (of others: a global)
  kMemoryGrow,       // dst = old pages or 0xffffffff; charges nothing (a kPayVar follows). Where
                     // the engine has not reserved what the limits allow: leave, before anything
                     // is changed, with safepoint number imm; on resume this row comes again
  kMemoryCopyCheck,  // traps unless [a, a+c) and [b, b+c) lie in memory
  kMemoryFillCheck,  // traps unless [a, a+c) lies in memory
  kMemoryCopyChunk,  // moves min(c, 4096) bytes of memmove(a, b, c), b in memory imm: from the
                     // front if a <= b, else from the back. Other rows advance (a, b, c); see
                     // bulk_rows
  kMemoryFillChunk,  // memory[a .. a+c) = b (low byte), c <= 4096
  kMemoryInitChunk,  // memory[a .. a+c) = data segment imm from byte b on, c <= 4096
  kRangeCheck,       // traps with trap imm unless a + c <= b, in 33 bits
  kTableGet,         // dst = element a of table imm, which lies in the lane; in bounds
  kTableSet,         // element a of table imm = b; in bounds
  kTableFillChunk,   // elements [a, a+c) of table imm = b, c <= 1024
  kTableCopyChunk,   // as kMemoryCopyChunk, by 1,024 elements; imm = index into
                     // Function::table_copies
  kTableInitChunk,   // elements [a, a+c) of a table = an element segment from b on, c <= 1024;
                     // imm = index into Function::table_inits
  kPay,              // fuel -= imm
  kPayVar,           // fuel -= a, which is at most imm
  kPayPer16,         // fuel -= (a + 15) / 16
  kSafepoint,        // if fuel < 0: leave with safepoint number imm; on resume go on after this row
  kStagePut,         // word imm of the stage = a
  kStageGet,         // dst = word imm of the stage
  kTogether,     // dst = 1 if all lanes of the group are at this row at once and none has used up
                 // its fuel; 0 where lanes run alone
  kCollect,      // dst = collective imm (abi/gpu_std.def) of the bits a, and of the lane named b;
                 // the group is together
  kGroupAccess,  // dst = operation imm (ACCESS_*) on the group's memory: the word number a, or of
                 // two words numbers a and a + 1, with the value b; in bounds. ACCESS_COMPARE: puts
                 // c there if b is there
  kAsk,          // leave, with safepoint number imm and Function::request, whose arguments are
                 // in the stage; on resume go on after this row, with the answer in the stage
  kCall,         // imm = index into Function::calls
  kTrap,         // trap number imm
  kBlock,        // imm = index into Function::constructs; likewise for the next four
  kLoop,
  kIf,  // a = condition
  kElse,
  kEnd,
  kBr,           // imm = target construct: to the end of a block, if or the function (construct 0),
                 // to the header of a loop
  kBrIf,         // a = condition; imm = target construct
  kBrTable,      // a = index; imm = index into Function::br_tables
  kTableLookup,  // dst = number of the function at index a of a table; traps where there is none of
                 // the type; imm = index into Function::table_lookups
  kCheckRoom,    // traps call stack exhausted unless there is room for the function numbered a,
                 // which a trampoline is about to call; imm = index into Function::room_checks
};

struct Inst {
  Op op = Op::kConst;
  uint8_t memory = 0;            // which memory the row reads or changes
  Opcode opcode = Opcode::kNop;  // kNumeric, kLoad, kStore
  Var dst = kNoVar;
  Var a = kNoVar;
  Var b = kNoVar;
  Var c = kNoVar;
  uint32_t offset = 0;  // byte offset in the module, for traps
  uint64_t imm = 0;
};

enum class ConstructKind : uint8_t { kFunction, kBlock, kLoop, kIf };

// A construct: construct 0 is the function body (no rows of its own: begin = first row,
// end = one past the last). Safepoints are numbered from 1 in the order of rows, so those inside a
// construct form the interval [first_safepoint, last_safepoint]; none: first > last.
// A loop of the module starts with kPay, kSafepoint (its header safepoint).
struct Construct {
  ConstructKind kind = ConstructKind::kBlock;
  bool targeted = false;  // some branch names it
  uint32_t parent = 0;
  uint32_t begin = 0;    // row of kBlock, kLoop, kIf
  uint32_t else_at = 0;  // row of kElse, 0 if none
  uint32_t end = 0;      // row of kEnd
  uint32_t first_safepoint = 1;
  uint32_t last_safepoint = 0;
  uint32_t else_safepoint = 0;    // kIf: first safepoint number that belongs to the else arm
  uint32_t header_safepoint = 0;  // kLoop: number of its header safepoint, 0 if it has none
};

struct Call {
  uint32_t callee = 0;     // function index in the module
  uint32_t safepoint = 0;  // number of "the callee left"; 0: the callee is bounded, or tail
  // A tail call: rows behind it return its results. A callee that is not bounded takes the place of
  // its caller: the caller's frame and stack are gone, and those rows are never reached.
  bool tail = false;
  std::vector<Var> args;
  std::vector<Var> results;
};

// The immediates of kTableLookup, kTableCopyChunk, kTableInitChunk and kCheckRoom.
struct TableLookup {
  uint32_t table = 0;
  uint32_t lookup = 0;  // index into Program::lookups
};
struct TableCopy {
  uint32_t to = 0;  // tables
  uint32_t from = 0;
};
struct TableInit {
  uint32_t table = 0;
  uint32_t segment = 0;  // of elements
};
struct RoomCheck {
  uint32_t lookup = 0;            // index into Program::lookups: the one with the trampoline
  bool in_callers_place = false;  // the call is a tail call
};

struct Function {
  uint32_t index = 0;  // in the module's function index space; synthetic functions follow it
  // Not code of the module: a trampoline, the loop of bulk operators, the instantiation of a linked
  // module. It has no entry safepoint and costs no stack. What its rows pay counts as its caller's
  // fuel; it costs no other.
  bool synthetic = false;
  // Rows of this function stand here, since it is too large for one function of the text
  // (CutFunctions): a synthetic function that it alone, or another of its parts, calls.
  uint32_t part_of = kNoFunction;
  // The function is a copy of this one, whose calls go on in it (CommonStart).
  uint32_t copy_of = kNoFunction;
  // The function whose rows these are, as traps name it.
  uint32_t origin() const {
    if (copy_of != kNoFunction) return copy_of;
    return part_of == kNoFunction ? index : part_of;
  }
  uint32_t num_params = 0;
  uint32_t num_locals = 0;  // parameters included; variables [0, num_locals) are the locals
  std::vector<ValueType> vars;
  std::vector<Var> results;  // valid where the body ends
  std::vector<Inst> insts;
  std::vector<Construct> constructs;
  std::vector<Call> calls;
  std::vector<TableLookup> table_lookups;
  std::vector<TableCopy> table_copies;
  std::vector<TableInit> table_inits;
  std::vector<RoomCheck> room_checks;
  std::vector<V128> vectors;                     // constants
  std::vector<std::vector<uint32_t>> br_tables;  // target constructs, default last
  uint32_t code_offset = 0;                      // byte offset of the body in the module

  uint32_t request = 0;  // of a primitive's function: LANE_REQUEST

  bool bounded = false;  // no safepoints at all
  // Its calls begin a root (lane.def): it lies on a cycle of the call graph, or takes its caller's
  // place or leaves its own to another.
  bool recursive = false;
  uint32_t component = 0;     // those that call each other in a cycle have the same number
  bool grows_memory = false;  // it or a callee may change the size of memory 0
  uint32_t safepoints = 0;    // numbers 1..safepoints are in use (entry is 1 unless bounded)
  uint32_t stack_slots = 0;   // cost of an activation in 8-byte slots; 0 if bounded
  uint64_t worst_cost = 0;    // bounded: worst-case fuel, callees included

  // Per variable: whether it is a float that holds arithmetic results only. A NaN in it may then
  // have any bits until they can be observed. A frame shows them, so it holds the canonical form.
  std::vector<bool> arithmetic;
  // Per variable: those that are arithmetic, and any other float whose bits no row shows. A counted
  // loop may give these any NaN (LoopSlot::any_nan); then all of them are arithmetic.
  std::vector<bool> unseen;

  // Per row, of kLoad and kStore, what is known before the program runs (ProveAccesses; empty:
  // nothing is). Aligned: address and offset are multiples of 4, or of the access' size where that
  // is less. Inside: the access ends
  // within the pages with which its memory begins.
  std::vector<bool> aligned;
  std::vector<bool> inside;
  bool IsAligned(size_t row) const { return row < aligned.size() && aligned[row]; }
  bool IsInside(size_t row) const { return row < inside.size() && inside[row]; }
  // Of a byte's address without its offset: how many of the two lowest bits are known, and these.
  struct Place {
    uint8_t bits = 0;
    uint8_t value = 0;
  };
  std::vector<Place> places;
  Place PlaceOf(size_t row) const { return row < places.size() ? places[row] : Place(); }
  // Of accesses to memory 0 that are inside: the bytes that they come to, where these are few.
  struct AccessRange {
    uint32_t row = 0;
    uint64_t from = 0;
    uint64_t end = 0;
  };
  static constexpr uint64_t kMostRange = uint64_t{64} << 10;  // bytes
  std::vector<AccessRange> ranges;                            // by rising rows
  const AccessRange* RangeAt(uint32_t row) const;             // null: there is none
  std::vector<CountedLoop> counted_loops;                     // by rising construct
  bool reads_data = false;    // a loop of it, or of what it calls, has CountedLoop::data
  bool reads_copies = false;  // a load of it is from a piece of ReadOnlyData, or of what it calls
  const CountedLoop* CountedLoopOf(uint64_t construct) const;  // null: it is none
  std::vector<StraightRun> straight_runs;                // by rising rows; none in a counted loop
  const StraightRun* StraightRunAt(uint64_t row) const;  // null: none begins at this row
  bool IsBorderOfRun(uint64_t row) const;  // one begins at this row, or has ended before it

  // Frame, in 32-bit words from its base: word 0 is the safepoint number, then the variables of
  // frame_vars, each TypeWords long, in this order. A callee's frame follows its caller's; between
  // them lies a link (lane.def) if the callee is recursive.
  std::vector<Var> frame_vars;
  uint32_t frame_words = 0;
  // Those of frame_vars that rows behind its calls of itself read.
  std::vector<Var> kept_at_self_calls;
  // The call is one of these: of the function itself, and not in its own place.
  bool CallsItself(const Call& call) const { return call.callee == index && !call.tail; }
};

// The initial image of an instance, as far as it does not depend on imports.
struct MemoryRange {
  uint32_t memory = 0;
  uint32_t address = 0;
  Bytes bytes;
};
struct TableImage {
  uint32_t at = 0;              // word from the globals' base
  uint32_t size = 0;            // elements
  std::vector<uint32_t> words;  // the first of them; the others are null
};
struct Image {
  std::vector<uint32_t> globals;  // words, in layout order
  std::vector<TableImage> tables;
  std::vector<MemoryRange> memory;  // in segment order, later ones on top
  uint32_t min_pages = 0;           // of memory 0
  uint32_t max_pages = 65536;       // declared maximum, or 65536; of several memories the largest
  bool has_memory = false;
  // A segment that does not fit traps at instantiation (effects of earlier ones stay).
  Trap trap = Trap::kNone;
  uint32_t trap_offset = 0;

  // All these bytes of memory 0 come from one segment, and not all of them are 0: zeros are mostly
  // there to be written.
  bool HasData(uint64_t from, uint64_t bytes_wanted) const;
};

// Data of the module that loads come to and that no store is known to come to
// (ChooseReadOnlyData): texts have a copy of the pieces. What may write to bytes between the first
// and the last is noted (abi::LANE_DATA_WRITTEN).
struct ReadOnlyData {
  struct Piece {
    uint32_t from = 0;  // multiples of 4
    uint32_t end = 0;
  };
  std::vector<Piece> pieces;  // ascending, apart
  bool empty() const { return pieces.empty(); }
  uint32_t from() const { return pieces.empty() ? 0 : pieces.front().from; }
  uint32_t end() const { return pieces.empty() ? 0 : pieces.back().end; }
  // The piece that has all of the range; null: none.
  const Piece* Holding(const Function::AccessRange& range) const;
};

// A reference is one word: 0 is null, else a function's index or the host's number, plus one.
inline constexpr uint32_t kNullReference = 0;

// Calls of one type through one table, or through any of the tables in the lane. A function has a
// number, from 1 on, if its address is taken. Functions of equal types have numbers one behind the
// other, so that one comparison tests a callee's type.
struct Lookup {
  uint32_t type = 0;                  // the first of the module's types that is equal
  uint32_t first = 0;                 // functions of the type have numbers [first, first + count)
  uint32_t count = 0;                 // ... if any
  bool others = false;                // there are elements of other types to be told apart
  std::vector<uint32_t> callees;      // function indices that calls may reach, by rising number
  uint32_t trampoline = kNoFunction;  // calls the callee of a number, where callees are many
  uint32_t tail_trampoline = kNoFunction;  // the same for tail calls, where there are some
};

inline constexpr uint32_t kNoGlobal = 0xffffffffu;

// A data or element segment as instantiation leaves it.
struct Segment {
  uint32_t size = 0;                    // bytes or elements; 0 unless passive
  uint32_t dropped_global = kNoGlobal;  // the global that tells whether it was dropped, if some
                                        // operator drops it
};

struct Memory {
  uint32_t min_pages = 0;
  uint32_t max_pages = 65536;         // declared maximum, or 65536
  bool grows = false;                 // some row grows it
  uint32_t pages_global = kNoGlobal;  // the global that holds its size; of memory 0 the header does
};

inline constexpr uint32_t kMaxMemories = 256;  // Inst::memory

struct Table {
  uint32_t size = 0;  // at instantiation
  // At instantiation, up to the last that is not null. A table that no operator reads or changes is
  // a constant of the text.
  std::vector<uint32_t> elements;
  bool has_null = false;  // among them
  bool in_lane = false;
  uint32_t capacity = 0;             // in_lane: it grows up to this many elements
  uint32_t at = 0;                   // in_lane: word of element 0 from the globals' base
  uint32_t size_global = kNoGlobal;  // the global that holds the size of one that may grow
};

struct Program {
  std::shared_ptr<const Module> module;
  std::vector<Segment> data;             // by segment of the module
  std::vector<Segment> elements;         // likewise
  std::vector<Memory> memories;          // by memory of the module
  std::vector<Table> tables;             // by table of the module
  std::vector<uint32_t> callee_numbers;  // by function of the module; 0: its address is not taken
  std::vector<Lookup> lookups;
  // functions[i] is module function imported_functions + i; behind the module's stand synthetic
  // ones.
  std::vector<Function> functions;
  // Word offset of each global from the globals' base: the module's, then those of our own (i32)
  // that hold what else of an instance's state changes.
  std::vector<uint32_t> global_words;
  uint32_t globals_size = 0;  // words
  uint32_t tables_size = 0;   // words of the tables in the lane, behind the globals
  // The first of the globals of our own that are GROUP_* of lane.def, where instances compute with
  // their group.
  uint32_t group_global = kNoGlobal;
  bool shares_group_memory = false;
  uint32_t stage_words = 0;   // for the widest arguments or results of any function
  bool grows_memory = false;  // memory 0 grows
  // The bytes of memory 0 that rows come to which are known to lie inside (Function::inside), from
  // the first to the last. Empty: there is no such row.
  uint64_t inside_from = 0;
  uint64_t inside_end = 0;
  bool asks = false;   // some function is a primitive
  bool meets = false;  // one is a collective or shares memory: instances run in groups
  Image image;
  ReadOnlyData read_only;
  // Exported functions that do much before their instances may differ, and how one comes to that
  // place (FindCommonStarts).
  struct Start {
    uint32_t function = 0;
    std::vector<CommonStart::Link> links;
    std::vector<ValueType> results;  // of the values that cross the point, function by function
  };
  std::vector<Start> starts;  // by rising function

  const Function& function(uint32_t index) const {
    return functions[index - module->imported_functions];
  }
  // The callee takes the place of its caller. Needs the classes (ClassifyFunctions).
  bool ReplacesCaller(const Call& call) const {
    return call.tail && !function(call.callee).bounded;
  }
};

// The bits of a constant expression of one constant or reference; null for what is neither.
std::optional<uint64_t> ConstantOf(const ConstExpr& expression);

// Stack slots of the functions that have numbers, by number; 0 where bounded.
std::vector<uint32_t> SlotsByNumber(const Program& program);

std::vector<ValueType> ResultTypes(const Function& function);

// The IR as text, one row per line, for tests and --dump-after.
std::string Dump(const Function& function);

}  // namespace wb::ir
