// What is known of addresses before the program runs. A variable has one fact for the whole
// function, that of all its definitions; SplitLocals has taken unrelated values apart. Facts go
// through arguments and results of calls, and through globals: the stack pointer stays a multiple
// of 16 where every row that sets it adds one. Nothing is known of what comes from outside:
// arguments of exported functions and of those whose address is taken, and memory.
//
// Facts begin at "no value" and only lose claims, so the walk ends; it also has a budget.

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "compiler/passes/analysis/callers.h"
#include "compiler/passes/analysis/known_bits.h"
#include "compiler/passes/analysis/value_ranges.h"
#include "compiler/passes/loops/counted_loops.h"
#include "compiler/passes/loops/straight_runs.h"
#include "compiler/passes/passes.h"

namespace wb {
namespace {

using ir::Inst;
using ir::Op;
using ir::Var;

constexpr uint64_t kPageBytes = uint64_t{1} << 16;

class ProgramFacts {
 public:
  explicit ProgramFacts(const ir::Program& program)
      : program_(program), nodes_(program.functions.size()), globals_(program.global_words.size()) {
    for (uint32_t i = 0; i < nodes_.size(); ++i) Begin(i);
    OpenEntries();
    BeginGlobals();
  }

  // False: the budget is spent, and the facts claim too much. COMPILE_TIMEOUT.
  Result<bool> Run(const Stop& stop) {
    steps_ = kLeastSteps;
    for (const Node& node : nodes_) steps_ += kStepsPerRow * node.walk;
    while (!queue_.empty()) {
      WB_TRY(CheckStop(stop));
      const uint32_t at = queue_.front();
      queue_.pop_front();
      nodes_[at].queued = false;
      do {
        if (!Spend(nodes_[at].walk)) return false;
        changed_ = false;
        Walk(at);
      } while (changed_);
      if (!PublishResults(at)) return false;
    }
    return true;
  }

  // By variable.
  const std::vector<KnownBits>& of(uint32_t function) const { return nodes_[function].vars; }

 private:
  struct Node {
    std::vector<KnownBits> vars;
    std::vector<KnownBits> results;  // as the callers have seen them
    std::vector<uint32_t> callers;
    uint64_t walk = 1;  // rows, arguments and results of calls
    bool queued = false;
  };

  static constexpr uint64_t kLeastSteps = uint64_t{1} << 20;
  static constexpr uint64_t kStepsPerRow = 64;

  bool Spend(uint64_t steps) {
    const bool left = steps <= steps_;
    steps_ -= left ? steps : steps_;
    return left;
  }

  void Begin(uint32_t at) {
    const ir::Function& function = program_.functions[at];
    nodes_[at].vars.assign(function.vars.size(), KnownBits::NoValue());
    // Only i32s are followed; of others nothing is known, and so of what is made of them.
    for (Var var = 0; var < function.vars.size(); ++var) {
      if (function.vars[var] != ValueType::kI32) nodes_[at].vars[var] = KnownBits::Nothing();
    }
    nodes_[at].results.assign(function.results.size(), KnownBits::NoValue());
    for (Var local = function.num_params; local < function.num_locals; ++local) {
      if (function.vars[local] == ValueType::kI32) nodes_[at].vars[local] = KnownBits::Of(0);
    }
    nodes_[at].walk += function.insts.size();
    for (const ir::Call& call : function.calls) {
      nodes_[at].walk += call.args.size() + call.results.size();
      std::vector<uint32_t>& callers = nodes_[NodeOf(call.callee)].callers;
      if (callers.empty() || callers.back() != at) callers.push_back(at);
    }
    Enqueue(at);
  }

  // Functions that are called with anything.
  void OpenEntries() {
    const Module& module = *program_.module;
    for (const Export& exported : module.exports) {
      if (exported.kind == ExternKind::kFunction) Open(exported.index);
    }
    for (uint32_t i = 0; i < program_.callee_numbers.size(); ++i) {
      if (program_.callee_numbers[i] != 0) Open(i);
    }
  }
  void Open(uint32_t index) {
    if (index < program_.module->imported_functions) return;
    const uint32_t at = NodeOf(index);
    for (Var param = 0; param < program_.functions[at].num_params; ++param) {
      nodes_[at].vars[param] = KnownBits::Nothing();
    }
  }

  // Those of our own change without rows.
  void BeginGlobals() {
    const Module& module = *program_.module;
    readers_.resize(globals_.size());
    for (uint32_t i = 0; i < module.globals.size(); ++i) {
      globals_[i] = KnownBits::Of(program_.image.globals[program_.global_words[i]]);
    }
    for (uint32_t at = 0; at < nodes_.size(); ++at) {
      for (const Inst& inst : program_.functions[at].insts) {
        if (inst.op != Op::kGlobalGet) continue;
        std::vector<uint32_t>& readers = readers_[inst.imm];
        if (readers.empty() || readers.back() != at) readers.push_back(at);
      }
    }
  }

