// Compilers give one wasm local to several source variables that do not live at the same time.
// Split again, each has its own sources of NaNs, and its own place in the frame or none. A web is a
// set of definitions that reach a common use. Webs join where control flow joins, but only for
// locals that are live there.

#include <numeric>
#include <vector>

#include "compiler/base/check.h"
#include "compiler/passes/analysis/liveness.h"
#include "compiler/passes/passes.h"

namespace wb {
namespace {

using ir::ConstructKind;
using ir::Inst;
using ir::Op;
using ir::Var;

constexpr uint64_t kMaxCells = uint64_t{1} << 24;  // constructs times locals
constexpr uint32_t kNoWeb = 0xffffffffu;

class LocalSplitter {
 public:
  explicit LocalSplitter(ir::Function& function)
      : function_(function), liveness_(function, Locals(function)) {}

  void Run() {
    if (!liveness_.Run()) return;
    for (Var local = 0; local < function_.num_locals; ++local) current_.push_back(NewWeb(local));
    open_.push_back({0, {}, {}});
    for (Inst& inst : function_.insts) Visit(inst);
    AssignVariables();
    for (Inst& inst : function_.insts) Rename(inst);
  }

 private:
  struct Open {
    uint32_t construct = 0;
    std::vector<uint32_t> label;   // webs that arrive at the label, per local
    std::vector<uint32_t> before;  // kIf: webs at the condition, until the else arm
  };

  static std::vector<Var> Locals(const ir::Function& function) {
    std::vector<Var> locals(function.num_locals);
    std::iota(locals.begin(), locals.end(), 0);
    return locals;
  }

  uint32_t NewWeb(Var local) {
    parent_.push_back(static_cast<uint32_t>(parent_.size()));
    local_of_.push_back(local);
    return parent_.back();
  }
  uint32_t Find(uint32_t web) {
    while (parent_[web] != web) web = parent_[web] = parent_[parent_[web]];
    return web;
  }
  // The lowest number wins, so that a web with the initial value keeps the local's own variable.
  void Unite(uint32_t a, uint32_t b) {
    a = Find(a);
    b = Find(b);
    parent_[a < b ? b : a] = a < b ? a : b;
  }

  void Arrive(Open& open, const std::vector<uint32_t>& webs) {
    if (open.label.empty()) open.label.assign(function_.num_locals, kNoWeb);
    const BitSet& live = liveness_.at_label(open.construct);
    for (Var local = 0; local < function_.num_locals; ++local) {
      if (!live.Get(local)) continue;
      if (open.label[local] == kNoWeb) {
        open.label[local] = webs[local];
      } else {
        Unite(open.label[local], webs[local]);
      }
    }
  }
  // Constructs are numbered as they open, so the open ones are sorted.
  Open& OpenOf(uint64_t construct) {
    size_t low = 0, high = open_.size();
    while (high - low > 1) {
      size_t middle = (low + high) / 2;
      (open_[middle].construct <= construct ? low : high) = middle;
    }
    WB_CHECK(open_[low].construct == construct);
    return open_[low];
  }
  void Leave(uint64_t target) {
    if (target != 0) Arrive(OpenOf(target), current_);
  }

  void Visit(Inst& inst) {
    switch (inst.op) {
      case Op::kBlock:
      case Op::kLoop:
      case Op::kIf: Enter(inst); return;
      case Op::kElse:
        if (reachable_) Arrive(open_.back(), current_);
        current_ = std::move(open_.back().before);
        open_.back().before.clear();
        reachable_ = true;
        return;
      case Op::kEnd: Close(); return;
      default: break;
    }
    ReadWebs(inst);
    if (inst.op == Op::kBr || inst.op == Op::kBrIf) Leave(inst.imm);
    if (inst.op == Op::kBrTable) {
      for (uint32_t target : function_.br_tables[inst.imm]) Leave(target);
    }
    if (inst.op == Op::kBr || inst.op == Op::kBrTable || inst.op == Op::kTrap) reachable_ = false;
    if (inst.dst < function_.num_locals) {
      current_[inst.dst] = NewWeb(inst.dst);
      inst.dst = kWebBase + current_[inst.dst];
    }
  }

  void Enter(Inst& inst) {
    ReadWebs(inst);
    Open& open = open_.emplace_back();
    open.construct = static_cast<uint32_t>(inst.imm);
    if (inst.op == Op::kIf) open.before = current_;
    if (inst.op == Op::kLoop) Arrive(open, current_);
  }

  void Close() {
    Open open = std::move(open_.back());
    open_.pop_back();
    if (function_.constructs[open.construct].kind == ConstructKind::kLoop) return;
    if (reachable_) Arrive(open, current_);
    if (!open.before.empty()) Arrive(open, open.before);  // an if without else
    reachable_ = reachable_ || !open.label.empty();
    for (Var local = 0; local < open.label.size(); ++local) {
      if (open.label[local] != kNoWeb) current_[local] = open.label[local];
    }
  }

  // Rows name webs until all are known.
  void ReadWebs(Inst& inst) {
    for (Var* var : {&inst.a, &inst.b, &inst.c}) {
      if (*var < function_.num_locals) *var = kWebBase + current_[*var];
    }
    if (inst.op != Op::kCall) return;
    for (Var& arg : function_.calls[inst.imm].args) {
      if (arg < function_.num_locals) arg = kWebBase + current_[arg];
    }
  }

  void AssignVariables() {
    variable_of_.assign(parent_.size(), ir::kNoVar);
    for (uint32_t web = 0; web < parent_.size(); ++web) {
      const uint32_t root = Find(web);
      if (variable_of_[root] == ir::kNoVar) {
        variable_of_[root] = root < function_.num_locals ? root : NewVariable(local_of_[root]);
      }
      variable_of_[web] = variable_of_[root];
    }
  }
  Var NewVariable(Var local) {
    function_.vars.push_back(function_.vars[local]);
    return static_cast<Var>(function_.vars.size() - 1);
  }

  void Rename(Inst& inst) {
    auto rename = [&](Var& var) {
      if (var != ir::kNoVar && var >= kWebBase) var = variable_of_[var - kWebBase];
    };
    rename(inst.dst);
    rename(inst.a);
    rename(inst.b);
    rename(inst.c);
    if (inst.op != Op::kCall) return;
    for (Var& arg : function_.calls[inst.imm].args) rename(arg);
  }

  static constexpr Var kWebBase = 0x80000000u;

  ir::Function& function_;
  Liveness liveness_;
  std::vector<uint32_t> parent_;   // union-find over webs
  std::vector<Var> local_of_;      // per web
  std::vector<uint32_t> current_;  // web of each local here
  std::vector<Open> open_;
  std::vector<Var> variable_of_;  // per web
  bool reachable_ = true;
};

}  // namespace

void SplitLocals(ir::Function& function) {
  if (function.num_locals == 0) return;
  if (uint64_t{function.constructs.size()} * function.num_locals > kMaxCells) return;
  // Every branch looks at every local.
  if (Joins(function) * function.num_locals > AnalysisBudget(function)) return;
  LocalSplitter(function).Run();
}

}  // namespace wb
