#include "compiler/emit/function/callers_frames.h"

#include <algorithm>

#include "compiler/emit/text/names.h"

namespace wb {
namespace {

// Those that a row or a call's result sets.
std::vector<bool> ChangingVariables(const ir::Function& function) {
  std::vector<bool> changes(function.vars.size(), false);
  for (const ir::Inst& inst : function.insts) {
    if (inst.op != ir::Op::kCall && inst.dst != ir::kNoVar) changes[inst.dst] = true;
  }
  for (const ir::Call& call : function.calls) {
    for (const ir::Var result : call.results) changes[result] = true;
  }
  return changes;
}

// Some loop holds no call of the function itself.
bool HasLoopWithoutCalls(const ir::Function& function) {
  std::vector<uint32_t> calls = {0};  // before each row
  for (const ir::Inst& inst : function.insts) {
    const bool itself = inst.op == ir::Op::kCall && function.CallsItself(function.calls[inst.imm]);
    calls.push_back(calls.back() + (itself ? 1 : 0));
  }
  return std::any_of(function.constructs.begin(), function.constructs.end(),
                     [&](const ir::Construct& construct) {
                       return construct.kind == ir::ConstructKind::kLoop &&
                              calls[construct.begin] == calls[construct.end];
                     });
}

// A variable of a level: "h", "h_2".
std::string OfLevel(const std::string& name, uint32_t level) {
  return level == 1 ? name : name + "_" + std::to_string(level);
}

// The safepoint of the call of a level's activation, 0 where the level holds none.
std::string Waits(uint32_t level) { return OfLevel("h", level); }

// Whether a level's frame in memory has its arguments.
std::string HasArguments(uint32_t level) { return level == 0 ? "g" : OfLevel("xg", level); }

}  // namespace

CallersFrames::CallersFrames(const ControlContext& context, bool many, uint32_t distance)
    : context_(context), many_(many), distance_(distance) {
  FindKept();
  const uint32_t words = std::max<uint32_t>(Words(), 1);
  if (words > kMostWords) return;
  levels_ = HasLoopWithoutCalls(function()) ? 1 : std::min(kMostLevels, kMostWordsOfLevels / words);
}

void CallersFrames::FindKept() {
  const std::vector<ir::Var>& kept = function().kept_at_self_calls;
  const std::vector<bool> changes = ChangingVariables(function());
  uint32_t word = 1;
  for (ir::Var var : function().frame_vars) {
    if (std::find(kept.begin(), kept.end(), var) != kept.end()) {
      const bool argument = var < function().num_params && !changes[var];
      kept_.push_back({var, word, context_.expressions.IsConstant(var), argument});
    }
    word += TypeWords(TypeOf(var));
  }
}

uint32_t CallersFrames::Words() const {
  uint32_t words = 0;
  for (const Kept& kept : kept_) words += TypeWords(TypeOf(kept.var));
  return words;
}

bool CallersFrames::AsksForArguments() const {
  uint32_t words = 0;
  for (const Kept& kept : kept_) words += kept.argument ? TypeWords(TypeOf(kept.var)) : 0;
  return words >= 2;
}

void CallersFrames::Declare() const {
  if (AsksForArguments()) context_.text.Line("uint g = 0u;");
  for (uint32_t level = 1; level <= levels_; ++level) {
    context_.text.Line("uint ", Waits(level), " = 0u;");
    if (AsksForArguments()) context_.text.Line("uint ", HasArguments(level), " = 0u;");
    for (const Kept& kept : kept_) {
      if (kept.constant) continue;
      const ValueType type = TypeOf(kept.var);
      context_.text.Line(TypeText(type), " ", Value(kept, level), " = ", LiteralText(type, 0), ";");
    }
  }
}

std::string CallersFrames::Value(const Kept& kept, uint32_t level) const {
  if (kept.constant) return context_.expressions.Use(kept.var);
  if (level == 0) return Expressions::Name(function(), kept.var);
  return OfLevel("x" + std::to_string(kept.var), level);
}

void CallersFrames::Put(uint32_t level, const std::string& safepoint) const {
  const std::string back = level == 0 ? "" : " - " + std::to_string(level * distance_) + "u";
  context_.text.Line("wb_lane F = wb_frame(L, f", back, ");");
  if (many_) context_.text.Line("wb_put(F, 0u, ", safepoint, ");");
  PutWords(level, false);
  if (AsksForArguments()) context_.text.Open("if (", HasArguments(level), " == 0u)");
  PutWords(level, true);
  if (AsksForArguments()) context_.text.Close();
}

void CallersFrames::PutWords(uint32_t level, bool arguments) const {
  for (const Kept& kept : kept_) {
    if (kept.argument != arguments) continue;
    const ValueType type = TypeOf(kept.var);
    std::string value = Value(kept, level);
    if (function().arithmetic[kept.var]) value = CanonText(type, value);
    context_.text.Line(PutText(type, std::to_string(kept.word) + "u", value, "F"));
  }
}

void CallersFrames::PutLevel(uint32_t level) const {
  context_.text.Open("if (", Waits(level), " != 0u)");
  Put(level, Waits(level));
  context_.text.Close();
}

void CallersFrames::Move(uint32_t from, uint32_t to) const {
  for (const Kept& kept : kept_) {
    if (!kept.constant) context_.text.Line(Value(kept, to), " = ", Value(kept, from), ";");
  }
  if (AsksForArguments()) {
    context_.text.Line(HasArguments(to), " = ", HasArguments(from), ";");
  }
}

void CallersFrames::Call(uint32_t safepoint) const {
  const std::string number = std::to_string(safepoint) + "u";
  if (levels_ == 0) Put(0, number);
  if (levels_ != 0) PutLevel(levels_);
  for (uint32_t level = levels_; level > 0; --level) {
    context_.text.Line(Waits(level), " = ", level == 1 ? number : Waits(level - 1), ";");
    Move(level - 1, level);
  }
  if (AsksForArguments()) context_.text.Line("g = 0u;");
}

void CallersFrames::Get() const {
  for (const Kept& kept : kept_) {
    if (kept.constant) continue;
    context_.text.Line(Value(kept, 0), " = ",
                       GetText(TypeOf(kept.var), std::to_string(kept.word) + "u", "F"), ";");
  }
  if (AsksForArguments()) context_.text.Line("g = 1u;");
}

std::string CallersFrames::Return() const {
  Text& text = context_.text;
  if (levels_ == 0) {
    text.Open();
    text.Line("wb_lane F = wb_frame(L, f);");
    Get();
    if (many_) text.Line("uint p = wb_get(F, 0u);");
    return "p";
  }
  text.Open("if (h == 0u)");
  text.Line("wb_lane F = wb_frame(L, f);");
  if (many_) text.Line("h = wb_get(F, 0u);");
  Get();
  text.CloseOpen("else");
  Move(1, 0);
  text.Close();
  return "h";
}

// Where the frame came from memory, no level holds any.
void CallersFrames::CloseReturn() const {
  if (levels_ == 0) context_.text.Close();
  for (uint32_t level = 1; level <= levels_; ++level) {
    const bool last = level == levels_;
    context_.text.Line(Waits(level), " = ", last ? "0u" : Waits(level + 1), ";");
    if (!last) Move(level + 1, level);
  }
}

void CallersFrames::PutAll() const {
  for (uint32_t level = 1; level <= levels_; ++level) PutLevel(level);
}

}  // namespace wb
