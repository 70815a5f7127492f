#include "tests/compiler/emit/random_function.h"

#include <algorithm>
#include <iterator>

namespace wb::test {
namespace {

constexpr uint32_t kMaxDepth = 9;

}  // namespace

std::string TypesText(std::string_view word, const Types& types) {
  if (types.empty()) return "";
  std::string text = " (" + std::string(word);
  for (ValueType type : types) text += " " + std::string(TypeName(type));
  return text + ")";
}

ValueType RandomType(Choices& choices) {
  const uint32_t kind = choices.Below(20);
  if (kind == 19) return ValueType::kFuncRef;
  return kParamTypes[kind / 4];
}

// Locals: the parameters, some at random, one of each type to assign, and three that lines below
// use.
std::string FunctionMaker::Make(const Types& params, const Types& results) {
  results_ = results;
  locals_ = params;
  for (uint32_t i = 1 + Below(6); i > 0; --i) locals_.push_back(AnyType());
  locals_.insert(locals_.end(), std::begin(kParamTypes), std::end(kParamTypes));
  locals_.push_back(ValueType::kFuncRef);
  rounds_ = static_cast<uint32_t>(locals_.size());
  element_ = rounds_ + 1;
  words_ = element_ + 1;
  locals_.insert(locals_.end(), 3, ValueType::kI32);
  left_ = 30 + static_cast<int>(Below(200));
  labels_ = {{results, false}};
  Line("i32.const " + std::to_string(1 + Below(7)));
  Line("local.set " + std::to_string(rounds_));
  for (uint32_t i = Below(8); i > 0; --i) Statement();
  for (uint32_t i = Below(5); i > 0; --i) Show();
  Body(results);
  std::string head =
      "(func" + TypesText("param", params) + TypesText("result", results) + "\n  (local";
  for (size_t i = params.size(); i < locals_.size(); ++i) {
    head += " " + std::string(TypeName(locals_[i]));
  }
  return head + ")\n" + text_ + ")\n";
}

Types FunctionMaker::AnyTypes(uint32_t most) {
  Types types(Below(most + 1));
  for (ValueType& type : types) type = AnyType();
  return types;
}

void FunctionMaker::Line(std::string_view line) {
  text_.append(2 * (labels_.size() + 1), ' ');
  text_ += line;
  text_ += '\n';
  --left_;
}

bool FunctionMaker::Deep() const { return depth_ > kMaxDepth || left_ <= 0; }

uint32_t FunctionMaker::LocalOf(ValueType type) {
  std::vector<uint32_t> fitting;
  for (uint32_t local = 0; local < rounds_; ++local) {
    if (locals_[local] == type) fitting.push_back(local);
  }
  return fitting[Below(static_cast<uint32_t>(fitting.size()))];
}

void FunctionMaker::Const(ValueType type) {
  static constexpr const char* kI32[] = {
      "0", "1", "2", "3", "7", "31", "-1", "4096", "65535", "0x80000000", "0x7fffffff", "12345"};
  static constexpr const char* kI64[] = {
      "0", "1", "5", "63", "-1", "0x8000000000000000", "0x7fffffffffffffff", "0x100000000", "-77"};
  static constexpr const char* kFloat[] = {"0",   "-0",       "1",    "-1.5", "inf",         "-inf",
                                           "nan", "0x1p-140", "1e10", "3.25", "-2147483649", "0.1"};
  if (type == ValueType::kFuncRef) {
    return Line(Chance(20) ? "ref.null func" : "ref.func $leaf" + std::to_string(Below(kLeaves)));
  }
  if (type == ValueType::kV128) {
    static constexpr const char* kLanes[] = {"0",          "-1",         "1",
                                             "0x7fc00000", "0xff80fe01", "0x3f800000"};
    std::string line = "v128.const i32x4";
    for (int i = 0; i < 4; ++i) line.append(" ").append(OneOf(kLanes));
    return Line(line);
  }
  const std::string name(TypeName(type));
  if (type == ValueType::kI32) {
    Line(name + ".const " + std::string(OneOf(kI32)));
  } else if (type == ValueType::kI64) {
    Line(name + ".const " + std::string(OneOf(kI64)));
  } else if (Chance(5)) {
    Line(name + ".const -nan:0x1234");
  } else {
    Line(name + ".const " + std::string(OneOf(kFloat)));
  }
}

void FunctionMaker::Leaf(ValueType type) {
  if (Chance(35)) {
    Const(type);
  } else {
    Line("local.get " + std::to_string(LocalOf(type)));
  }
}

void FunctionMaker::Expr(ValueType type) {
  if (Deep()) return Leaf(type);
  ++depth_;
  const uint32_t kind = Below(100);
  if (kind < 18) {
    Leaf(type);
  } else if (kind < 50) {
    Operator(type);
  } else if (kind < 55) {
    Load(type);
  } else if (kind < 62) {
    CallFor(type);
  } else if (kind < 80) {
    Construct(type);
  } else if (kind < 86) {
    Select(type);
  } else if (kind < 92) {
    Expr(type);
    Line("local.tee " + std::to_string(LocalOf(type)));
  } else if (kind < 95) {
    Line("global.get $" + std::string(TypeName(type)));
  } else if (kind < 98) {
    BranchIfWith(type);
  } else {
    GrowOrLeaf(type);
  }
  --depth_;
}

void FunctionMaker::Select(ValueType type) {
  Expr(type);
  Expr(type);
  Expr(ValueType::kI32);
  const bool typed = type == ValueType::kFuncRef || Chance(30);
  Line(typed ? "select (result " + std::string(TypeName(type)) + ")" : "select");
}

void FunctionMaker::Statement() {
  if (Deep()) return Line("nop");
  ++depth_;
  const uint32_t kind = Below(100);
  const ValueType type = AnyType();
  if (kind < 25) {
    Expr(type);
    Line("local.set " + std::to_string(LocalOf(type)));
  } else if (kind < 37) {
    Store(type);
  } else if (kind < 42) {
    Expr(type);
    Line("global.set $" + std::string(TypeName(type)));
  } else if (kind < 65) {
    const Types results = AnyTypes(2);
    Construct(results);
    Drop(results);
  } else if (kind < 75) {
    BranchIf(AnyDepth());
  } else if (kind < 82) {
    GuardedJump();
  } else if (kind < 85) {
    if (Chance(50)) {
      Bulk();
    } else {
      TableBulk();
    }
  } else if (kind < 92) {
    Types results;
    if (Call(&results)) Drop(results);
  } else {
    Expr(type);
    Line("drop");
  }
  --depth_;
}

void FunctionMaker::Drop(const Types& values) {
  for (size_t i = values.size(); i-- > 0;) {
    Line(Chance(60) ? "local.set " + std::to_string(LocalOf(values[i])) : "drop");
  }
}

}  // namespace wb::test
