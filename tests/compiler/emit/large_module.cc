#include "tests/compiler/emit/large_module.h"

#include <random>

namespace wb::test {
namespace {

constexpr const char* kHead =
    "(module (memory (export \"memory\") 1 1)\n(func (export \"f0\") (param i32 i64 f32 f64) "
    "(result i32)\n";

std::string Number(uint64_t number) { return std::to_string(number); }

}  // namespace

// Local 0 is the argument, 4 the rounds left, 5 the sum, 6 the next index.
std::string LadderModule(uint32_t blocks, uint32_t entries) {
  std::string text = std::string(kHead) + "(local i32 i32 i32)\n";
  text += "(local.set 4 (i32.const 40)) (local.set 6 (local.get 0))\n(block (loop\n";
  text += "(br_if 1 (i32.eqz (local.tee 4 (i32.sub (local.get 4) (i32.const 1)))))\n";
  // Somewhere else in each round, from what the last one left behind.
  text += "(local.set 6 (i32.add (i32.mul (local.get 6) (i32.const 1103515245)) (local.get 5)))\n";
  for (uint32_t i = 0; i < blocks; ++i) text += "block\n";
  text += "(br_table";
  for (uint32_t i = 0; i < entries; ++i) text += " " + Number(i * 7919u % blocks);
  text += " 0 (i32.rem_u (i32.shr_u (local.get 6) (i32.const 3)) (i32.const ";
  text += Number(entries + 1) + ")))\n";
  for (uint32_t i = 0; i < blocks; ++i) {
    text += "end (local.set 5 (i32.add (i32.mul (local.get 5) (i32.const 31)) (i32.const " +
            Number(i) + ")))";
    if (i % 4 != 3) text += " (br " + Number(blocks - 1 - i) + ")";  // the next round
    if (i % 1024 == 1023) text += " (br_if " + Number(blocks - i) + " (local.get 0))";
    text += "\n";
  }
  return text + "(br 0)))\n(local.get 5)))\n";
}

std::string NestModule(uint32_t depth) {
  std::string text = std::string(kHead) + "(local i32 i32)\n(local.set 4 (i32.const 700))\n";
  const std::string mix =
      "(local.set 5 (i32.add (i32.mul (local.get 5) (i32.const 33)) "
      "(i32.xor (local.get 0) (i32.const ";
  const std::string spend =
      "(i32.gt_s (local.tee 4 (i32.sub (local.get 4) (i32.const 1))) (i32.const 0))";
  for (uint32_t i = 0; i < depth; ++i) {
    text += mix + Number(i) + "))))\n";
    if (i % 3 == 0) text += "loop\n";
    if (i % 3 == 1) text += "(i32.and (local.get 5) (i32.const 12)) if\n";
    if (i % 3 == 2) text += "block (br_if 0 (i32.eq (local.get 4) (i32.const 5)))\n";
  }
  for (uint32_t i = depth; i-- > 0;) {
    text += mix + Number(i + 77) + "))))\n";
    // Far out, but only rarely; an if's or a block's label leaves it, a loop's repeats it.
    if (i % 7 == 0) {
      text += "(br_if " + Number(i / 2) + " (i32.and (i32.eqz (i32.and (local.get 5) (i32.const " +
              "124))) " + spend + "))\n";
    }
    if (i % 3 == 0)
      text += "(br_if 0 (i32.and (i32.and (local.get 5) (i32.const 1)) " + spend + "))";
    if (i % 3 == 1) text += "else " + mix + Number(i + 5) + "))))\n";
    text += "end\n";
  }
  return text + "(local.get 5)))\n";
}

std::string HugeModule(uint32_t instructions, uint32_t locals) {
  std::mt19937_64 random(7);
  const auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
  const auto any = [&] { return Number(6 + below(locals)); };
  std::string text = std::string(kHead) + "(local i32 i32";
  for (uint32_t i = 0; i < locals; ++i) text += " i32";
  text += ")\n(local.set 6 (local.get 0))\n";
  const auto statement = [&] {
    static constexpr const char* kBinary[] = {"add", "sub", "mul", "xor", "and", "or", "shr_u"};
    text += "(local.set " + any() + " (i32." + kBinary[below(7)] + " (local.get " + any() +
            ") (i32.add (local.get " + any() + ") (i32.const " + Number(below(1000)) + "))))\n";
    if (below(4) != 0) return 6u;
    text += "(i32.store (i32.and (local.get " + any() + ") (i32.const 1020)) (local.get " + any() +
            "))\n";
    return 11u;
  };
  for (uint32_t done = 0; done < instructions;) {
    const uint32_t kind = below(4);
    const std::string bits = Number(1u << below(8));
    if (kind == 0) text += "(local.set 5 (i32.const " + Number(1 + below(3)) + ")) (loop\n";
    if (kind == 1)
      text += "(if (i32.and (local.get " + any() + ") (i32.const " + bits + ")) (then\n";
    if (kind == 2)
      text += "(block (br_if 0 (i32.and (local.get " + any() + ") (i32.const " + bits + ")))\n";
    for (uint32_t i = 2 + below(6); i > 0; --i) done += statement();
    if (kind == 0) text += "(br_if 0 (local.tee 5 (i32.sub (local.get 5) (i32.const 1)))))\n";
    if (kind == 1) text += ") (else\n";
    if (kind == 1) done += statement();
    if (kind == 1) text += "))\n";
    if (kind == 2) text += ")\n";
    done += 6;
  }
  text += "(local.get 6)";
  for (uint32_t i = 1; i < locals; ++i) text += " (i32.xor (local.get " + Number(6 + i) + "))";
  return text + "))\n";
}

}  // namespace wb::test
