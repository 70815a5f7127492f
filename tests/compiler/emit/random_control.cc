#include "tests/compiler/emit/random_function.h"

#include <utility>

namespace wb::test {
namespace {

constexpr uint32_t kMaxLabels = 12;

}  // namespace

void FunctionMaker::Construct(const Types& results) {
  if (labels_.size() >= kMaxLabels) {
    for (ValueType type : results) Leaf(type);
    return;
  }
  const Types params = Chance(30) ? AnyTypes(2) : Types{};
  for (ValueType type : params) Expr(type);
  const std::string signature = TypesText("param", params) + TypesText("result", results);
  switch (Below(3)) {
    case 0: return Block("block" + signature, {results, false}, params, results);
    case 1:
      if (params.empty() && results.empty() && Chance(40)) return LoopWithTails();
      return Block("loop" + signature, {params, true}, params, results);
    default: break;
  }
  Expr(ValueType::kI32);
  // The missing else arm passes the parameters on.
  const bool one_armed = params == results && Chance(50);
  Open("if" + signature, {results, false}, params, results);
  if (!one_armed) Open("else", {results, false}, params, results);
  Line("end");
}

// As compilers write a loop whose ways out stand in it, with loops of their own.
void FunctionMaker::LoopWithTails() {
  Line("loop");
  labels_.push_back({{}, true});
  ++depth_;
  for (uint32_t tails = 1 + Below(2); tails > 0; --tails) {
    if (Chance(60)) Statement();
    Line("block");
    labels_.push_back({{}, false});
    OneRound();
    Condition(true);
    Line("br_if 0");
    if (Chance(60)) Statement();
    Block("loop", {{}, true}, {}, {});
    if (Chance(90)) Jump();
    labels_.pop_back();
    Line("end");
  }
  if (Chance(60)) Statement();
  if (Chance(60)) {
    Line("br 0");
  } else {
    BranchIf(0);
    if (Chance(50)) Statement();
  }
  --depth_;
  labels_.pop_back();
  Line("end");
}

void FunctionMaker::Block(const std::string& head, Label label, const Types& params,
                          const Types& results) {
  Open(head, std::move(label), params, results);
  Line("end");
}

void FunctionMaker::Open(const std::string& head, Label label, const Types& params,
                         const Types& results) {
  Line(head);
  labels_.push_back(std::move(label));
  ++depth_;
  // What arrives is taken over by the results where the types say so, else kept in a local.
  if (params == results && Chance(40)) {
    for (uint32_t i = Below(3); i > 0; --i) Statement();
  } else {
    for (size_t i = params.size(); i-- > 0;) {
      Line(Chance(80) ? "local.set " + std::to_string(LocalOf(params[i])) : "drop");
    }
    Body(results);
  }
  --depth_;
  labels_.pop_back();
}

void FunctionMaker::Body(const Types& results) {
  for (uint32_t i = 1 + Below(4); i > 0; --i) Statement();
  if (At(0).loop && Chance(75)) BranchIf(0);
  if (Chance(8)) return Jump();
  for (ValueType type : results) Expr(type);
}

void FunctionMaker::OneRound() {
  Line("local.get " + std::to_string(rounds_));
  Line("i32.const 1");
  Line("i32.sub");
  Line("local.set " + std::to_string(rounds_));
}

// A condition that is false once the rounds are over, where a loop would go on.
void FunctionMaker::Condition(bool loop) {
  if (loop && Chance(50)) {
    Line("i32.const 1");
  } else {
    Expr(ValueType::kI32);
  }
  if (!loop || Chance(4)) return;
  Line("local.get " + std::to_string(rounds_));
  Line("i32.const 0");
  Line("i32.gt_s");
  Line("i32.and");
}

void FunctionMaker::BranchIf(uint32_t depth) {
  const Label label = At(depth);
  if (label.loop) OneRound();
  for (ValueType type : label.types) Expr(type);
  Condition(label.loop);
  Line("br_if " + std::to_string(depth));
  Drop(label.types);
}

// A branch that leaves its one value on the stack when it is not taken.
void FunctionMaker::BranchIfWith(ValueType type) {
  const uint32_t depth = AnyDepth();
  const Label label = At(depth);
  if (label.types != Types{type}) return Leaf(type);
  if (label.loop) OneRound();
  Expr(type);
  Condition(label.loop);
  Line("br_if " + std::to_string(depth));
}

void FunctionMaker::GuardedJump() {
  if (labels_.size() >= kMaxLabels) return;
  Expr(ValueType::kI32);
  Line("if");
  labels_.push_back({{}, false});
  Jump();
  labels_.pop_back();
  Line("end");
}

// Leaves the current body for good; what follows never runs.
void FunctionMaker::Jump() {
  const uint32_t kind = Below(100);
  if (kind < 30) {
    const uint32_t depth = AnyDepth();
    EndWhenOver(At(depth).loop);
    for (ValueType type : Types(At(depth).types)) Expr(type);
    Line("br " + std::to_string(depth));
  } else if (kind < 80) {
    BranchTable();
  } else if (kind < 98) {
    if (kind >= 86 && TailCall()) return DeadCode();
    for (ValueType type : results_) Expr(type);
    Line("return");
  } else {
    Line("unreachable");
  }
  DeadCode();
}

void FunctionMaker::EndWhenOver(bool loop) {
  if (!loop || Chance(4)) return;
  OneRound();
  Line("local.get " + std::to_string(rounds_));
  Line("i32.const 0");
  Line("i32.le_s");
  Line("if");
  for (ValueType type : results_) Const(type);
  Line("return");
  Line("end");
}

void FunctionMaker::BranchTable() {
  const Types types = At(AnyDepth()).types;
  std::vector<uint32_t> fitting;
  bool loop = false;
  for (uint32_t depth = 0; depth < labels_.size(); ++depth) {
    if (At(depth).types == types) fitting.push_back(depth);
  }
  std::string line = "br_table";
  for (uint32_t i = 1 + Below(Chance(10) ? 40 : 6); i > 0; --i) {
    const uint32_t depth = fitting[Below(static_cast<uint32_t>(fitting.size()))];
    loop = loop || At(depth).loop;
    line += " " + std::to_string(depth);
  }
  EndWhenOver(loop);
  for (ValueType type : types) Expr(type);
  Expr(ValueType::kI32);
  if (!Chance(30)) {
    Line("i32.const 7");
    Line("i32.and");
  }
  Line(line);
}

void FunctionMaker::DeadCode() {
  static constexpr const char* kDead[] = {"i32.add\n drop",
                                          "block\n br 0\n end",
                                          "loop\n end",
                                          "unreachable",
                                          "i32.const 1\n if\n else\n end",
                                          "f64.store",
                                          "select\n drop",
                                          "br 0",
                                          "i32.const 0\n br_table 0 0",
                                          "block (result i32)\n i32.const 5\n end\n drop"};
  while (Chance(30)) Line(OneOf(kDead));
}

}  // namespace wb::test
