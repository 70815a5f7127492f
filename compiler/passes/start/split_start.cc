#include "compiler/passes/start/split_start.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "compiler/base/check.h"
#include "compiler/passes/cut/part_rows.h"
#include "compiler/passes/start/find_start.h"

namespace wb {
namespace {

using ir::Inst;
using ir::Op;
using ir::Var;

// One of the functions on the way, cut at the point. It owns a copy, whose variables grow.
class LevelRows {
 public:
  LevelRows(const ir::Function& function, const StartPoint& point)
      : whole_(function), point_(point) {}

  // `next`: the beginning of the next level's function; null: this is the last one.
  ir::Function Beginning(const ir::Function* next) {
    ir::Call call;
    if (next != nullptr) call = CallOf(*next);
    if (next == nullptr) call.results.push_back(NewVar(ValueType::kI32));
    // No locals: those become several variables.
    std::vector<Var> results;
    for (const Var var : point_.results) results.push_back(NewVar(whole_.vars[var]));
    whole_.results = results;
    whole_.results.insert(whole_.results.end(), call.results.begin(), call.results.end());
    PartRows rows(whole_);
    TakeEntry(rows, whole_.insts[0].imm);
    for (const Var var : whole_.results) PutConst(rows, var, 0);
    for (const Var var : point_.results) {
      if (var >= whole_.num_locals) PutConst(rows, var, 0);
    }
    TakeBefore(rows);
    for (size_t i = 0; i < results.size(); ++i) PutCopy(rows, results[i], point_.results[i]);
    if (next == nullptr) {
      PutConst(rows, call.results.front(), 1);
    } else {
      CallNext(rows, std::move(call));
    }
    return rows.Finish();
  }

  ir::Function Rest(uint64_t fuel, std::span<const uint64_t> values) {
    std::vector<Var> constants;
    for (const Var var : point_.results) constants.push_back(NewVar(whole_.vars[var]));
    PartRows rows(whole_);
    TakeEntry(rows, fuel);
    for (size_t i = 0; i < constants.size(); ++i) {
      PutConst(rows, constants[i], values[i]);
      PutCopy(rows, point_.results[i], constants[i]);
    }
    for (const uint32_t row : point_.deferred) rows.Take(whole_.insts[row], 0);
    std::vector<uint32_t> open = {0};
    for (const uint32_t row : point_.open) TakeNested(rows, whole_.insts[row], open);
    for (uint32_t row = point_.row; row < whole_.insts.size(); ++row) {
      TakeNested(rows, whole_.insts[row], open);
    }
    return rows.Finish();
  }

 private:
  Var NewVar(ValueType type) {
    whole_.vars.push_back(type);
    return static_cast<Var>(whole_.vars.size() - 1);
  }
  static void PutConst(PartRows& rows, Var dst, uint64_t bits) {
    rows.Take({.op = Op::kConst, .dst = dst, .imm = bits}, 0);
  }
  static void PutCopy(PartRows& rows, Var dst, Var from) {
    rows.Take({.op = Op::kCopy, .dst = dst, .a = from}, 0);
  }
  void TakeEntry(PartRows& rows, uint64_t fuel) const {
    Inst pay = whole_.insts[0];
    pay.imm = fuel;
    rows.Take(pay, 0);
    rows.Take(whole_.insts[1], 0);
  }

  // A row in the innermost of the open constructs, and what it opens or ends.
  static void TakeNested(PartRows& rows, const Inst& inst, std::vector<uint32_t>& open) {
    if (inst.op == Op::kEnd) open.pop_back();
    rows.Take(inst, open.back());
    if (inst.op == Op::kBlock || inst.op == Op::kLoop || inst.op == Op::kIf) {
      open.push_back(static_cast<uint32_t>(inst.imm));
    }
  }

