#pragma once

// Test only: one function of a random module (random_module.h), made of lines in the stack style of
// the text format. Each method appends text that pushes or pops what it says.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/compiler/emit/random_choices.h"
#include "tests/compiler/emit/random_module.h"

namespace wb::test {

using Types = std::vector<ValueType>;

// What every export can give to functions.
inline constexpr ValueType kParamTypes[] = {ValueType::kI32, ValueType::kI64, ValueType::kF32,
                                            ValueType::kF64, ValueType::kV128};

// The module that functions are made for: functions $leaf0 to $leaf5 of type $leaf, in tables
// $fixed (never changed), $t and $p; memory 0, perhaps $second; segments $segment and $data; a
// global per type, named like it.
inline constexpr uint32_t kLeaves = 6;
inline constexpr uint32_t kTableElements = 12;
inline constexpr uint32_t kSegmentElements = 5;
inline constexpr uint32_t kDataBytes = 40;

// What functions look like to those that call them.
struct Callee {
  Types params;
  Types results;
  uint32_t level = 0;  // longest chain of calls below it
};

std::string TypesText(std::string_view word, const Types& types);  // " (result i32 f64)"
ValueType RandomType(Choices& choices);                            // numbers most often

class FunctionMaker {
 public:
  FunctionMaker(Choices& choices, const std::vector<Callee>& callees, Nans nans, Calls calls,
                uint32_t memories)
      : choices_(choices), callees_(callees), nans_(nans), calls_(calls), memories_(memories) {}

  std::string Make(const Types& params, const Types& results);
  uint32_t level() const { return level_; }

 private:
  struct Label {
    Types types;  // what a branch brings
    bool loop = false;
  };

  uint32_t Below(uint32_t bound) { return choices_.Below(bound); }
  bool Chance(uint32_t percent) { return choices_.Chance(percent); }
  ValueType AnyType() { return RandomType(choices_); }
  Types AnyTypes(uint32_t most);
  template <size_t kCount>
  std::string_view OneOf(const char* const (&row)[kCount]) {
    return row[Below(kCount)];
  }

  void Line(std::string_view line);
  bool Deep() const;
  uint32_t LocalOf(ValueType type);

  // One value pushed (random_function.cc).
  void Const(ValueType type);
  void Leaf(ValueType type);
  void Expr(ValueType type);
  void Select(ValueType type);

  // Calls (random_calls.cc).
  void CallFor(ValueType type);
  bool Call(Types* results);
  void GuardedCall(uint32_t callee);
  void CallOf(uint32_t callee);
  void CallElement();
  bool TailCall();
  void ReturnWithoutCalls();
  void Show();

  // The stack as before (random_function.cc).
  void Statement();
  void Drop(const Types& values);

  // One value pushed: operators (random_operators.cc).
  void Operator(ValueType type);
  void Integers(ValueType type);
  void OperatorI32();
  void OperatorI64();
  void ConvertTo(const std::string& to, std::string_view wrap, std::string_view reinterpret,
                 ValueType bits);
  void OperatorFloat(ValueType type);
  void Vector(ValueType result);
  void Immediate(const OpcodeFacts& facts, std::string* line);

  // Memory, tables, references (random_state.cc).
  void Address();
  void KnownAddress();
  std::string Offset();
  std::string Memory();
  void Load(ValueType type);
  void LoadVector();
  void Store(ValueType type);
  void StoreVector();
  void Bulk();
  void Init();
  void GrowOrLeaf(ValueType type);
  void Reference();
  void Element();  // a table's element: its number
  std::string_view ChangedTable() { return Chance(50) ? "$t" : "$p"; }
  void TableBulk();

  // Constructs and branches (random_control.cc).
  void Construct(ValueType type) { Construct(Types{type}); }
  void Construct(const Types& results);
  void LoopWithTails();
  void Block(const std::string& head, Label label, const Types& params, const Types& results);
  void Open(const std::string& head, Label label, const Types& params, const Types& results);
  void Body(const Types& results);
  uint32_t AnyDepth() { return Below(static_cast<uint32_t>(labels_.size())); }
  const Label& At(uint32_t depth) const { return labels_[labels_.size() - 1 - depth]; }
  void OneRound();
  void Condition(bool loop);
  void BranchIf(uint32_t depth);
  void BranchIfWith(ValueType type);
  void GuardedJump();
  void Jump();
  void EndWhenOver(bool loop);
  void BranchTable();
  void DeadCode();

  Choices& choices_;
  const std::vector<Callee>& callees_;
  Nans nans_;
  Calls calls_;
  uint32_t memories_;  // 2: one is $second
  Types results_;
  Types locals_;
  std::vector<Label> labels_;
  std::string text_;
  uint32_t rounds_ = 0;   // the local that counts loops down
  uint32_t element_ = 0;  // the local that holds a table's element while it is asked
  uint32_t words_ = 0;    // the local that is an address, mostly of a word
  uint32_t level_ = 0;
  uint32_t depth_ = 0;
  int left_ = 0;
};

}  // namespace wb::test
