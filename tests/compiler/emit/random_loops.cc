#include "tests/compiler/emit/random_loops.h"

#include <initializer_list>
#include <string_view>
#include <utility>

namespace wb::test {
namespace {

class LoopMaker {
 public:
  explicit LoopMaker(Choices& choices) : choices_(choices) {}

  std::string Function(uint32_t index) {
    text_ = "(func (export \"f" + std::to_string(index) +
            "\") (param $x i32) (param $y i64) (param f32 f64) (result i32 i64)\n"
            "  (local $i i32) (local $p i32) (local $q i32) (local $n i32) (local $s i32)"
            " (local $w i64) (local $outer i32) (local $c i32) (local $j i32) (local $k i32)\n";
    Frame();
    Line("(local.set $s (local.get $x))");
    const bool nested = Chance(40);
    if (nested) {
      Line("(local.set $outer " + I32(1 + Below(3)) + ")");
      Line("(loop $again");
    }
    Pointers();
    Loop();
    if (Chance(40)) Loop();
    if (nested) {
      Line("(br_if $again (local.tee $outer (i32.sub (local.get $outer) (i32.const 1)))))");
    }
    Line("(global.set $sp (i32.add (local.get $q) (i32.const 64)))");
    Line("(i32.xor (local.get $s) (i32.load (i32.const 65532)))");
    Line("(i64.xor (local.get $w) (i64.load (i32.const 65520))))");
    return text_;
  }

 private:
  uint32_t Below(uint32_t bound) { return choices_.Below(bound); }
  bool Chance(uint32_t percent) { return choices_.Chance(percent); }
  std::string OneOf(std::initializer_list<std::string_view> row) {
    return std::string(*(row.begin() + Below(static_cast<uint32_t>(row.size()))));
  }
  template <size_t kCount>
  uint32_t OneOf(const uint32_t (&row)[kCount]) {
    return row[Below(kCount)];
  }
  void Line(const std::string& line) { text_ += "  " + line + "\n"; }

  // As a compiler begins a function with 64 bytes of its own.
  void Frame() {
    Line("(local.set $q (i32.sub (global.get $sp) (i32.const 64)))");
    Line("(global.set $sp (local.get $q))");
  }

  // $p: near $q, in the first KiB, at the end of memory, or anywhere.
  void Pointers() {
    switch (Below(6)) {
      case 0: Line("(local.set $p " + I32(8 * Below(100)) + ")"); break;
      case 1: Line("(local.set $p (i32.add (local.get $q) " + I32(4 * Below(20)) + "))"); break;
      case 2:
        Line("(local.set $p (i32.add " + I32(Below(64)) +
             " (i32.shl (i32.and (local.get $x) (i32.const 15)) (i32.const 2))))");
        break;
      case 3: Line("(local.set $p " + I32(65536 - 4 * Below(60)) + ")"); break;
      case 4:  // mostly ends in a trap
        Line("(local.set $p (i32.mul " + OneOf({"(local.get $x)", "(local.get $q)"}) + " " +
             I32(OneOf(kTimes)) + "))");
        break;
      default: Line("(local.set $p (i32.or (local.get $q) (i32.const 4)))"); break;
    }
  }

  void Loop() {
    step_ = OneOf(kSteps);
    const bool falls = Chance(30);
    const uint32_t rounds = Below(24);
    const uint32_t first = OneOf(kFirst);
    const bool open = Chance(35);  // the bound depends on the lane
    const uint32_t way = rounds * step_ + (Chance(10) ? 1 : 0);
    uint32_t last = falls ? first - way : first + way;
    if (Chance(10)) last = falls ? Below(3) : ~Below(3);
    Line(open ? "(local.set $n (i32.add " + I32(last) + " (i32.mul (i32.and (local.get $x)" +
                    " (i32.const 3)) " + I32(step_) + ")))"
              : "(local.set $n " + I32(last) + ")");
    Line("(local.set $i " + I32(first) + ")");
    const std::string bound = open ? "(local.get $n)" : I32(last);
    const std::string step = std::string("(local.set $i (") + (falls ? "i32.sub" : "i32.add") +
                             " (local.get $i) " + I32(step_) + "))";
    const bool at_end = Chance(60);
    Line(at_end ? "(block $out (loop $loop" : "(block $out (loop $loop (block $skip");
    const bool early = Chance(30);
    if (!at_end && !early) Line("(br_if $out (" + Until(falls) + " (local.get $i) " + bound + "))");
    Body(1 + Below(5));
    if (Chance(25)) Inner(0);
    if (early) Line(step);
    if (!at_end && early) Line("(br_if $out (" + Until(falls) + " (local.get $i) " + bound + "))");
    Body(Below(3));
    if (!early) Line(step);
    if (Chance(30))
      Line("(local.set $p (i32.add (local.get $p) " + I32(OneOf(kPointerSteps)) + "))");
    if (at_end) {
      Line("(br_if $loop (" + While(falls) + " (local.get $i) " + bound + "))))");
    } else {
      Line(") (br $loop)))");
    }
  }