  // Blocks that are open at the point are left out, so that branches to their ends go to the
  // function's.
  void TakeBefore(PartRows& rows) const {
    std::vector<uint32_t> open = {0};
    auto block = point_.open.begin();
    auto deferred = point_.deferred.begin();
    for (uint32_t row = 2; row < point_.row; ++row) {
      if (block != point_.open.end() && *block == row) {
        ++block;
      } else if (deferred != point_.deferred.end() && *deferred == row) {
        ++deferred;
      } else {
        TakeNested(rows, whole_.insts[row], open);
      }
    }
  }

  ir::Call CallOf(const ir::Function& next) {
    ir::Call call = *point_.call;
    call.callee = next.index;
    call.results.clear();
    for (const Var result : next.results) call.results.push_back(NewVar(next.vars[result]));
    for (Var& arg : call.args) {
      if (!point_.differs[arg]) continue;
      arg = NewVar(whole_.vars[arg]);
      zeros_.push_back(arg);
    }
    return call;
  }
  // What may differ the next one does not read.
  void CallNext(PartRows& rows, ir::Call call) {
    for (const Var zero : zeros_) PutZero(rows, zero);
    Inst inst;
    inst.op = Op::kCall;
    inst.offset = whole_.insts[point_.row].offset;
    inst.imm = whole_.calls.size();
    whole_.calls.push_back(std::move(call));
    rows.Take(inst, 0);
  }
  void PutZero(PartRows& rows, Var var) {
    if (whole_.vars[var] != ValueType::kV128) return PutConst(rows, var, 0);
    whole_.vectors.push_back({});
    PutConst(rows, var, whole_.vectors.size() - 1);
  }

