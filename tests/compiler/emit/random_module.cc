#include "tests/compiler/emit/random_module.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <string_view>

namespace wb::test {
namespace {

using Types = std::vector<ValueType>;

constexpr ValueType kTypes[] = {ValueType::kI32, ValueType::kI64, ValueType::kF32, ValueType::kF64};
constexpr uint32_t kParams = 4;
constexpr uint32_t kMaxDepth = 9;
constexpr uint32_t kMaxLabels = 12;

// What earlier functions look like to those that call them.
struct Callee {
  Types results;
  uint32_t level = 0;  // longest chain of calls below it
};

std::string TypesText(std::string_view word, const Types& types) {
  if (types.empty()) return "";
  std::string text = " (" + std::string(word);
  for (ValueType type : types) text += " " + std::string(TypeName(type));
  return text + ")";
}

class FunctionMaker {
 public:
  FunctionMaker(std::mt19937_64& random, const std::vector<Callee>& callees, Nans nans, Calls calls)
      : random_(random), callees_(callees), nans_(nans), calls_(calls) {}

  std::string Make(uint32_t index, const Types& results) {
    results_ = results;
    locals_ = {std::begin(kTypes), std::end(kTypes)};
    for (uint32_t i = 1 + Below(6); i > 0; --i) locals_.push_back(AnyType());
    for (ValueType type : kTypes) locals_.push_back(type);  // there is one of each to assign
    locals_.push_back(ValueType::kI32);
    rounds_ = static_cast<uint32_t>(locals_.size()) - 1;
    left_ = 40 + static_cast<int>(Below(260));
    labels_ = {{results, false}};
    Line("i32.const " + std::to_string(1 + Below(7)));
    Line("local.set " + std::to_string(rounds_));
    Body(results);
    std::string head = "(func (export \"f" + std::to_string(index) + "\") (param i32 i64 f32 f64)" +
                       TypesText("result", results) + "\n  (local";
    for (size_t i = kParams; i < locals_.size(); ++i) {
      head += " " + std::string(TypeName(locals_[i]));
    }
    return head + ")\n" + text_ + ")\n";
  }

  uint32_t level() const { return level_; }

 private:
  struct Label {
    Types types;  // what a branch brings
    bool loop = false;
  };

  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }
  bool Chance(uint32_t percent) { return Below(100) < percent; }
  ValueType AnyType() { return kTypes[Below(4)]; }
  Types AnyTypes(uint32_t most) {
    Types types(Below(most + 1));
    for (ValueType& type : types) type = AnyType();
    return types;
  }
  template <size_t kCount>
  std::string_view OneOf(const char* const (&row)[kCount]) {
    return row[Below(kCount)];
  }

  void Line(std::string_view line) {
    text_.append(2 * (labels_.size() + 1), ' ');
    text_ += line;
    text_ += '\n';
    --left_;
  }
  bool Deep() const { return depth_ > kMaxDepth || left_ <= 0; }

  uint32_t LocalOf(ValueType type) {
    for (;;) {
      const uint32_t local = Below(rounds_);
      if (locals_[local] == type) return local;
    }
  }