  uint32_t NodeOf(uint32_t function) const {
    return function - program_.module->imported_functions;
  }
  void Enqueue(uint32_t at) {
    if (nodes_[at].queued) return;
    nodes_[at].queued = true;
    queue_.push_back(at);
  }

  // True: the fact lost a claim.
  static bool Widen(KnownBits& fact, const KnownBits& by) {
    const KnownBits wider = Or(fact, by);
    if (wider == fact) return false;
    fact = wider;
    return true;
  }

  void Walk(uint32_t at) {
    const ir::Function& function = program_.functions[at];
    for (const Inst& inst : function.insts) {
      if (inst.op == Op::kCall) {
        WalkCall(at, function.calls[inst.imm]);
      } else if (inst.op == Op::kGlobalSet) {
        if (!Widen(globals_[inst.imm], nodes_[at].vars[inst.a])) continue;
        for (const uint32_t reader : readers_[inst.imm]) Enqueue(reader);
      } else if (inst.dst != ir::kNoVar && function.vars[inst.dst] == ValueType::kI32) {
        Define(at, inst.dst, FactOf(nodes_[at].vars, inst));
      }
    }
  }

  void Define(uint32_t at, Var var, const KnownBits& fact) {
    if (Widen(nodes_[at].vars[var], fact)) changed_ = true;
  }

  // Callers look again where they have seen more claims. A result may be a parameter's variable,
  // which callers widen.
  bool PublishResults(uint32_t at) {
    bool wider = false;
    Node& node = nodes_[at];
    for (size_t i = 0; i < node.results.size(); ++i) {
      wider = Widen(node.results[i], node.vars[program_.functions[at].results[i]]) || wider;
    }
    if (!wider) return true;
    for (const uint32_t caller : node.callers) Enqueue(caller);
    return Spend(node.callers.size());
  }

  void WalkCall(uint32_t at, const ir::Call& call) {
    const uint32_t to = NodeOf(call.callee);
    const ir::Function& callee = program_.functions[to];
    for (size_t i = 0; i < call.args.size(); ++i) {
      if (callee.vars[i] != ValueType::kI32) continue;
      if (!Widen(nodes_[to].vars[i], nodes_[at].vars[call.args[i]])) continue;
      Enqueue(to);
      changed_ = changed_ || to == at;
    }
    for (size_t i = 0; i < call.results.size(); ++i) {
      if (callee.vars[callee.results[i]] != ValueType::kI32) continue;
      Define(at, call.results[i], nodes_[to].results[i]);
    }
  }

  KnownBits FactOf(const std::vector<KnownBits>& vars, const Inst& inst) const {
    const KnownBits none;
    switch (inst.op) {
      case Op::kConst: return KnownBits::Of(static_cast<uint32_t>(inst.imm));
      case Op::kCopy: return vars[inst.a];
      case Op::kSelect: return Or(vars[inst.a], vars[inst.b]);
      case Op::kGlobalGet:
        return inst.imm < program_.module->globals.size() ? globals_[inst.imm] : none;
      case Op::kMemorySize: return KnownBits::AtMost(1u << 16);
      case Op::kLoad: return ResultBits(inst.opcode, none, none);
      case Op::kNumeric: {
        const KnownBits& a = inst.a == ir::kNoVar ? none : vars[inst.a];
        return ResultBits(inst.opcode, a, inst.b == ir::kNoVar ? none : vars[inst.b]);
      }
      default: return none;
    }
  }