  ir::Function whole_;
  const StartPoint& point_;
  std::vector<Var> zeros_;  // arguments of the next one
};

ir::Function& FunctionOf(ir::Program& program, uint32_t index) {
  return program.functions[index - program.module->imported_functions];
}

bool Fits(const std::vector<StartLevel>& levels, const CommonStart& start) {
  if (levels.size() != start.links.size() + 1) return false;
  for (size_t i = 1; i < levels.size(); ++i) {
    if (levels[i].function != start.first_copy + i - 1) return false;
  }
  if (start.part == CommonStart::Part::kBeginning) return true;
  size_t values = 0;
  for (const StartLevel& level : levels) values += level.point.results.size();
  return values == start.values.size() && start.fuel <= uint32_t{1} << 30;
}

// From the innermost out, since a level calls the next one and returns what that does.
void EndAtPoint(const std::vector<StartLevel>& levels, ir::Program& program) {
  const ir::Function* next = nullptr;
  for (size_t i = levels.size(); i-- > 0;) {
    ir::Function& function = FunctionOf(program, levels[i].function);
    function = LevelRows(function, levels[i].point).Beginning(next);
    next = &function;
  }
  WB_CHECK(next != nullptr);
  uint32_t words = 0;
  for (const Var result : next->results) words += TypeWords(next->vars[result]);
  program.stage_words = std::max(program.stage_words, words);
}

void BeginAtPoint(const std::vector<StartLevel>& levels, const CommonStart& start,
                  ir::Program& program) {
  std::span<const uint64_t> values = start.values;
  uint64_t fuel = start.fuel;
  for (const StartLevel& level : levels) {
    ir::Function& function = FunctionOf(program, level.function);
    const size_t count = level.point.results.size();
    function = LevelRows(function, level.point).Rest(fuel, values.first(count));
    values = values.subspan(count);
    fuel = 0;
  }
}

std::vector<bool> Reachable(const ir::Program& program) {
  const Module& module = *program.module;
  std::vector<bool> reachable(program.functions.size());
  std::vector<uint32_t> queue;
  const auto reach = [&](uint32_t index) {
    const uint32_t at = index - module.imported_functions;
    if (!reachable[at]) queue.push_back(at);
    reachable[at] = true;
  };
  for (const Export& exported : module.exports) {
    if (exported.kind == ExternKind::kFunction) reach(exported.index);
  }
  if (module.start) reach(*module.start);
  while (!queue.empty()) {
    const uint32_t at = queue.back();
    queue.pop_back();
    for (const ir::Call& call : program.functions[at].calls) reach(call.callee);
  }
  return reachable;
}

// So that nothing is thought of what they would do.
void DropUnreachable(ir::Program& program) {
  const std::vector<bool> reachable = Reachable(program);
  for (size_t i = 0; i < reachable.size(); ++i) {
    ir::Function& function = program.functions[i];
    if (reachable[i] || function.request != 0) continue;
    std::vector<Inst> rows;
    if (!function.synthetic) rows.assign(function.insts.begin(), function.insts.begin() + 2);
    Inst& trap = rows.emplace_back();
    trap.op = Op::kTrap;
    trap.imm = static_cast<uint64_t>(Trap::kUnreachable);
    function.insts = std::move(rows);
    function.constructs.resize(1);
    function.calls.clear();
    function.br_tables.clear();
    function.table_lookups.clear();
    function.table_copies.clear();
    function.table_inits.clear();
    function.room_checks.clear();
  }
}

// A call of the body alone comes to it, and the first step of a lane program.
bool IsEnteredByStepsAlone(const ir::Program& program, const std::vector<bool>& is_called,
                           uint32_t index) {
  const Module& module = *program.module;
  const bool has_address =
      index < program.callee_numbers.size() && program.callee_numbers[index] != 0;
  return index >= module.imported_functions && module.start != index && !has_address &&
         !is_called[index - module.imported_functions];
}

// By function of the program.
std::vector<bool> AreCalled(const ir::Program& program) {
  std::vector<bool> called(program.functions.size());
  for (const ir::Function& function : program.functions) {
    for (const ir::Call& call : function.calls) {
      called[call.callee - program.module->imported_functions] = true;
    }
  }
  return called;
}

ir::Program::Start StartOf(const ir::Program& program, const std::vector<StartLevel>& levels) {
  ir::Program::Start start;
  start.function = levels.front().function;
  for (size_t i = 0; i < levels.size(); ++i) {
    const StartPoint& point = levels[i].point;
    const ir::Function& function = program.function(levels[i].function);
    for (const Var result : point.results) start.results.push_back(function.vars[result]);
    if (i + 1 == levels.size()) break;
    start.links.push_back({point.call->callee, function.insts[point.row].offset});
  }
  return start;
}

}  // namespace

void FindCommonStarts(ir::Program& program) {
  const Module& module = *program.module;
  if (module.common_start || program.meets || program.image.trap != Trap::kNone) return;
  const std::vector<bool> may_differ = MayDiffer(program);
  const bool starts_alike = !module.start || !may_differ[*module.start - module.imported_functions];
  if (!starts_alike) return;
  const std::vector<bool> is_called = AreCalled(program);
  std::set<uint32_t> exported;  // a function may have several names
  for (const Export& its : module.exports) {
    if (its.kind == ExternKind::kFunction) exported.insert(its.index);
  }
  uint64_t budget = StartBudget(program);
  for (const uint32_t function : exported) {
    if (!IsEnteredByStepsAlone(program, is_called, function)) continue;
    const std::vector<StartLevel> levels = FindStart(program, may_differ, function, &budget);
    if (!levels.empty()) program.starts.push_back(StartOf(program, levels));
  }
}

Status SplitCommonStart(ir::Program& program) {
  const CommonStart& start = *program.module->common_start;
  for (size_t i = 0; i < start.links.size(); ++i) {
    FunctionOf(program, start.first_copy + static_cast<uint32_t>(i)).copy_of =
        start.links[i].callee;
  }
  uint64_t budget = ~uint64_t{0};
  const std::vector<StartLevel> levels =
      FindStart(program, MayDiffer(program), start.function, &budget);
  if (!Fits(levels, start)) {
    return Status(Reason::kWasmMalformed,
                  "The module's common start is not one of the function that it names.");
  }
  if (start.part == CommonStart::Part::kBeginning) {
    EndAtPoint(levels, program);
  } else {
    BeginAtPoint(levels, start, program);
  }
  DropUnreachable(program);
  return {};
}

}  // namespace wb