  // A loop with few rounds, mostly known before. Some are left or go on early, and some branches in
  // them follow from the number of the round.
  void Inner(uint32_t depth) {
    const std::string outer = std::exchange(index_, depth == 0 ? "$j" : "$k");
    const std::string level = std::to_string(depth), value = "(local.get " + index_ + ")";
    const uint32_t step = OneOf(kInnerSteps), first = OneOf(kInnerFirst);
    const std::string last =
        Chance(10) ? "(i32.and (local.get $s) (i32.const 7))" : I32(first + step * (1 + Below(4)));
    Line("(local.set " + index_ + " " + I32(first) + ")");
    Line("(block $left" + level + " (loop $inner" + level + " (block $next" + level);
    if (Chance(30)) {
      Line("(br_if $next" + level + " (i32.eq " + value + " " + I32(first + step) + "))");
    }
    if (Chance(25)) Undecided(OneOf({"$left", "$next"}) + level);
    Body(1 + Below(2));
    if (Chance(30)) {
      Line("(if (i32.gt_u " + value + " " + I32(first + step) + ") (then");
      Body(1);
      if (Chance(20)) Line("(br " + OneOf({"$left", "$next"}) + level + ")");
      Line(") (else");
      Body(Below(2));
      Line("))");
    }
    if (depth == 0 && Chance(35)) Inner(1);
    if (Chance(20)) Undecided(OneOf({"$left", "$next"}) + level);
    Line(")");
    Line("(local.set " + index_ + " (i32.add " + value + " " + I32(step) + "))");
    Line("(br_if $inner" + level + " (" + OneOf({"i32.lt_u", "i32.ne", "i32.le_s"}) + " " + value +
         " " + last + "))))");
    index_ = outer;
  }
  void Undecided(const std::string& target) {
    Line("(br_if " + target + " (i32.eq (i32.and (local.get $s) (i32.const 7)) (i32.const 5)))");
  }

  std::string While(bool falls) {
    return falls ? OneOf({"i32.ne", "i32.ne", "i32.gt_s", "i32.ge_s", "i32.gt_u", "i32.ge_u"})
                 : OneOf({"i32.ne", "i32.ne", "i32.lt_s", "i32.le_s", "i32.lt_u", "i32.le_u"});
  }
  std::string Until(bool falls) {
    return falls ? OneOf({"i32.eq", "i32.eq", "i32.le_s", "i32.lt_s", "i32.le_u", "i32.lt_u"})
                 : OneOf({"i32.eq", "i32.eq", "i32.ge_s", "i32.gt_s", "i32.ge_u", "i32.gt_u"});
  }

  void Body(uint32_t accesses) {
    for (uint32_t i = 0; i < accesses; ++i) {
      const bool guarded = Chance(15);
      if (guarded) Line("(if (i32.and (local.get $s) (i32.const 1)) (then");
      Chance(50) ? Load() : Store();
      if (guarded) Line("))");
    }
    if (Chance(8))
      Line("(br_if $out (i32.eq (i32.and (local.get $s) (i32.const 63)) (i32.const 7)))");
    if (Chance(IsInner() ? 1 : 5)) {
      Line("(local.set $s (i32.div_u (local.get $s) (i32.and (local.get $s) (i32.const 15))))");
    }
  }

  // In place, in the frame, stepped, bounded, or from memory.
  std::string Address() {
    const std::string offset = I32(4 * Below(24));
    switch (Below(16)) {
      case 0:
      case 1: return "(local.get $q)";
      case 2: return "(i32.add (local.get $q) " + offset + ")";
      case 3: return "(i32.or (local.get $q) (i32.const 8))";
      case 4: return "(local.get $p)";
      case 5:
      case 6: return "(i32.add (local.get $p) " + Index() + ")";
      case 7:
        return "(i32.add (local.get $q) (i32.mul " + Index() + " " + I32(OneOf(kTimes)) + "))";
      case 8: return "(i32.add " + Index() + " " + offset + ")";
      case 9: return "(i32.shl (i32.and (local.get $s) (i32.const 63)) (i32.const 2))";
      case 10:
        return Chance(IsInner() ? 5 : 30) ? "(local.get $s)"
                                          : "(i32.sub (local.get $p) " + Index() + ")";
      case 11:
      case 12: return Clamped();
      case 13: return "(i32.add " + Index() + " " + I32(2040 + Below(12)) + ")";
      case 14: return "(i32.add " + Index() + " " + I32(4 * Below(40)) + ")";
      default: return I32(4 * Below(200) + (Chance(10) ? 1 : 0));
    }
  }

