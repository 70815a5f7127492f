#include "compiler/passes/build_trampoline.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "compiler/passes/rows/row_emitter.h"

namespace wb {
namespace {

using ir::Var;

// The number of the callee is the first parameter, before the callee's own.
ir::Function HeadOf(const ir::Lookup& lookup, const FunctionType& type, bool tail) {
  ir::Function function;
  function.index = tail ? lookup.tail_trampoline : lookup.trampoline;
  function.synthetic = true;
  function.vars.assign(1 + type.params.size(), ValueType::kI32);
  std::copy(type.params.begin(), type.params.end(), function.vars.begin() + 1);
  function.num_params = function.num_locals = static_cast<uint32_t>(function.vars.size());
  return function;
}

class TrampolineBuilder {
 public:
  TrampolineBuilder(const ir::Program& program, const ir::Lookup& lookup, bool tail)
      : program_(program),
        lookup_(lookup),
        tail_(tail),
        type_(program.module->types[lookup.type]),
        rows_(HeadOf(lookup, type_, tail)) {}

  ir::Function Build();

 private:
  // What is still to be written; the last one first.
  struct Task {
    enum Kind : uint8_t { kCallees, kElse, kEnd };
    Kind kind = kCallees;
    uint32_t construct = 0;     // kElse, kEnd; kCallees: the parent
    size_t begin = 0, end = 0;  // kCallees: of lookup_.callees
  };

  void Split(const Task& task);
  void Call(uint32_t callee);

  const ir::Program& program_;
  const ir::Lookup& lookup_;
  const bool tail_;
  const FunctionType& type_;
  RowEmitter rows_;
  std::vector<Task> tasks_;
};

ir::Function TrampolineBuilder::Build() {
  rows_.function().results = rows_.NewVars(type_.results);
  tasks_.push_back({Task::kCallees, 0, 0, lookup_.callees.size()});
  while (!tasks_.empty()) {
    const Task task = tasks_.back();
    tasks_.pop_back();
    if (task.kind == Task::kElse) {
      rows_.Else(task.construct);
    } else if (task.kind == Task::kEnd) {
      rows_.End(task.construct);
    } else if (task.end - task.begin == 1) {
      Call(lookup_.callees[task.begin]);
    } else {
      Split(task);
    }
  }
  return rows_.Take();
}

// If the number is below the middle's: the first half, else the second.
void TrampolineBuilder::Split(const Task& task) {
  const size_t middle = (task.begin + task.end) / 2;
  const Var bound = rows_.I32(program_.callee_numbers[lookup_.callees[middle]]);
  const Var less = rows_.Binary(Opcode::kI32LtU, 0, bound);
  const uint32_t construct = rows_.Open(ir::ConstructKind::kIf, task.construct, less);
  tasks_.push_back({Task::kEnd, construct});
  tasks_.push_back({Task::kCallees, construct, middle, task.end});
  tasks_.push_back({Task::kElse, construct});
  tasks_.push_back({Task::kCallees, construct, task.begin, middle});
}

void TrampolineBuilder::Call(uint32_t callee) {
  std::vector<Var> args(type_.params.size());
  std::iota(args.begin(), args.end(), 1);
  const std::vector<Var> values = rows_.NewVars(type_.results);
  rows_.Call({.callee = callee, .tail = tail_, .args = std::move(args), .results = values});
  const std::vector<Var>& results = rows_.function().results;
  for (size_t i = 0; i < values.size(); ++i) rows_.Copy(results[i], values[i]);
}

}  // namespace

ir::Function BuildTrampoline(const ir::Program& program, const ir::Lookup& lookup, bool tail) {
  return TrampolineBuilder(program, lookup, tail).Build();
}

}  // namespace wb
