#include "tests/scheduler/starts/random_start.h"

#include <initializer_list>
#include <string_view>

#include "tests/compiler/emit/random_choices.h"

namespace wb::test {
namespace {

constexpr std::string_view kHead = R"((module (memory 1)
  (data (i32.const 256) "what stands there before anything has run, and some more of it")
  (table 3 funcref) (elem (i32.const 0) $mix $less)
  (type $two (func (param i32 i32) (result i32)))
  (global $g (mut i32) (i32.const 7))
  (global $h (mut i64) (i64.const -3))
  (global $f (mut f64) (f64.const 0.5))
  (global $pages (mut i32) (i32.const 0))
  (func $mix (type $two)
    (i32.xor (i32.mul (local.get 0) (i32.const 1664525)) (i32.add (local.get 1) (global.get $g))))
  (func $less (type $two) (i32.lt_u (local.get 0) (local.get 1)))
  (func $fill (param $x i32) (local $i i32)
    (loop $l
      (i32.store offset=1024 (i32.and (local.get $i) (i32.const 0xffc))
        (call $mix (local.get $x) (local.get $i)))
      (local.set $i (i32.add (local.get $i) (i32.const 12)))
      (br_if $l (i32.lt_u (local.get $i) (i32.const 600)))))
  (func $digest (result i32) (local $i i32) (local $s i32)
    (loop $l
      (local.set $s (call $mix (local.get $s) (i32.load (local.get $i))))
      (local.set $i (i32.add (local.get $i) (i32.const 12)))
      (br_if $l (i32.lt_u (local.get $i) (i32.const 5120))))
    (i32.xor (local.get $s) (i32.xor (i32.wrap_i64 (global.get $h))
      (i32.trunc_sat_f64_s (global.get $f)))))
)";

constexpr std::string_view kLocals =
    "(local $a i32) (local $b i32) (local $c i32) (local $d i64) (local $e f64)\n"
    "  (local $k0 i32) (local $k1 i32)\n";

// One function's rows. `$x` and `$y` are its parameters.
class BodyMaker {
 public:
  explicit BodyMaker(Choices& choices) : choices_(choices) {}

  std::string Statements(uint32_t most, uint32_t depth) {
    std::string text;
    for (uint32_t left = 1 + Below(most); left > 0; --left) text += Statement(depth);
    return text;
  }
  std::string Value(uint32_t depth = 2) {
    if (depth == 0 || Chance(30)) return Leaf();
    const auto two = [&] { return " " + Value(depth - 1) + " " + Value(depth - 1) + ")"; };
    switch (Below(9)) {
      case 0: return "(i32.add" + two();
      case 1: return "(i32.mul" + two();
      case 2: return "(i32.xor" + two();
      case 3: return "(i32.sub" + two();
      case 4: return "(i32.div_u " + Value(depth - 1) + " (i32.or " + Leaf() + " (i32.const 1)))";
      case 5: return "(i32.load offset=1024 (i32.and " + Value(depth - 1) + " (i32.const 4092)))";
      case 6: return "(call $mix" + two();
      case 7: return "(select " + Value(depth - 1) + " " + Leaf() + " " + Leaf() + ")";
      default: return "(i32.wrap_i64 (i64.add (local.get $d) (global.get $h)))";
    }
  }
  // From here on rows may read parameters, so often of a hundred times.
  void ReadParameters(uint32_t percent) { reads_ = percent; }

 private:
  uint32_t Below(uint32_t bound) { return choices_.Below(bound); }
  bool Chance(uint32_t percent) { return choices_.Chance(percent); }
  std::string OneOf(std::initializer_list<std::string_view> row) {
    return std::string(*(row.begin() + Below(static_cast<uint32_t>(row.size()))));
  }

  std::string Leaf() {
    if (Chance(reads_)) return OneOf({"(local.get $x)", "(i32.wrap_i64 (local.get $y))"});
    if (Chance(30)) return I32(Below(2) == 0 ? Below(20) : Below(1u << 31));
    return OneOf({"(local.get $a)", "(local.get $b)", "(local.get $c)", "(global.get $g)",
                  "(local.get $a)", "(i32.const 3)"});
  }