  // An index kept between two bounds, or nearly so, times something, from a base.
  std::string Clamped() {
    const std::string index = OneOf({"(local.get $s)", "(i32.add (local.get $i) (i32.const -20))",
                                     "(i32.add (local.get $outer) " + Index() + ")",
                                     "(i32.shr_s (local.get $s) (i32.const 22))"});
    const uint32_t low = Below(40), high = low + Below(60);
    const std::string inner = OneSide(index, Chance(10) ? ~Below(20) : high);
    const std::string sum =
        "(i32.add (i32.mul " + OneSide(inner, low) + " " + I32(OneOf(kTimes)) + ") ";
    return sum +
           OneOf({"(i32.const 64))", "(local.get $q))", "(i32.const -160))", "(local.get $p))"});
  }
  std::string OneSide(const std::string& value, uint32_t bound) {
    const std::string other = I32(bound + (Chance(10) ? 1 : 0));
    const std::string test =
        OneOf({"lt_s", "lt_u", "le_s", "gt_s", "gt_u", "ge_u", "lt_u", "gt_s"});
    const bool swapped = Chance(25);
    return "(select (local.tee $c " + value + ") " + I32(bound) + " (i32." + test + " " +
           (swapped ? other + " (local.get $c)))" : "(local.get $c) " + other + "))");
  }
  // Runs more often: what traps there is rare.
  bool IsInner() const { return index_ != "$i"; }
  std::string Index() const { return "(local.get " + index_ + ")"; }
  std::string Offset() {
    return Chance(50) ? " offset=" + std::to_string(4 * Below(20) + (Chance(10) ? 2 : 0)) : "";
  }

  void Load() {
    const std::string rest = Offset() + " " + Address() + ")";
    if (Chance(60)) {
      const std::string load = OneOf({"i32.load", "i32.load", "i32.load", "i32.load8_u",
                                      "i32.load8_s", "i32.load16_u", "i32.load16_s"});
      Line("(local.set $s (i32.xor (i32.rotl (local.get $s) (i32.const 5)) (" + load + rest + "))");
      return;
    }
    const std::string load =
        OneOf({"i64.load", "i64.load", "i64.load32_u", "i64.load32_s", "i64.load8_u"});
    Line("(local.set $w (i64.add (i64.mul (local.get $w) (i64.const 31)) (" + load + rest + "))");
  }

  void Store() {
    const std::string at = Offset() + " " + Address() + " ";
    switch (Below(10)) {
      case 0: Line("(i32.store8" + at + "(local.get $s))"); break;
      case 1: Line("(i32.store16" + at + "(local.get $s))"); break;
      case 2: Line("(i64.store" + at + "(i64.add (local.get $w) (local.get $y)))"); break;
      case 3: Line("(i64.store32" + at + "(local.get $w))"); break;
      case 4: Line("(f32.store" + at + "(f32.convert_i32_u (local.get $s)))"); break;
      case 5: Line("(f64.store" + at + "(f64.convert_i32_s (local.get $i)))"); break;
      case 6: Line("(f64.store" + at + Sum("f64", at) + ")"); break;
      case 7: Line("(f32.store" + at + Sum("f32", at) + ")"); break;
      default: Line("(i32.store" + at + "(i32.add (local.get $s) (local.get $i)))"); break;
    }
  }

  // Of what lies there, any bits, and a number or NaN.
  std::string Sum(const std::string& type, const std::string& at) {
    const std::string number = "(" + type + ".convert_i32_s (local.get $s))";
    return "(" + type + OneOf({".add", ".sub", ".mul", ".min"}) + " (" + type + ".load" + at +
           ") " + (Chance(50) ? "(" + type + ".sqrt " + number + ")" : number) + ")";
  }

  static constexpr uint32_t kSteps[] = {1, 4, 4, 8, 2, 3, 12, 0x10000000};
  static constexpr uint32_t kInnerSteps[] = {1, 4, 4, 8};
  static constexpr uint32_t kInnerFirst[] = {0, 0, 4, 96};
  static constexpr uint32_t kPointerSteps[] = {4, 8, 1, 0xfffffffc, 64};
  static constexpr uint32_t kTimes[] = {4, 8, 1, 3, 0xfffffffc, 1024};
  static constexpr uint32_t kFirst[] = {0,          0,          4,          96,
                                        0xffffffe0, 0xfffffff0, 0x7ffffff0, 0x80000000};

  Choices& choices_;
  std::string text_;
  uint32_t step_ = 0;
  std::string index_ = "$i";  // of the innermost open loop
};

}  // namespace

std::string MakeRandomLoops(Choices& choices, uint32_t functions) {
  LoopMaker maker(choices);
  std::string text =
      "(module (memory (export \"memory\") 1 2)\n"
      "(global $sp (mut i32) (i32.const 512))\n"
      "(data (i32.const 2040) \"A span of 2048 bytes begins within these words, which little "
      "writes.\")\n"
      "(data (i32.const 0) \"";
  for (uint32_t i = 0; i < 8; ++i) {
    text +=
        "The first bytes of memory are data; loops at known addresses read them, and some write "
        "here. ";
  }
  text += "\")\n";
  for (uint32_t i = 0; i < functions; ++i) text += maker.Function(i);
  return text + ")\n";
}

}  // namespace wb::test
