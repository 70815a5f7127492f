#include "tests/compiler/emit/random_runs.h"

#include <initializer_list>
#include <string_view>

namespace wb::test {
namespace {

class RunMaker {
 public:
  explicit RunMaker(Choices& choices) : choices_(choices) {}

  // The function with the rows is called by the one that is exported.
  std::string Function(uint32_t index) {
    const std::string number = std::to_string(index);
    text_ = "(func $g" + number +
            " (param $x i32) (param $y i64) (result i32 i64)\n"
            "  (local $p i32) (local $q i32) (local $r i32) (local $s i32) (local $w i64)\n";
    Line("(local.set $q (i32.sub (global.get $sp) (i32.const 96)))");
    Line("(global.set $sp (local.get $q))");
    Line("(local.set $s (local.get $x))");
    Pointer("$p");
    Pointer("$r");
    Line("(block $out");
    const bool again = Chance(40);
    if (again) Line("(global.set $rounds " + I32(1 + Below(3)) + ") (loop $again");
    Rows();
    if (again) Again();
    Line(")");
    Line("(global.set $sp (i32.add (local.get $q) (i32.const 96)))");
    Line("(i32.xor (local.get $s) (i32.load (i32.const 65532)))");
    Line("(i64.xor (local.get $w) (i64.load (i32.const 65520))))");
    return text_ + "(func (export \"f" + number +
           "\") (param i32 i64 f32 f64) (result i32 i64)\n  (call $g" + number +
           " (local.get 0) (local.get 1)))\n";
  }

 private:
  uint32_t Below(uint32_t bound) { return choices_.Below(bound); }
  bool Chance(uint32_t percent) { return choices_.Chance(percent); }
  std::string OneOf(std::initializer_list<std::string_view> row) {
    return std::string(*(row.begin() + Below(static_cast<uint32_t>(row.size()))));
  }
  void Line(const std::string& line) { text_ += "  " + line + "\n"; }

  // Near $q, in the first KiB, at the end of memory, near 2^32, or anywhere.
  void Pointer(const std::string& name) {
    const std::string lane = "(i32.and (local.get $x) (i32.const 15))";
    std::string value;
    switch (Below(8)) {
      case 0: value = I32(8 * Below(100)); break;
      case 1: value = "(i32.add (local.get $q) " + I32(4 * Below(28)) + ")"; break;
      case 2:
        value = "(i32.add " + I32(Below(64)) + " (i32.shl " + lane + " (i32.const 2)))";
        break;
      case 3: value = "(i32.sub " + I32(65536 - 4 * Below(20)) + " " + lane + ")"; break;
      case 4:
        value = "(i32.sub " + I32(65540) + " (i32.shl " + lane + " " + I32(1 + Below(4)) + "))";
        break;
      case 5: value = "(i32.sub (i32.const -4) (i32.mul " + lane + " " + I32(4) + "))"; break;
      case 6: value = "(i32.add (local.get $q) (i32.shl " + lane + " (i32.const 2)))"; break;
      default: value = "(i32.mul (local.get $x) " + I32(4) + ")"; break;
    }
    if (Chance(60)) value = "(i32.and " + value + " (i32.const 1020))";
    Line("(local.set " + name + " " + value + ")");
  }

  // Another round while a word that no loop steps says so.
  void Again() {
    Line("(global.set $rounds (i32.sub (global.get $rounds) (i32.const 1)))");
    Line("(br_if $again (global.get $rounds)))");
  }

  void Rows() {
    const uint32_t pieces = 2 + Below(4);
    for (uint32_t i = 0; i < pieces; ++i) {
      for (uint32_t left = 3 + Below(9); left > 0; --left) Chance(50) ? Load() : Store();
      Between();
    }
  }

  void Between() {
    const std::string odd = "(i32.and (local.get $s) " + I32((2u << Below(4)) - 1) + ")";
    switch (Below(14)) {
      case 0: Line("(br_if $out (i32.eqz " + odd + "))"); break;
      case 1: Line("(local.set $s (i32.div_u (local.get $s) " + odd + "))"); break;
      case 2:
      case 3:
        Line("(if " + odd + " (then");
        Chance(50) ? Load() : Store();
        if (Chance(20)) Line("(br $out)");
        if (Chance(50)) {
          Line(") (else");
          Chance(50) ? Load() : Store();
        }
        Line("))");
        break;
      case 4:
        Line("(block $here (br_if $here " + odd + ")");
        Chance(50) ? Load() : Store();
        Line(Chance(20) ? "(br_if $out (i32.eqz " + odd + ")))" : ")");
        break;
      case 5:
      case 6: Change(); break;
      case 7:
        Line("(if (i32.eqz " + odd + ") (then (local.set $p (i32.add (local.get $p) " + I32(4) +
             "))))");
        break;
      case 8: Line("(global.set $kept (i32.add (global.get $kept) (local.get $s)))"); break;
      case 9: Line("(local.set $s (i32.add (local.get $s) (call $leaf (local.get $s))))"); break;
      default: break;
    }
  }

