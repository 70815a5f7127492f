#include <vector>

#include "compiler/base/check.h"
#include "compiler/passes/passes.h"

namespace wb {
namespace {

using ir::Construct;
using ir::ConstructKind;
using ir::Inst;
using ir::Op;

class Numbering {
 public:
  Numbering(const ir::Program& program, ir::Function& function)
      : program_(program), function_(function) {}

  void Run() {
    Open(0, 0);
    for (uint32_t row = 0; row < function_.insts.size(); ++row) Visit(row);
    Close(static_cast<uint32_t>(function_.insts.size()));
    function_.safepoints = next_ - 1;
  }

 private:
  Construct& construct(uint64_t index) { return function_.constructs[index]; }

  void Open(uint32_t index, uint32_t row) {
    construct(index).begin = row;
    construct(index).first_safepoint = next_;
    open_.push_back(index);
  }

  void Close(uint32_t row) {
    construct(open_.back()).end = row;
    construct(open_.back()).last_safepoint = next_ - 1;
    open_.pop_back();
  }

  void Visit(uint32_t row) {
    Inst& inst = function_.insts[row];
    switch (inst.op) {
      case Op::kBlock:
      case Op::kLoop:
      case Op::kIf: Open(static_cast<uint32_t>(inst.imm), row); break;
      case Op::kElse:
        construct(inst.imm).else_at = row;
        construct(inst.imm).else_safepoint = next_;
        break;
      case Op::kEnd: Close(row); break;
      case Op::kSafepoint: inst.imm = Number(row); break;
      case Op::kAsk:
      case Op::kMemoryGrow: inst.imm = next_++; break;
      case Op::kCall: {
        ir::Call& call = function_.calls[inst.imm];
        if (!call.tail && !program_.function(call.callee).bounded) call.safepoint = next_++;
        break;
      }
      default: break;
    }
  }

  // A loop of the module starts with kLoop, kPay, kSafepoint.
  uint32_t Number(uint32_t row) {
    Construct& inner = construct(open_.back());
    if (inner.kind == ConstructKind::kLoop && row == inner.begin + 2) {
      inner.header_safepoint = next_;
    }
    return next_++;
  }

  const ir::Program& program_;
  ir::Function& function_;
  std::vector<uint32_t> open_;
  uint32_t next_ = 1;
};

}  // namespace

void NumberSafepoints(const ir::Program& program, ir::Function& function) {
  Numbering(program, function).Run();
  // A trampoline of tail calls never leaves itself.
  WB_CHECK(function.bounded == (function.safepoints == 0) || function.synthetic);
}

}  // namespace wb
