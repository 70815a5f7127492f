#pragma once

// Module: one WebAssembly binary, decoded and validated, immutable and shareable between threads;
// or several linked to one (compiler/link).
// Source: WebAssembly core specification 2.0, section 5 (binary format) and 3 (validation).

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/abi/lane.h"
#include "compiler/base/bytes.h"
#include "compiler/base/digest.h"
#include "compiler/base/status.h"
#include "compiler/wasm/opcode.h"

namespace wb {

struct FunctionType {
  std::vector<ValueType> params;
  std::vector<ValueType> results;
  bool operator==(const FunctionType&) const = default;
  std::string ToString() const;  // "(i32, f64) -> (i32)"
};

struct Limits32 {
  uint32_t min = 0;
  std::optional<uint32_t> max;
};

// The type of a block: no type, one result, or a function type.
struct BlockType {
  std::vector<ValueType> params;
  std::vector<ValueType> results;
};

// One decoded operator of a body. Immediates by operator (imm; imm2):
//   Block, Loop, If: index into Body::block_types
//   Br, BrIf: relative depth
//   BrTable: index into Body::br_tables
//   Call: function index
//   CallIndirect: type index; table index
//   LocalGet, LocalSet, LocalTee, GlobalGet, GlobalSet, RefFunc: index
//   TableGet, TableSet, TableSize, TableGrow, TableFill, ElemDrop, DataDrop: index
//   I32Const, F32Const: bits, zero-extended
//   I64Const, F64Const: bits
//   V128Const, I8x16Shuffle: index into Body::vectors (in a ConstExpr: Module::vectors)
//   extract and replace of a lane: its number
//   loads, stores: static offset; memory index
//   loads, stores of one lane: static offset; lane | memory index << 8
//   MemorySize, MemoryGrow, MemoryFill: memory index
//   MemoryCopy: destination; source memory
//   MemoryInit: segment; memory
//   TableInit: segment; table
//   TableCopy: destination; source table
//   RefNull, SelectT: ValueType
struct Instruction {
  Opcode opcode = Opcode::kNop;
  uint32_t offset = 0;  // byte offset in the module of the operator's first byte
  uint32_t imm2 = 0;
  uint64_t imm = 0;
};

// A body, without the final `end` of the function itself.
struct Body {
  std::vector<ValueType> locals;  // declared locals, parameters not included
  std::vector<Instruction> instructions;
  std::vector<BlockType> block_types;
  std::vector<std::vector<uint32_t>> br_tables;  // relative depths, default last
  std::vector<V128> vectors;                     // immediates of 16 bytes
  uint32_t offset = 0;                           // byte offset of the body (its local declarations)
  uint32_t end_offset = 0;                       // byte offset of the final `end`
  bool instantiation = false;                    // made by Link: costs no fuel and no stack
  // An import from `wasmburst` or `gpu_std`: in the place of instructions, the engine answers the
  // call.
  Primitive primitive = Primitive::kNone;
  uint32_t primitive_memory = kNoMemory;  // the memory that it reads or writes, if there is one
  uint32_t host_import = 0;               // kHostCall: the import's number in the job
  uint32_t code = 0;  // kCollective, kGroupMemory: which (compiler/abi/gpu_std.def)

  static constexpr uint32_t kNoMemory = 0xffffffff;
};

enum class ExternKind : uint8_t { kFunction, kTable, kMemory, kGlobal, kTag };
std::string_view ExternKindName(ExternKind kind);  // "function"

struct Import {
  std::string module;
  std::string name;
  ExternKind kind = ExternKind::kFunction;
  uint32_t index = 0;  // in its index space
};

struct Export {
  std::string name;
  ExternKind kind = ExternKind::kFunction;
  uint32_t index = 0;
  uint32_t instance = 0;  // of linked modules: which of Module::instances
};

struct Function {
  uint32_t type = 0;  // index into types
  bool imported = false;
};

struct Table {
  ValueType type = ValueType::kFuncRef;
  Limits32 limits;
  bool imported = false;
};

struct Memory {
  Limits32 limits;  // pages
  bool imported = false;
};

// A constant expression: a constant, global.get, ref.null or ref.func (`instruction` as in a body).
// Arithmetic on constants is done at decoding. What reads globals too is opcode kEnd, imm: index
// into Module::longer_expressions.
struct ConstExpr {
  Instruction instruction;
};

struct Global {
  ValueType type = ValueType::kI32;
  bool is_mutable = false;
  bool imported = false;
  ConstExpr init;  // not for imported ones
};

enum class SegmentMode : uint8_t { kActive, kPassive, kDeclarative };

struct DataSegment {
  SegmentMode mode = SegmentMode::kActive;
  uint32_t memory = 0;
  ConstExpr offset;
  Bytes bytes;
  uint32_t file_offset = 0;  // byte offset in the module of the segment
};

struct ElementSegment {
  SegmentMode mode = SegmentMode::kActive;
  uint32_t table = 0;
  ValueType type = ValueType::kFuncRef;
  ConstExpr offset;
  std::vector<ConstExpr> elements;
  uint32_t file_offset = 0;
};

// One of the modules that Link made one of: where its parts are among all.
struct LinkedInstance {
  std::string name;
  Digest digest;                    // of its binary
  uint32_t first_function = 0;      // those that it defines follow one another
  uint32_t functions = 0;           // how many
  uint32_t imported_functions = 0;  // index of the first of them in the module itself
  uint32_t instantiate = 0;         // the function that instantiates it, if there is one (else 0)
  // Made of a job's bindings: what traps in it is an import that is bound to a trap.
  bool is_bound = false;
};

// What is read besides WebAssembly 2.0 and relaxed vectors.
struct Proposals {
  bool tail_calls = true;
  bool extended_constants = true;
  bool multiple_memories = true;