  std::string Statement(uint32_t depth) {
    switch (Below(depth > 0 ? 15 : 9)) {
      case 0: return "(local.set $a " + Value() + ")\n";
      case 1: return "(local.set $b " + Value() + ")\n";
      case 2: return "(local.set $c " + Value() + ")\n";
      case 3:
        return "(i32.store offset=1024 (i32.and " + Value() + " (i32.const 4092)) " + Value() +
               ")\n";
      case 4: return "(global.set $g " + Value() + ")\n";
      case 5: return "(local.set $d (i64.mul (i64.extend_i32_u " + Value() + ") (i64.const 77)))\n";
      case 6:
        return "(local.set $e (f64.add (local.get $e) (f64.convert_i32_s " + Value() +
               ")))\n"
               "(global.set $f (f64.sqrt (local.get $e)))\n";
      case 7: return Rare();
      case 8: return "(call $fill " + Value() + ")\n";
      case 9:
      case 10:
      case 11: return Loop(depth);
      case 12:
        return "(if " + Value() + " (then " + Statements(2, depth - 1) + ") (else " +
               Statements(2, depth - 1) + "))\n";
      default: return Block(depth);
    }
  }

  // What ends a beginning, or the instance.
  std::string Rare() {
    switch (Below(12)) {
      case 0: return "(drop (memory.grow (i32.const 0)))\n";
      case 1: return "(local.set $a (i32.div_u " + Value() + " " + Value() + "))\n";
      case 2: return "(local.set $x " + Value() + ")\n";
      case 3: return "(table.set 0 (i32.const 2) (ref.func $less))\n";
      case 4: return "(br_if $out " + Value() + ")\n";
      case 5:
        return "(local.set $a (call_indirect (type $two) " + Value() + " " + Value() +
               " (i32.and " + Value() + " (i32.const 1))))\n";
      case 6: return "(memory.fill (i32.const 2048) " + Value() + " (i32.const 300))\n";
      case 7: return "(global.set $h (i64.add (global.get $h) (local.get $d)))\n";
      case 8: return "(local.set $b (i32.add (local.get $x) " + Leaf() + "))\n";
      default: return "(local.set $c (i32.add (local.get $c) (i32.const 1)))\n";
    }
  }

  std::string Loop(uint32_t depth) {
    const std::string counter = "$k" + std::to_string(depth - 1);
    const std::string label = "$l" + std::to_string(label_++);
    return "(local.set " + counter + " " + I32(1 + Below(5)) + ")\n(loop " + label + "\n" +
           Statements(3, depth - 1) + "(br_if " + label + " (local.tee " + counter +
           " (i32.sub (local.get " + counter + ") (i32.const 1)))))\n";
  }
  std::string Block(uint32_t depth) {
    const std::string label = "$b" + std::to_string(label_++);
    return "(block " + label + "\n" + Statements(3, depth - 1) + "(br_if " + label + " " + Value() +
           ")\n" + Statements(2, depth - 1) + ")\n";
  }

  Choices& choices_;
  uint32_t reads_ = 0;
  uint32_t label_ = 0;
};

// Its beginning reads few parameters or none. `calls`: between the two, what calls another one.
std::string Function(const std::string& head, bool calls, Choices& choices) {
  BodyMaker body(choices);
  body.ReadParameters(choices.Chance(25) ? 3 : 0);
  std::string text = "(func " + head + " (param $x i32) (param $y i64) (result i32)\n  " +
                     std::string(kLocals) + "(block $out (block $in\n" + body.Statements(8, 2);
  const bool closes = choices.Chance(50);
  if (closes) text += ")\n";
  body.ReadParameters(35);
  if (calls) {
    text += "(local.set $a (call $deep " + body.Value() + " (i64.extend_i32_u " + body.Value() +
            ")))\n";
  }
  text += body.Statements(6, 2) + (closes ? "" : ")\n") + ")\n";
  return text + "(i32.xor (local.get $a) (i32.xor (local.get $b) (call $digest))))\n";
}

}  // namespace

std::string RandomStartModule(uint64_t seed) {
  Choices choices(seed);
  std::string text(kHead);
  const bool calls = choices.Chance(50);
  const bool exports_deep = choices.Chance(30);
  if (calls) text += Function(exports_deep ? "$deep (export \"deep\")" : "$deep", false, choices);
  text += Function("(export \"run\")", calls, choices);
  text +=
      "(func (export \"again\") (param i32) (result i32)\n"
      "  (call $mix (local.get 0) (call $digest)))\n";
  if (choices.Chance(20)) {
    text +=
        "(func $begin (global.set $g (i32.const 99)) (call $fill (i32.const 3)))\n"
        "(start $begin)\n";
  }
  return text + ")";
}

}  // namespace wb::test
