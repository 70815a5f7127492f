#pragma once

// Turns one validated body into IR rows. The operand stack becomes variables, blocks get result
// variables, basic blocks get their kPay, loops and bulk operations their safepoints. It is one
// linear walk, which skips unreachable code. Source: core specification 2.0, 3.3 and 4.4; fuel and
// safepoints by the execution semantics.

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/ir/ir.h"
#include "compiler/passes/bulk_functions.h"
#include "compiler/passes/table_lookups.h"

namespace wb {

class FunctionBuilder {
 public:
  // `program` as PlaceState leaves it.
  FunctionBuilder(const ir::Program& program, TableLookups& lookups, BulkFunctions& bulk_functions,
                  uint32_t function_index);

  // The function, but without boundedness, safepoint numbers, construct rows and frames.
  // Row 0 is the entry's kPay and row 1 its kSafepoint (a later pass removes it when bounded). A
  // function that tail-calls itself is a loop of them: kLoop, kPay, kSafepoint.
  // Errors: WASM_UNSUPPORTED_FEATURE with the operator's name and offset.
  Result<ir::Function> Build();

 private:
  struct Operand {
    ir::Var var = ir::kNoVar;
    uint32_t next_ref = 0;  // 1 + stack position of the next lower reference to the same local
  };
  // What is open around the current row, innermost last; entry 0 is the function.
  struct Label {
    uint32_t construct = 0;
    uint32_t height = 0;                  // operand stack below the label's own values
    const BlockType* type = nullptr;      // null for the function
    std::vector<ir::Var> params;          // loop: variables a branch assigns
    std::vector<ir::Var> results;         // variables the end (or a branch to a block) assigns
    std::vector<ir::Var> entry_operands;  // if: what the else arm starts with
    bool reachable_end = false;           // a branch or a falling arm reaches the end
    bool has_else = false;
  };

  void Begin();
  void Finish();
  // The construct around what is open, for a new one.
  uint32_t Parent() const {
    return labels_.size() == 1 ? body_construct_ : labels_.back().construct;
  }
  void ClearLocals();
  void CallItself(uint32_t offset);

  ir::Var NewVar(ValueType type);
  ir::Inst& Emit(ir::Op op, uint32_t offset);
  void StartBlock();
  void Charge(uint64_t fuel) {
    if (!body_.instantiation) function_.insts[pay_row_].imm += fuel;
  }

  void Push(ir::Var var);
  ir::Var Pop();
  ir::Var Top() const { return stack_.back().var; }
  void Snapshot(ir::Var local);  // copies what the stack still reads of a local about to change
  void SnapshotAll();
  void DropTo(uint32_t height);

  Status Step(const Instruction& instruction);
  Status Other(const Instruction& instruction);
  void SkipUnreachable(const Instruction& instruction);
  void Numeric(const Instruction& instruction);
  void Vector(const Instruction& instruction);
  ir::Var LaneOf(const Instruction& instruction);
  void Load(const Instruction& instruction);
  void Store(const Instruction& instruction);
  void Const(const Instruction& instruction, ValueType type);
  void Select(uint32_t offset);
  void LocalSet(const Instruction& instruction, bool keep);
  void GlobalAccess(const Instruction& instruction);
  static uint8_t MemoryOf(const Instruction& instruction);  // of a load or store
  void MemorySize(const Instruction& instruction);
  void MemoryGrow(const Instruction& instruction);
  void MemoryCopy(const Instruction& instruction);
  void MemoryFill(const Instruction& instruction);
  void MemoryInit(const Instruction& instruction);
  // False: not an operator of this kind.
  bool Reference(const Instruction& instruction);
  bool TableOperator(const Instruction& instruction);
  void TableGet(uint32_t table, uint32_t offset);
  void TableSet(uint32_t table, uint32_t offset);
  void TableGrow(uint32_t table, uint32_t offset);
  void TableFill(uint32_t table, uint32_t offset);
  void TableCopy(uint32_t to, uint32_t from, uint32_t offset);
  void TableInit(uint32_t segment, uint32_t table, uint32_t offset);
  void DropSegment(const ir::Segment& segment, uint32_t offset);
  void Call(const Instruction& instruction);
  void CallIndirect(const Instruction& instruction);
  void CallOneOf(const std::vector<uint32_t>& callees, ir::Var number,
                 const std::vector<ir::Var>& args, const std::vector<ir::Var>& results,
                 const Instruction& instruction);
  uint32_t OpenTest(ir::Var number, uint32_t value, uint32_t offset);
  void EmitCall(uint32_t callee, const std::vector<ir::Var>& args,
                const std::vector<ir::Var>& results, uint32_t offset, bool tail = false);
  void TakeResults(const Instruction& call, const std::vector<ir::Var>& results);
  void CallTrampoline(uint32_t lookup, ir::Var number, std::vector<ir::Var> args,
                      const std::vector<ir::Var>& results, const Instruction& instruction);

