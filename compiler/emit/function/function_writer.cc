#include "compiler/emit/function/function_writer.h"

#include <string>

#include "compiler/emit/plan/windows.h"

namespace wb {

using ir::Inst;
using ir::Op;

FunctionWriter::FunctionWriter(const ir::Program& program, const LaneLayout& layout,
                               const NativeCalls& native, const FunctionCopy& form,
                               const CompileOptions& options, const HotBytes& hot, Text& text)
    : program_(program),
      form_(form),
      function_(form.function),
      text_(text),
      expressions_(function_, text),
      targets_(function_.constructs.size(), text),
      guards_(form.resumable(), text),
      rows_({program, layout, function_, WindowFormOf(program, options), hot, expressions_,
             targets_, text, copies_}),
      calls_(program, layout, native, form_, expressions_, targets_, text),
      frame_(form_, rows_.memory(), expressions_, text),
      safepoints_(Control()),
      structured_(Control(), safepoints_),
      flat_(Control(), safepoints_, options.flattening, layout.stage_at),
      branches_(Control(), flat_, structured_),
      counted_({program, layout, function_, WindowFormOf(program, options), hot, expressions_,
                targets_, text, copies_},
               rows_.memory()) {}

void FunctionWriter::Write() {
  frame_.Open(flat_.levels());
  if (flat_.loop() != nullptr) flat_.loop()->Declare();
  text_.Open("do");
  targets_.Open(0, false);
  guards_.EnterUnguarded(function_.safepoints);
  flat_.OpenFunction();
  for (row_ = 0; row_ < function_.insts.size(); ++row_) {
    Visit(function_.insts[row_]);
    if (text_.max_depth() > kMaxBraceDepth || text_.size() > kMaxTextBytes) return;
  }
  flat_.CloseFunction();
  guards_.CloseGuard();
  text_.Close(" while (false);");
  frame_.Close(targets_.exits(), flat_.loop());
}

void FunctionWriter::Visit(const Inst& inst) {
  const ir::StraightRun* run = StraightRunHere();
  run != nullptr ? Twice(*run) : Row(inst);
}

void FunctionWriter::Row(const Inst& inst) {
  expressions_.BeginRow();
  switch (inst.op) {
    case Op::kBlock:
    case Op::kLoop:
    case Op::kIf:
    case Op::kElse:
    case Op::kEnd: Construct(inst); break;
    case Op::kBr: branches_.Branch(static_cast<uint32_t>(inst.imm)); break;
    case Op::kBrIf: BranchIf(inst); break;
    case Op::kBrTable: branches_.BranchTable(inst); break;
    case Op::kSafepoint:
    case Op::kAsk: Safepoint(inst); break;
    case Op::kCall: Call(inst); break;
    case Op::kMemoryGrow: Grow(inst); break;
    default: Straight(inst); break;
  }
}

// Where all around it and in it is printed as braces, and not too deep for one more.
const ir::StraightRun* FunctionWriter::StraightRunHere() const {
  const ir::StraightRun* run = function_.StraightRunAt(row_);
  if (run == nullptr || frame_.in_memory() || rounds_of_ != nullptr) return nullptr;
  if (text_.depth() + CountedWriter::kMostDepthOfRun > kMaxBraceDepth) return nullptr;
  const std::vector<ir::Construct>& constructs = function_.constructs;
  for (uint32_t around = run->inside;; around = constructs[around].parent) {
    if (flat_.IsFlat(around)) return nullptr;
    if (around == 0) break;
  }
  for (size_t i = run->inside + 1; i < constructs.size() && constructs[i].begin < run->end; ++i) {
    if (constructs[i].begin >= run->begin && flat_.IsFlat(i)) return nullptr;
  }
  return run;
}

void FunctionWriter::Twice(const ir::StraightRun& run) {
  guards_.EnsureGuard();
  rows_.Join();
  counted_.Open(run.round, false);
  const JumpTarget closed = FirstForm(run);
  counted_.Close();
  RowsOf(run);
  text_.Close();
  targets_.GoOn(closed);
}

// Words that stay in variables go back on every way out.
JumpTarget FunctionWriter::FirstForm(const ir::StraightRun& run) {
  const bool keeps_words = !run.round.slots.empty();
  rounds_of_ = &run.round;
  if (keeps_words) {
    targets_.Open(JumpTarget::kNoConstruct, false);
    text_.Open("do");
  }
  RowsOf(run);
  rounds_of_ = nullptr;
  if (!keeps_words) return {};
  text_.Close(" while (false);");
  return targets_.Close();
}

void FunctionWriter::RowsOf(const ir::StraightRun& run) {
  for (row_ = run.begin; row_ < run.end; ++row_) Row(function_.insts[row_]);
  --row_;  // the caller goes on behind it
  rows_.Join();
  targets_.SetReachable(true);
}

void FunctionWriter::Construct(const Inst& inst) {
  rows_.Join();
  const ir::CountedLoop* counted = inst.op == Op::kLoop ? CountedLoopAt(inst.imm) : nullptr;
  if (counted != nullptr) {
    Counted(*counted);
    return;
  }
  flat_.IsFlat(inst.imm) ? flat_.Write(inst) : structured_.Write(inst);
  if (inst.op == Op::kLoop) row_ += SafepointWriter::HeaderRows(function_.constructs[inst.imm]);
}

// Where the loop and all of its constructs are printed as braces, and not too deep for one more.
const ir::CountedLoop* FunctionWriter::CountedLoopAt(uint64_t construct) const {
  const ir::CountedLoop* loop = function_.CountedLoopOf(construct);
  if (loop == nullptr || frame_.in_memory()) return nullptr;
  if (text_.depth() + CountedWriter::kMostDepth > kMaxBraceDepth) return nullptr;
  const uint32_t end = function_.constructs[construct].end;
  for (uint64_t i = construct; i < function_.constructs.size(); ++i) {
    if (function_.constructs[i].begin > end) break;
    if (flat_.IsFlat(i)) return nullptr;
  }
  return loop;
}

void FunctionWriter::Counted(const ir::CountedLoop& loop) {
  const ir::Construct& construct = function_.constructs[loop.construct];
  structured_.EnterLoop(loop.construct);
  const bool resumes = form_.resumable() && construct.header_safepoint != construct.last_safepoint;
  counted_.Open(loop, resumes);
  JumpTarget counted = CountedRounds(loop);
  if (counted_.OpenWithoutData()) counted.Merge(CountedRounds(loop));
  counted_.Close();
  JumpTarget closed = PlainRounds(loop);
  closed.Merge(counted);
  text_.Close();
  structured_.LeaveLoop(closed);
}

JumpTarget FunctionWriter::CountedRounds(const ir::CountedLoop& loop) {
  rounds_of_ = &loop;
  guards_.BeginRounds();
  structured_.OpenRounds(loop.construct, counted_.Rounds(), false);
  loop.steps.empty() ? Rows(function_.constructs[loop.construct]) : Steps(loop);
  const JumpTarget closed = structured_.CloseRounds();
  guards_.EndRounds();
  rounds_of_ = nullptr;
  return closed;
}

JumpTarget FunctionWriter::PlainRounds(const ir::CountedLoop& loop) {
  structured_.OpenRounds(loop.construct, "while (true)", true);
  Rows(function_.constructs[loop.construct]);
  return structured_.CloseRounds();
}

void FunctionWriter::Rows(const ir::Construct& construct) {
  rows_.Join();
  row_ = construct.begin + 1 + SafepointWriter::HeaderRows(construct);
  for (; row_ < construct.end; ++row_) Visit(function_.insts[row_]);
  rows_.Join();
}

// A round of an inner loop has braces of its own: names that it declares come again in the next.
void FunctionWriter::Steps(const ir::CountedLoop& loop) {
  rows_.Join();
  const ir::Construct& construct = function_.constructs[loop.construct];
  const uint32_t body = construct.begin + 1 + SafepointWriter::HeaderRows(construct);
  for (step_ = 0; step_ < loop.steps.size(); ++step_) {
    const ir::RoundStep& step = loop.steps[step_];
    row_ = step.row;
    switch (step.kind) {
      case ir::RoundStep::Kind::kOpen:
        rows_.Join();
        text_.Open();
        break;
      case ir::RoundStep::Kind::kClose:
        rows_.Join();
        text_.Close();
        break;
      case ir::RoundStep::Kind::kDecided: expressions_.UseCondition(function_.insts[row_].a); break;
      case ir::RoundStep::Kind::kRow:
        if (row_ > construct.begin && row_ < body) break;  // the header, which is printed
        Visit(function_.insts[row_]);
        break;
    }
  }
  row_ = construct.end;
  rows_.Join();
}

void FunctionWriter::Safepoint(const Inst& inst) {
  rows_.Join();
  const std::string leaves = inst.op == Op::kSafepoint
                                 ? "wb_spent(fuel)"
                                 : "wb_asks(L, " + std::to_string(function_.request) + "u)";
  const uint32_t safepoint = static_cast<uint32_t>(inst.imm);
  const uint32_t state = flat_.StateBehind(safepoint);
  safepoints_.Write(safepoint, leaves, state != 0 || flat_.IsEntry(safepoint));
  if (state != 0) flat_.loop()->BeginState(state);
}

void FunctionWriter::Straight(const Inst& inst) {
  if (inst.op == Op::kPay && inst.imm == 0) return;
  guards_.EnsureGuard();
  if (rounds_of_ == nullptr || !counted_.Write(Place())) {
    rows_.Write(row_);
  } else if (inst.dst != ir::kNoVar) {
    rows_.Forget(inst.dst);
  }
}

// The rounds of a counted loop end by their number.
void FunctionWriter::BranchIf(const Inst& inst) {
  const bool counts = rounds_of_ != nullptr && rounds_of_->counter.test_ends_round &&
                      rounds_of_->counter.test_at == Place();
  if (!counts) {
    branches_.BranchIf(inst);
    return;
  }
  expressions_.UseCondition(inst.a);
  targets_.SetReachable(false);
}

void FunctionWriter::Grow(const Inst& inst) {
  const bool braced = guards_.OpenAgain(static_cast<uint32_t>(inst.imm));
  if (form_.resumable()) text_.Line("r = 0u;");
  rows_.Write(row_);
  rows_.Join();
  if (braced) text_.Close();
}

void FunctionWriter::Call(const Inst& inst) {
  const ir::Call& call = function_.calls[inst.imm];
  if (flat_.loop() != nullptr && function_.CallsItself(call)) {
    CallItself(inst, call);
    return;
  }
  bool braced = false;
  if (call.safepoint == 0) {
    guards_.EnsureGuard();
  } else {
    braced = guards_.OpenAgain(call.safepoint);
  }
  const ir::Function& callee = program_.function(call.callee);
  NoteFor(callee);
  calls_.Write(inst);
  rows_.Join();
  rows_.memory().notes().ReadOfData();
  if (callee.grows_memory && rows_.memory().uses_first()) rows_.memory().ReadSize();
  if (braced) text_.Close();
}

// The callee asks what was written before it.
void FunctionWriter::NoteFor(const ir::Function& callee) {
  if (callee.reads_data) {
    rows_.memory().notes().Put();
  } else if (callee.reads_copies) {
    rows_.memory().notes().PutOfData();
  }
}

// The next round of the loop over the activations.
void FunctionWriter::CallItself(const Inst& inst, const ir::Call& call) {
  guards_.EnsureGuard();
  NoteFor(function_);
  calls_.CheckRoom(inst, function_);
  flat_.loop()->Call(call);
  rows_.Join();
  if (function_.grows_memory && rows_.memory().uses_first()) rows_.memory().ReadSize();
}

}  // namespace wb