  void Const(ValueType type) {
    static constexpr const char* kI32[] = {
        "0", "1", "2", "3", "7", "31", "-1", "4096", "65535", "0x80000000", "0x7fffffff", "12345"};
    static constexpr const char* kI64[] = {
        "0",           "1",  "5", "63", "-1", "0x8000000000000000", "0x7fffffffffffffff",
        "0x100000000", "-77"};
    static constexpr const char* kFloat[] = {"0",    "-0",   "1",           "-1.5",
                                             "inf",  "-inf", "nan",         "0x1p-140",
                                             "1e10", "3.25", "-2147483649", "0.1"};
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

  void Leaf(ValueType type) {
    if (Chance(35)) {
      Const(type);
    } else {
      Line("local.get " + std::to_string(LocalOf(type)));
    }
  }

  // ---- expressions: one value on the stack

  void Expr(ValueType type) {
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
      Expr(type);
      Expr(type);
      Expr(ValueType::kI32);
      Line(Chance(70) ? "select" : "select (result " + std::string(TypeName(type)) + ")");
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

  void GrowOrLeaf(ValueType type) {
    if (type != ValueType::kI32) return Leaf(type);
    if (Chance(50)) return Line("memory.size");
    Line("i32.const " + std::to_string(Below(3)));
    Line("memory.grow");
  }

  void Operator(ValueType type) {
    switch (type) {
      case ValueType::kI32: return OperatorI32();
      case ValueType::kI64: return OperatorI64();
      default: return OperatorFloat(type);
    }
  }

  void Integers(ValueType type) {
    static constexpr const char* kBinary[] = {"add", "sub",   "mul",   "and",  "or",  "xor",
                                              "shl", "shr_s", "shr_u", "rotl", "rotr"};
    static constexpr const char* kTrapping[] = {"div_s", "div_u", "rem_s", "rem_u"};
    const std::string name = std::string(TypeName(type)) + ".";
    Expr(type);
    Expr(type);
    Line(name + std::string(Chance(97) ? OneOf(kBinary) : OneOf(kTrapping)));
  }

  void OperatorI32() {
    static constexpr const char* kUnary[] = {"clz", "ctz",       "popcnt",
                                             "eqz", "extend8_s", "extend16_s"};
    static constexpr const char* kCompare[] = {"eq",   "ne",   "lt_s", "lt_u", "gt_s",
                                               "gt_u", "le_s", "le_u", "ge_s", "ge_u"};
    static constexpr const char* kFloatCompare[] = {"eq", "ne", "lt", "gt", "le", "ge"};
    switch (Below(8)) {
      case 0: Expr(ValueType::kI32); return Line("i32." + std::string(OneOf(kUnary)));
      case 1:
      case 2: {
        const ValueType type = Chance(60) ? ValueType::kI32 : ValueType::kI64;
        Expr(type);
        Expr(type);
        return Line(std::string(TypeName(type)) + "." + std::string(OneOf(kCompare)));
      }
      case 3: {
        const ValueType type = Chance(50) ? ValueType::kF32 : ValueType::kF64;
        Expr(type);
        Expr(type);
        return Line(std::string(TypeName(type)) + "." + std::string(OneOf(kFloatCompare)));
      }
      case 4: return ConvertTo("i32", "i32.wrap_i64", "i32.reinterpret_f32", ValueType::kF32);
      default: return Integers(ValueType::kI32);
    }
  }

  void OperatorI64() {
    switch (Below(8)) {
      case 0: return ConvertTo("i64", "", "i64.reinterpret_f64", ValueType::kF64);
      case 1:
        Expr(ValueType::kI32);
        return Line(Chance(50) ? "i64.extend_i32_s" : "i64.extend_i32_u");
      default: return Integers(ValueType::kI64);
    }
  }

  // A conversion to an integer type: from its bits, from the other one, from a float.
  void ConvertTo(const std::string& to, std::string_view wrap, std::string_view reinterpret,
                 ValueType bits) {
    if (Chance(40)) {
      Expr(bits);
      return Line(reinterpret);
    }
    if (!wrap.empty() && Chance(50)) {
      Expr(ValueType::kI64);
      return Line(wrap);
    }
    const ValueType from = Chance(50) ? ValueType::kF32 : ValueType::kF64;
    Expr(from);
    Line(to + (Chance(95) ? ".trunc_sat_" : ".trunc_") + std::string(TypeName(from)) +
         (Chance(50) ? "_s" : "_u"));
  }

  void OperatorFloat(ValueType type) {
    static constexpr const char* kUnary[] = {"abs",   "neg",     "ceil", "floor",
                                             "trunc", "nearest", "sqrt"};
    static constexpr const char* kBinary[] = {"add", "sub", "mul", "div", "min", "max", "copysign"};
    const std::string name = std::string(TypeName(type)) + ".";
    const bool single = type == ValueType::kF32;
    switch (Below(7)) {
      case 0: {
        const ValueType from = Chance(50) ? ValueType::kI32 : ValueType::kI64;
        Expr(from);
        return Line(name + "convert_" + std::string(TypeName(from)) + (Chance(50) ? "_s" : "_u"));
      }
      case 1:
        Expr(single ? ValueType::kI32 : ValueType::kI64);
        return Line(single ? "f32.reinterpret_i32" : "f64.reinterpret_i64");
      case 2:
        Expr(single ? ValueType::kF64 : ValueType::kF32);
        Line(single ? "f32.demote_f64" : "f64.promote_f32");
        break;
      case 3:
        Expr(type);
        Line(name + std::string(OneOf(kUnary)));
        break;
      default:
        Expr(type);
        Expr(type);
        Line(name + std::string(OneOf(kBinary)));
        break;
    }
    if (nans_ == Nans::kCanonical) Line(single ? "call $canonical_f32" : "call $canonical_f64");
  }

  // Mostly inside memory, whose first KiB the tests read back.
  void Address() {
    Expr(ValueType::kI32);
    if (Chance(1)) return;
    Line("i32.const 1023");
    Line("i32.and");
  }

  std::string Offset() { return Chance(50) ? "" : " offset=" + std::to_string(Below(70)); }

  void Load(ValueType type) {
    static constexpr const char* kSmall[] = {"load8_s", "load8_u", "load16_s", "load16_u"};
    const bool integer = type == ValueType::kI32 || type == ValueType::kI64;
    Address();
    Line(std::string(TypeName(type)) + "." +
         std::string(integer && Chance(40) ? OneOf(kSmall) : std::string_view("load")) + Offset());
  }

  // Arguments, the call, and all but the first result dropped; false if there is nothing to call.
  bool Call(Types* results) {
    if (callees_.empty() || Chance(20)) return false;
    const uint32_t callee = Below(static_cast<uint32_t>(callees_.size()));
    *results = callees_[callee].results;
    if (calls_ == Calls::kRecursive) {
      GuardedCall(callee);
      return true;
    }
    if (callees_[callee].level >= 3 || labels_.size() > 6) return false;
    level_ = std::max(level_, callees_[callee].level + 1);
    for (ValueType type : kTypes) Expr(type);
    Line("call " + std::to_string(callee));
    return true;
  }

  // Only while the instance has calls left: else the results are constants.
  void GuardedCall(uint32_t callee) {
    for (ValueType type : kTypes) Expr(type);
    Line("global.get $calls");
    Line("i32.const 1");
    Line("i32.sub");
    Line("global.set $calls");
    Line("global.get $calls");
    Line("i32.const 0");
    Line("i32.gt_s");
    Line("if (param i32 i64 f32 f64)" + TypesText("result", callees_[callee].results));
    Line("call " + std::to_string(callee));
    Line("else");
    for (int i = 0; i < 4; ++i) Line("drop");
    for (ValueType type : callees_[callee].results) Const(type);
    Line("end");
  }

  void CallFor(ValueType type) {
    Types results;
    if (!Call(&results)) return Leaf(type);
    while (results.size() > 1 || (!results.empty() && results[0] != type)) {
      Line("drop");
      results.pop_back();
    }
    if (results.empty()) Leaf(type);
  }

  // ---- constructs

  void Construct(ValueType type) { Construct(Types{type}); }

  void Construct(const Types& results) {
    if (labels_.size() >= kMaxLabels) {
      for (ValueType type : results) Leaf(type);
      return;
    }
    const Types params = Chance(30) ? AnyTypes(2) : Types{};
    for (ValueType type : params) Expr(type);
    const std::string signature = TypesText("param", params) + TypesText("result", results);
    switch (Below(3)) {
      case 0: return Block("block" + signature, {results, false}, params, results);
      case 1: return Block("loop" + signature, {params, true}, params, results);
      default: break;
    }
    Expr(ValueType::kI32);
    // The missing else arm passes the parameters on.
    const bool one_armed = params == results && Chance(50);
    Open("if" + signature, {results, false}, params, results);
    if (!one_armed) Open("else", {results, false}, params, results);
    Line("end");
  }

  void Block(const std::string& head, Label label, const Types& params, const Types& results) {
    Open(head, std::move(label), params, results);
    Line("end");
  }

  void Open(const std::string& head, Label label, const Types& params, const Types& results) {
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

  void Body(const Types& results) {
    for (uint32_t i = 1 + Below(4); i > 0; --i) Statement();
    if (At(0).loop && Chance(75)) BranchIf(0);
    if (Chance(8)) return Jump();
    for (ValueType type : results) Expr(type);
  }

  // ---- statements: the stack as before

  void Statement() {
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
      Bulk();
    } else if (kind < 92) {
      Types results;
      if (Call(&results)) Drop(results);
    } else {
      Expr(type);
      Line("drop");
    }
    --depth_;
  }

  void Drop(const Types& values) {
    for (size_t i = values.size(); i-- > 0;) {
      Line(Chance(60) ? "local.set " + std::to_string(LocalOf(values[i])) : "drop");
    }
  }

  void Store(ValueType type) {
    static constexpr const char* kSmall[] = {"store8", "store16"};
    const bool integer = type == ValueType::kI32 || type == ValueType::kI64;
    Address();
    Expr(type);
    Line(std::string(TypeName(type)) + "." +
         std::string(integer && Chance(40) ? OneOf(kSmall) : std::string_view("store")) + Offset());
  }

  void Bulk() {
    Address();
    Address();
    // Over 4 KiB there is a safepoint inside.
    Line("i32.const " + std::to_string(Chance(60) ? Below(40) : Below(14000)));
    Line(Chance(50) ? "memory.fill" : "memory.copy");
  }

  // ---- branches

  void OneRound() {
    Line("local.get " + std::to_string(rounds_));
    Line("i32.const 1");
    Line("i32.sub");
    Line("local.set " + std::to_string(rounds_));
  }

  uint32_t AnyDepth() { return Below(static_cast<uint32_t>(labels_.size())); }
  const Label& At(uint32_t depth) const { return labels_[labels_.size() - 1 - depth]; }

  // A condition that is false once the rounds are over, where a loop would go on.
  void Condition(bool loop) {
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

  void BranchIf(uint32_t depth) {
    const Label label = At(depth);
    if (label.loop) OneRound();
    for (ValueType type : label.types) Expr(type);
    Condition(label.loop);
    Line("br_if " + std::to_string(depth));
    Drop(label.types);
  }

  // A branch that leaves its one value on the stack when it is not taken.
  void BranchIfWith(ValueType type) {
    const uint32_t depth = AnyDepth();
    const Label label = At(depth);
    if (label.types != Types{type}) return Leaf(type);
    if (label.loop) OneRound();
    Expr(type);
    Condition(label.loop);
    Line("br_if " + std::to_string(depth));
  }

  void GuardedJump() {
    if (labels_.size() >= kMaxLabels) return;
    Expr(ValueType::kI32);
    Line("if");
    labels_.push_back({{}, false});
    Jump();
    labels_.pop_back();
    Line("end");
  }

  // Leaves the current body for good; what follows never runs.
  void Jump() {
    const uint32_t kind = Below(100);
    if (kind < 30) {
      const uint32_t depth = AnyDepth();
      EndWhenOver(At(depth).loop);
      for (ValueType type : Types(At(depth).types)) Expr(type);
      Line("br " + std::to_string(depth));
    } else if (kind < 80) {
      Table();
    } else if (kind < 98) {
      for (ValueType type : results_) Expr(type);
      Line("return");
    } else {
      Line("unreachable");
    }
    DeadCode();
  }

  void EndWhenOver(bool loop) {
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

  void Table() {
    const Types types = At(AnyDepth()).types;
    std::vector<uint32_t> fitting;
    bool loop = false;
    for (uint32_t depth = 0; depth < labels_.size(); ++depth) {
      if (At(depth).types == types) fitting.push_back(depth);
    }
    std::string line = "br_table";
    for (uint32_t i = 1 + Below(6); i > 0; --i) {
      const uint32_t depth = fitting[Below(static_cast<uint32_t>(fitting.size()))];
      loop = loop || At(depth).loop;
      line += " " + std::to_string(depth);
    }
    EndWhenOver(loop);
    for (ValueType type : types) Expr(type);
    Expr(ValueType::kI32);
    if (Chance(70)) {
      Line("i32.const 7");
      Line("i32.and");
    }
    Line(line);
  }

  void DeadCode() {
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

  std::mt19937_64& random_;
  const std::vector<Callee>& callees_;
  Nans nans_;
  Calls calls_;
  Types results_;
  Types locals_;
  std::vector<Label> labels_;
  std::string text_;
  uint32_t rounds_ = 0;  // the local that counts loops down
  uint32_t level_ = 0;
  uint32_t depth_ = 0;
  int left_ = 0;
};

}  // namespace

RandomModule MakeRandomModule(uint64_t seed, uint32_t functions, Nans nans, Calls calls) {
  std::mt19937_64 random(seed);
  RandomModule module;
  std::vector<Callee> callees;
  module.wat =
      "(module\n(memory (export \"memory\") 1 3)\n(global $i32 (mut i32) (i32.const 5))\n"
      "(global $i64 (mut i64) (i64.const -6))\n(global $f32 (mut f32) (f32.const 0.5))\n"
      "(global $f64 (mut f64) (f64.const -nan:0x77))\n(data (i32.const 3) \"wasm bursts\")\n";
  const auto results_of_one = [&] {
    Types results(random() % 4);
    for (ValueType& type : results) type = kTypes[random() % 4];
    return results;
  };
  if (calls == Calls::kRecursive) {
    module.wat += "(global $calls (mut i32) (i32.const 40))\n";
    for (uint32_t i = 0; i < functions; ++i) callees.push_back({results_of_one()});
  }
  for (uint32_t i = 0; i < functions; ++i) {
    const Types results = calls == Calls::kRecursive ? callees[i].results : results_of_one();
    FunctionMaker maker(random, callees, nans, calls);
    module.wat += maker.Make(i, results);
    if (calls != Calls::kRecursive) callees.push_back({results, maker.level()});
    module.results.push_back(results);
  }
  for (const char* type : {"f32", "f64"}) {
    const std::string name(type);
    module.wat += "(func $canonical_" + name + " (param " + name + ") (result " + name +
                  ")\n  (select (local.get 0) (" + name + ".const nan) (" + name +
                  ".eq (local.get 0) (local.get 0))))\n";
  }
  module.wat += ")\n";
  return module;
}

}  // namespace wb::test