  void Open(ir::ConstructKind kind, const Instruction& instruction);
  void Else(uint32_t offset);
  void End(uint32_t offset);
  void Br(uint32_t depth, uint32_t offset);
  void BrIf(uint32_t depth, uint32_t offset);
  void BrTable(const std::vector<uint32_t>& depths, uint32_t offset);
  void Return(uint32_t offset);
  void Trap(wb::Trap trap, uint32_t offset);

  Label& LabelAt(uint32_t depth) { return labels_[labels_.size() - 1 - depth]; }
  const std::vector<ir::Var>& Targets(const Label& label) const;
  // The top `vars.size()` operands into the variables, as one parallel assignment.
  void Assign(const std::vector<ir::Var>& vars, uint32_t offset);
  void EmitBr(const Label& label, uint32_t offset);
  void MarkTargeted(Label& label);

  ir::Var EmitConst(ValueType type, uint64_t bits, uint32_t offset);
  ir::Var EmitBinary(Opcode opcode, ir::Var a, ir::Var b, uint32_t offset);
  ir::Var EmitSelect(ir::Var a, ir::Var b, ir::Var condition, uint32_t offset);
  void EmitCopy(ir::Var dst, ir::Var a, uint32_t offset);
  // A bulk operator's operands, popped; `length`: n, where it is a constant.
  struct PoppedBulk : BulkOperands {
    std::optional<uint32_t> length;
  };
  PoppedBulk PopBulk();
  BulkKind MemoryKind(ir::Op chunk, uint64_t memory, uint64_t from = 0) const;
  BulkKind TableKind(ir::Op chunk, uint32_t table, uint32_t from = 0) const;
  // The operation behind its bounds check.
  void Bulk(const BulkKind& kind, const PoppedBulk& bulk, uint32_t offset);
  void MemoryRangeCheck(ir::Var start, ir::Var count, uint64_t memory, uint32_t offset);
  std::optional<uint32_t> ConstantOf(ir::Var var) const;
  // How much of a segment is left: its size, or 0 once it was dropped.
  ir::Var EmitSegmentSize(const ir::Segment& segment, uint32_t offset);
  void EmitTableCheck(uint32_t table, ir::Var start, ir::Var count, uint32_t offset);
  ir::Var EmitTableSize(uint32_t table, uint32_t offset);
  ir::Var EmitGlobalGet(uint32_t global, ValueType type, uint32_t offset);
  void EmitGlobalSet(uint32_t global, ir::Var value, uint32_t offset);
  void EmitRangeCheck(ir::Var start, ir::Var count, ir::Var size, wb::Trap trap, uint32_t offset);
  ir::Var EmitOwn(ir::Var value, uint32_t offset);

  const ir::Program& program_;
  const Module& module_;
  TableLookups& lookups_;
  BulkFunctions& bulk_functions_;
  const FunctionType& type_;
  const Body& body_;
  ir::Function function_;
  std::vector<Operand> stack_;
  std::vector<uint32_t> local_refs_;     // per local: 1 + topmost stack position reading it, 0 none
  std::vector<uint32_t> ref_positions_;  // stack positions that may read a local, rising
  std::vector<Label> labels_;
  size_t pay_row_ = 0;
  uint32_t body_construct_ = 0;  // 1: the loop of a function that tail-calls itself
  uint32_t dead_depth_ = 0;      // open constructs inside unreachable code
  bool reachable_ = true;
  uint32_t height_slots_ = 0;
  uint32_t max_slots_ = 0;
};

}  // namespace wb