  static constexpr Proposals None() { return {false, false, false}; }
};

// Of a module that was derived from another one (link/module_starter.h): calls of `function` begin,
// or go on, where its instances may first differ (compiler/docs/common_start.md).
struct CommonStart {
  // The call at the byte `offset` in `function`, or in the link before, is of a copy of `callee`.
  struct Link {
    uint32_t callee = 0;
    uint32_t offset = 0;
    bool operator==(const Link&) const = default;
  };
  // A beginning takes no more of the stack, in 8-byte slots: jobs that allow less have no start.
  static constexpr uint32_t kMostStack = 1024;
  enum class Part : uint8_t {
    kBeginning,  // `function` ends there and returns its values, and whether it came there
    kRest,       // memories and globals are as they are there, and `function` goes on
  };
  Part part = Part::kBeginning;
  uint32_t function = 0;
  std::vector<Link> links;
  uint32_t first_copy = 0;  // function of the first link; those of the others follow
  // kRest.
  uint32_t fuel = 0;             // of the beginning
  std::vector<uint64_t> values;  // that it had there, as ir::Program::Start::results
};

// A function as its own module counts it.
struct FunctionPlace {
  const LinkedInstance* instance = nullptr;  // null: the module itself
  std::optional<uint32_t> function;          // none: instantiation
};

class Module {
 public:
  // The largest binary accepted: trap offsets have 26 bits in the kernel text.
  static constexpr size_t kMaxBytes = size_t{64} << 20;

  // Decodes and validates. Errors: WASM_MALFORMED or WASM_INVALID with details "offset" and, inside
  // a body, "function"; WASM_UNSUPPORTED_FEATURE for proposals that are not read at all.
  // Takes time and memory linear in the size; never recurses on nesting.
  static Result<std::shared_ptr<const Module>> Decode(ByteView wasm,
                                                      const Proposals& proposals = {});

  const Digest& digest() const { return digest_; }  // SHA-256 of the binary
  const Bytes& binary() const { return binary_; }   // of linked ones: a bundle

  std::vector<FunctionType> types;
  std::vector<Import> imports;
  std::vector<Function> functions;  // imported ones first
  std::vector<Table> tables;
  std::vector<Memory> memories;
  std::vector<Global> globals;
  std::vector<Export> exports;
  std::optional<uint32_t> start;
  std::vector<ElementSegment> elements;
  std::vector<DataSegment> data;
  std::vector<Body> bodies;   // bodies[i] is the body of function imported_functions + i
  std::vector<V128> vectors;  // of constant expressions
  std::vector<std::vector<Instruction>> longer_expressions;  // what ConstExpr says
  uint32_t imported_functions = 0;
  std::vector<LinkedInstance> instances;  // empty unless Link made the module
  std::optional<CommonStart> common_start;

  const FunctionType& type_of(uint32_t function) const { return types[functions[function].type]; }
  // Of linked modules: of the last one.
  const Export* FindExport(std::string_view name, ExternKind kind) const;
  const Export* FindExport(std::string_view name, ExternKind kind, uint32_t instance) const;
  // Where each global lies in a lane's state: its first word, counted from LaneLayout::globals_at.
  std::vector<uint32_t> GlobalWords() const;
  // Where a function that a trap names is found.
  FunctionPlace PlaceOf(uint32_t function) const;

 private:
  friend class Linker;
  friend class ModuleStarter;
  Digest digest_;
  Bytes binary_;
};

}  // namespace wb