  const ir::Program& program_;
  std::vector<Node> nodes_;
  std::vector<KnownBits> globals_;
  std::vector<std::vector<uint32_t>> readers_;  // of each global
  std::deque<uint32_t> queue_;
  uint64_t steps_ = 0;  // left of the budget
  bool changed_ = false;
};

// The highest address and the bytes behind it lie in the memory as it begins; it never shrinks. A
// lane's part of memory has all such bytes, so that bounds of loops count where they are near one
// another.
bool IsInside(const ir::Program& program, const Inst& inst, const ValueRange& address,
              const KnownBits& bits) {
  const uint64_t bytes = program.memories[inst.memory].min_pages * kPageBytes;
  const bool is_near = address.most - address.least <= ir::Function::kMostRange;
  const uint64_t most = is_near ? address.most : bits.most();
  return most + inst.imm + FactsOf(inst.opcode).bytes <= bytes;
}

void NoteInside(ir::Program& program, ir::Function& function, uint32_t row,
                const ValueRange& address) {
  const Inst& inst = function.insts[row];
  const uint64_t from = address.least + inst.imm;
  const uint64_t end = address.most + inst.imm + FactsOf(inst.opcode).bytes;
  const bool first = program.inside_end == 0;
  program.inside_from = first ? from : std::min(program.inside_from, from);
  program.inside_end = std::max(program.inside_end, end);
  if (end - from <= ir::Function::kMostRange) function.ranges.push_back({row, from, end});
}

// Address and offset are multiples of a word, or of the access where that is less.
bool IsAligned(const Inst& inst, const KnownBits& address) {
  const uint32_t below = std::min<uint32_t>(FactsOf(inst.opcode).bytes, 4) - 1;
  return (address.zeros & below) == below && (inst.imm & below) == 0;
}

ir::Function::Place PlaceOf(const KnownBits& address) {
  const uint32_t bits = std::min(address.known_low_bits(), 2u);
  const uint32_t value = address.ones & ((1u << bits) - 1);
  return {static_cast<uint8_t>(bits), static_cast<uint8_t>(value)};
}

// By function: whether a row calls it, or may through a table.
std::vector<bool> CalledFunctions(const ir::Program& program) {
  const uint32_t imported = program.module->imported_functions;
  std::vector<bool> called(program.functions.size(), false);
  for (const ir::Function& function : program.functions) {
    for (const ir::Call& call : function.calls) called[call.callee - imported] = true;
  }
  for (uint32_t i = imported; i < program.callee_numbers.size(); ++i) {
    if (program.callee_numbers[i] != 0) called[i - imported] = true;
  }
  return called;
}

// Functions with loops that read data, and all that may call them. A caller notes what it has
// written before (LANE_KEPT).
void MarkReadersOfData(ir::Program& program) {
  std::vector<bool> readers(program.functions.size());
  for (size_t i = 0; i < readers.size(); ++i) {
    const std::vector<ir::CountedLoop>& loops = program.functions[i].counted_loops;
    readers[i] = std::any_of(loops.begin(), loops.end(),
                             [](const ir::CountedLoop& loop) { return !loop.data.empty(); });
  }
  readers = WithCallers(program, std::move(readers));
  for (size_t i = 0; i < readers.size(); ++i) program.functions[i].reads_data = readers[i];
}

bool HasAnyNan(const ir::CountedLoop& loop) {
  return std::any_of(loop.slots.begin(), loop.slots.end(),
                     [](const ir::LoopSlot& slot) { return slot.any_nan; });
}

bool HasAnyNan(const ir::Function& function) {
  return std::any_of(function.counted_loops.begin(), function.counted_loops.end(),
                     [](const ir::CountedLoop& loop) { return HasAnyNan(loop); }) ||
         std::any_of(function.straight_runs.begin(), function.straight_runs.end(),
                     [](const ir::StraightRun& run) { return HasAnyNan(run.round); });
}

}  // namespace

Status ProveAccesses(ir::Program& program, const Stop& stop) {
  ProgramFacts facts(program);
  WB_ASSIGN(const bool sound, facts.Run(stop));
  if (!sound) return {};
  LoopBudget loop_budget = BudgetOf(program);
  const std::vector<bool> called = CalledFunctions(program);
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    ir::Function& function = program.functions[i];
    function.aligned.assign(function.insts.size(), false);
    function.inside.assign(function.insts.size(), false);
    function.places.assign(function.insts.size(), {});
    const ValueRanges ranges(function, facts.of(i));
    for (uint32_t row = 0; row < function.insts.size(); ++row) {
      const Inst& inst = function.insts[row];
      if (inst.op != Op::kLoad && inst.op != Op::kStore) continue;
      const KnownBits& address = facts.of(i)[inst.a];
      if (!address.has_value()) continue;  // nothing comes here
      function.aligned[row] = IsAligned(inst, address);
      const ValueRange range = ranges.Of(inst.a, row);
      function.inside[row] = IsInside(program, inst, range, address);
      if (FactsOf(inst.opcode).bytes == 1) function.places[row] = PlaceOf(address);
      if (function.inside[row] && inst.memory == 0) NoteInside(program, function, row, range);
    }
    function.counted_loops = FindCountedLoops(function, program.image, facts.of(i), &loop_budget);
    function.straight_runs = FindStraightRuns(function, called[i], facts.of(i), &loop_budget);
    if (HasAnyNan(function)) function.arithmetic = function.unseen;
  }
  MarkReadersOfData(program);
  return {};
}

}  // namespace wb
