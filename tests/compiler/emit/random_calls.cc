#include <algorithm>

#include "tests/compiler/emit/random_function.h"

namespace wb::test {

// Arguments, the call, and all but the first result dropped; false if there is nothing to call.
bool FunctionMaker::Call(Types* results) {
  if (callees_.empty() || Chance(20)) return false;
  const uint32_t callee = Below(static_cast<uint32_t>(callees_.size()));
  *results = callees_[callee].results;
  if (calls_ == Calls::kRecursive) {
    GuardedCall(callee);
    return true;
  }
  if (callees_[callee].level >= 3 || labels_.size() > 6) return false;
  level_ = std::max(level_, callees_[callee].level + 1);
  for (ValueType type : Types(callees_[callee].params)) Expr(type);
  Line("call " + std::to_string(callee));
  return true;
}

// Only while the instance has calls left: else the results are constants.
void FunctionMaker::GuardedCall(uint32_t callee) {
  const Callee& of = callees_[callee];
  for (ValueType type : of.params) Expr(type);
  Line("global.get $calls");
  Line("i32.const 1");
  Line("i32.sub");
  Line("global.set $calls");
  Line("global.get $calls");
  Line("i32.const 0");
  Line("i32.gt_s");
  Line("if" + TypesText("param", of.params) + TypesText("result", of.results));
  CallOf(callee);
  Line("else");
  for (size_t i = 0; i < of.params.size(); ++i) Line("drop");
  for (ValueType type : of.results) Const(type);
  Line("end");
}

// By number, or as an element of a table that holds all functions.
void FunctionMaker::CallOf(uint32_t callee) {
  if (Chance(60)) return Line("call " + std::to_string(callee));
  if (Chance(5)) {
    Line("i32.const " + std::to_string(callee));
    Line("ref.func " + std::to_string(Below(static_cast<uint32_t>(callees_.size()))));
    Line("table.set $all");
  }
  // Now and then another one, perhaps of another type.
  const bool any = Chance(4);
  if (any) Line("local.get " + std::to_string(rounds_));
  Line("i32.const " + std::to_string(any ? 7 : callee));
  if (any) Line("i32.and");
  Line("call_indirect $all" + TypesText("param", callees_[callee].params) +
       TypesText("result", callees_[callee].results));
}

void FunctionMaker::CallFor(ValueType type) {
  if (type == ValueType::kI32 && Chance(40)) return CallElement();
  Types results;
  if (!Call(&results)) return Leaf(type);
  while (results.size() > 1 || (!results.empty() && results[0] != type)) {
    Line("drop");
    results.pop_back();
  }
  if (results.empty()) Leaf(type);
}

// Pushes the i32 of a function in a table: a fixed one, or one that changes, mostly not null.
void FunctionMaker::CallElement() {
  if (Chance(40)) {
    Expr(ValueType::kI32);
    Expr(ValueType::kV128);
    Line("i32.const " + std::to_string(Below(kLeaves)));
    return Line("call_indirect $fixed (type $leaf)");
  }
  const std::string table(ChangedTable());
  const std::string element = std::to_string(element_);
  Element();
  Line("local.tee " + element);
  Line("table.get " + table);
  Line("ref.is_null");
  if (Chance(5)) {
    Line("drop");
    Line("i32.const 0");
  }
  Line("if (result i32)");
  Const(ValueType::kI32);
  Line("else");
  Leaf(ValueType::kI32);
  Leaf(ValueType::kV128);
  Line("local.get " + element);
  Line("call_indirect " + table + " (type $leaf)");
  Line("end");
}

// Leaves the function by calling another one with its results; false if there is none.
// wabt's interpreter loses what waits below on the caller's caller's stack.
bool FunctionMaker::TailCall() {
  if (nans_ == Nans::kCanonical) return false;
  std::vector<uint32_t> fitting;
  for (uint32_t i = 0; i < callees_.size(); ++i) {
    const bool below = calls_ == Calls::kRecursive || callees_[i].level < 3;
    if (callees_[i].results == results_ && below) fitting.push_back(i);
  }
  if (fitting.empty()) return false;
  const uint32_t callee = fitting[Below(static_cast<uint32_t>(fitting.size()))];
  const Callee& of = callees_[callee];
  level_ = std::max(level_, of.level + 1);
  if (calls_ == Calls::kRecursive) ReturnWithoutCalls();
  for (ValueType type : Types(of.params)) Expr(type);
  if (calls_ == Calls::kRecursive && Chance(40)) {
    Line("i32.const " + std::to_string(callee));
    Line("return_call_indirect $all" + TypesText("param", of.params) +
         TypesText("result", of.results));
  } else {
    Line("return_call " + std::to_string(callee));
  }
  return true;
}

void FunctionMaker::ReturnWithoutCalls() {
  Line("global.get $calls");
  Line("i32.const 1");
  Line("i32.sub");
  Line("global.set $calls");
  Line("global.get $calls");
  Line("i32.const 0");
  Line("i32.le_s");
  Line("if");
  for (ValueType type : results_) Const(type);
  Line("return");
  Line("end");
}

// What a local holds is seen by others: it changes a global.
void FunctionMaker::Show() {
  const uint32_t local = Below(static_cast<uint32_t>(locals_.size()));
  const std::string get = "local.get " + std::to_string(local);
  Line("global.get $i64");
  Line("i64.const " + std::to_string(1 + Below(63)));
  Line("i64.rotl");
  Line(get);
  switch (locals_[local]) {
    case ValueType::kI32: Line("i64.extend_i32_u"); break;
    case ValueType::kI64: break;
    case ValueType::kF32: Line("i64.trunc_sat_f32_s"); break;
    case ValueType::kF64: Line("i64.reinterpret_f64"); break;
    case ValueType::kV128: Line("i64x2.extract_lane " + std::to_string(Below(2))); break;
    default: Line("ref.is_null\n i64.extend_i32_u"); break;
  }
  Line("i64.xor");
  Line("global.set $i64");
}

}  // namespace wb::test