  // A pointer steps, or comes from memory.
  void Change() {
    const std::string name = OneOf({"$p", "$r"}), get = "(local.get " + name + ")";
    switch (Below(4)) {
      case 0: Line("(local.set " + name + " (i32.add " + get + " " + I32(4) + "))"); break;
      case 1: Line("(local.set " + name + " (i32.sub " + get + " " + I32(8) + "))"); break;
      case 2:
        Line("(local.set " + name + " (i32.and (i32.load " + Address() + ") (i32.const 508)))");
        break;
      default: Pointer(name); break;
    }
  }

  std::string Address() {
    const std::string offset = I32(4 * Below(24));
    switch (Below(12)) {
      case 0:
      case 1: return "(local.get $q)";
      case 2:
      case 3: return "(i32.add (local.get $q) " + offset + ")";
      case 4:
      case 5: return "(local.get $p)";
      case 6: return "(i32.add (local.get $p) " + offset + ")";
      case 7:
      case 8: return "(local.get $r)";
      case 9: return "(i32.sub (local.get $r) " + I32(4 * Below(4)) + ")";
      case 10: return Bounded();
      default: return Chance(60) ? I32(4 * Below(64) + (Chance(10) ? 1 : 0)) : Clamped();
    }
  }
  // An index of which the largest value is known.
  std::string Bounded() {
    return "(i32.add " + OneOf({"(local.get $q)", "(local.get $p)", "(i32.const 256)"}) +
           " (i32.shl (i32.and (local.get $s) (i32.const 7)) " + I32(Below(4)) + "))";
  }
  std::string Clamped() {
    const std::string bound = I32(Below(24)), other = Chance(10) ? I32(Below(24)) : bound;
    return "(i32.add " + OneOf({"(local.get $q)", "(local.get $r)"}) + " (select (local.get $s) " +
           bound + " (i32.lt_u (local.get $s) " + other + ")))";
  }
  std::string Offset() {
    return Chance(60) ? " offset=" + std::to_string(4 * Below(20) + (Chance(8) ? 2 : 0)) : "";
  }

  void Load() {
    const std::string rest = Offset() + " " + Address() + ")";
    if (Chance(60)) {
      const std::string load = OneOf({"i32.load", "i32.load", "i32.load", "i32.load", "i32.load8_u",
                                      "i32.load8_s", "i32.load16_u"});
      Line("(local.set $s (i32.xor (i32.rotl (local.get $s) (i32.const 5)) (" + load + rest + "))");
      return;
    }
    const std::string load = OneOf({"i64.load", "i64.load", "i64.load32_u", "i64.load32_s"});
    Line("(local.set $w (i64.add (i64.mul (local.get $w) (i64.const 31)) (" + load + rest + "))");
  }

  void Store() {
    const std::string at = Offset() + " " + Address() + " ";
    switch (Below(9)) {
      case 0: Line("(i32.store8" + at + "(local.get $s))"); break;
      case 1: Line("(i32.store16" + at + "(local.get $s))"); break;
      case 2:
      case 3: Line("(i64.store" + at + "(i64.add (local.get $w) (local.get $y)))"); break;
      case 4: Line("(f32.store" + at + "(f32.convert_i32_u (local.get $s)))"); break;
      case 5: Line("(f64.store" + at + "(f64.convert_i32_s (local.get $s)))"); break;
      default: Line("(i32.store" + at + "(i32.add (local.get $s) " + I32(Below(9)) + "))"); break;
    }
  }

  Choices& choices_;
  std::string text_;
};

}  // namespace

std::string MakeRandomRuns(Choices& choices, uint32_t functions) {
  RunMaker maker(choices);
  std::string text =
      "(module (memory (export \"memory\") 1 2)\n"
      "(global $sp (mut i32) (i32.const 512)) (global $kept (mut i32) (i32.const 1))\n"
      "(global $rounds (mut i32) (i32.const 0))\n"
      "(data (i32.const 0) \"";
  for (uint32_t i = 0; i < 8; ++i) {
    text += "The first bytes of memory are data, which pointers are made of, and little is zero. ";
  }
  text +=
      "\")\n(func $leaf (param i32) (result i32)\n"
      "  (i32.store offset=700 (i32.const 0) (local.get 0)) (i32.load (i32.const 416)))\n";
  for (uint32_t i = 0; i < functions; ++i) text += maker.Function(i);
  return text + ")\n";
}

}  // namespace wb::test
