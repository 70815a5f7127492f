#include "compiler/passes/start/find_start.h"

#include <algorithm>
#include <utility>

namespace wb {
namespace {

using ir::Op;

constexpr size_t kMostLevels = 8;
constexpr uint32_t kEntryRows = 2;  // what is paid, and the safepoint

// Bodies of the module as they stand there.
bool HasOwnBody(const ir::Program& program, uint32_t index) {
  const Module& module = *program.module;
  if (index < module.imported_functions) return false;
  const ir::Function& function = program.function(index);
  return !function.synthetic && function.request == 0 && function.insts.size() > kEntryRows &&
         function.insts[0].op == Op::kPay && function.insts[1].op == Op::kSafepoint;
}

bool Goes(const std::vector<StartLevel>& levels, uint32_t function) {
  return std::any_of(levels.begin(), levels.end(),
                     [&](const StartLevel& level) { return level.function == function; });
}

}  // namespace

std::vector<StartLevel> FindStart(const ir::Program& program, const std::vector<bool>& may_differ,
                                  uint32_t function, uint64_t* budget) {
  std::vector<StartLevel> levels;
  uint32_t stack = 0;  // what is left may be bounded, and costs nothing then
  std::vector<bool> differs(program.module->type_of(function).params.size(), true);
  while (levels.size() < kMostLevels && HasOwnBody(program, function) && !Goes(levels, function)) {
    const uint64_t rows = program.function(function).insts.size();
    if (rows > *budget) return {};
    *budget -= rows;
    StartPoint point = FindStartPoint(program, program.function(function), may_differ, differs);
    stack += program.function(function).stack_slots;
    if (point.row < kEntryRows || !point.is_narrow || stack > CommonStart::kMostStack) break;
    const ir::Call* call = point.call;
    differs.clear();
    if (call != nullptr) {
      for (const ir::Var arg : call->args) differs.push_back(point.differs[arg]);
    }
    levels.push_back({function, std::move(point)});
    if (call == nullptr) break;
    function = call->callee;
  }
  while (!levels.empty() && !levels.back().point.has_work) levels.pop_back();
  return levels;
}

uint64_t StartBudget(const ir::Program& program) {
  constexpr uint64_t kTimes = 8;
  uint64_t rows = 0;
  for (const ir::Function& function : program.functions) rows += function.insts.size();
  return kTimes * rows;
}

}  // namespace wb
