#include "compiler/passes/build_trampoline.h"

#include <vector>

namespace wb {
namespace {

using ir::Op;
using ir::Var;

class TrampolineBuilder {
 public:
  TrampolineBuilder(const ir::Program& program, const ir::Lookup& lookup, bool tail)
      : program_(program),
        lookup_(lookup),
        tail_(tail),
        type_(program.module->types[lookup.type]) {}

  ir::Function Build();

 private:
  // What is still to be written; the last one first.
  struct Task {
    enum Kind : uint8_t { kCallees, kElse, kEnd };
    Kind kind = kCallees;
    uint32_t construct = 0;     // kElse, kEnd; kCallees: the parent
    size_t begin = 0, end = 0;  // kCallees: of lookup_.callees
  };

  Var NewVar(ValueType type) {
    function_.vars.push_back(type);
    return static_cast<Var>(function_.vars.size() - 1);
  }
  ir::Inst& Emit(Op op) {
    ir::Inst& inst = function_.insts.emplace_back();
    inst.op = op;
    return inst;
  }
  void Split(const Task& task);
  void Call(uint32_t callee);

  const ir::Program& program_;
  const ir::Lookup& lookup_;
  const bool tail_;
  const FunctionType& type_;
  ir::Function function_;
  std::vector<Task> tasks_;
};

ir::Function TrampolineBuilder::Build() {
  function_.index = tail_ ? lookup_.tail_trampoline : lookup_.trampoline;
  function_.synthetic = true;
  NewVar(ValueType::kI32);
  for (ValueType param : type_.params) NewVar(param);
  function_.num_params = function_.num_locals = static_cast<uint32_t>(function_.vars.size());
  for (ValueType result : type_.results) function_.results.push_back(NewVar(result));
  function_.constructs.push_back({.kind = ir::ConstructKind::kFunction});
  tasks_.push_back({Task::kCallees, 0, 0, lookup_.callees.size()});
  while (!tasks_.empty()) {
    const Task task = tasks_.back();
    tasks_.pop_back();
    if (task.kind != Task::kCallees) {
      Emit(task.kind == Task::kElse ? Op::kElse : Op::kEnd).imm = task.construct;
    } else if (task.end - task.begin == 1) {
      Call(lookup_.callees[task.begin]);
    } else {
      Split(task);
    }
  }
  return std::move(function_);
}

// If the number is below the middle's: the first half, else the second.
void TrampolineBuilder::Split(const Task& task) {
  const size_t middle = (task.begin + task.end) / 2;
  ir::Inst& bound = Emit(Op::kConst);
  bound.imm = program_.callee_numbers[lookup_.callees[middle]];
  const Var bound_var = bound.dst = NewVar(ValueType::kI32);
  ir::Inst& less = Emit(Op::kNumeric);
  less.opcode = Opcode::kI32LtU;
  less.a = 0;
  less.b = bound_var;
  const Var less_var = less.dst = NewVar(ValueType::kI32);
  const uint32_t construct = static_cast<uint32_t>(function_.constructs.size());
  function_.constructs.push_back({.kind = ir::ConstructKind::kIf, .parent = task.construct});
  ir::Inst& test = Emit(Op::kIf);
  test.a = less_var;
  test.imm = construct;
  tasks_.push_back({Task::kEnd, construct});
  tasks_.push_back({Task::kCallees, construct, middle, task.end});
  tasks_.push_back({Task::kElse, construct});
  tasks_.push_back({Task::kCallees, construct, task.begin, middle});
}

void TrampolineBuilder::Call(uint32_t callee) {
  ir::Call call;
  call.callee = callee;
  call.tail = tail_;
  for (Var param = 1; param < function_.num_params; ++param) call.args.push_back(param);
  for (ValueType result : type_.results) call.results.push_back(NewVar(result));
  Emit(Op::kCall).imm = function_.calls.size();
  for (size_t i = 0; i < call.results.size(); ++i) {
    ir::Inst& copy = Emit(Op::kCopy);
    copy.dst = function_.results[i];
    copy.a = call.results[i];
  }
  function_.calls.push_back(std::move(call));
}

}  // namespace

ir::Function BuildTrampoline(const ir::Program& program, const ir::Lookup& lookup, bool tail) {
  return TrampolineBuilder(program, lookup, tail).Build();
}

}  // namespace wb
