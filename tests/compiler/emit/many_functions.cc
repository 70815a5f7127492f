#include "tests/compiler/emit/many_functions.h"

#include <algorithm>
#include <random>

namespace wb::test {
namespace {

constexpr uint32_t kLocals = 7;  // the parameter, then five i32; the last counts loops
constexpr uint32_t kTable = 64;  // functions that it holds: the first, which call no other

class Printer {
 public:
  std::string Function(uint32_t number, uint32_t instructions) {
    text_ = "(func $f" + std::to_string(number) +
            " (param i32) (result i32) (local i32 i32 i32 i32 i32 i32)\n";
    for (uint32_t done = 0; done < instructions; done += 6) Piece(number);
    text_ += "(i32.xor (i32.xor " + Get() + " " + Get() + ") (local.get 0)))\n";
    return std::move(text_);
  }

 private:
  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }
  std::string Any() { return std::to_string(Below(kLocals - 1)); }
  std::string Get() { return "(local.get " + Any() + ")"; }

  void Statement() {
    static constexpr const char* kBinary[] = {"add", "sub", "mul", "xor", "rotl", "or", "shr_u"};
    text_ += "(local.set " + Any() + " (i32." + kBinary[Below(7)] + " " + Get() + " (i32.add " +
             Get() + " (i32.const " + std::to_string(Below(100000)) + "))))\n";
  }

  // Of functions with lower numbers, so that all ends; few, so that it ends soon.
  void Call(uint32_t number) {
    if (number < kTable) return Statement();
    if (Below(2) == 0) {
      text_ += "(local.set " + Any() + " (call_indirect (type $f) " + Get() + " (i32.and " + Get() +
               " (i32.const " + std::to_string(kTable - 1) + "))))\n";
    } else {
      text_ += "(local.set " + Any() + " (call $f" + std::to_string(Below(kTable)) + " " + Get() +
               "))\n";
    }
  }

  void Piece(uint32_t number) {
    switch (Below(16)) {
      case 0:
        text_ += "(local.set 6 (i32.const 3)) (loop\n";
        Statement();
        text_ += "(br_if 0 (local.tee 6 (i32.sub (local.get 6) (i32.const 1)))))\n";
        return;
      case 1:
        text_ += "(if (i32.and " + Get() + " (i32.const 4)) (then\n";
        Statement();
        text_ += "))\n";
        return;
      case 2:
        text_ += "(i32.store (i32.and " + Get() + " (i32.const 65532)) " + Get() + ")\n";
        return;
      case 3:
        text_ += "(local.set " + Any() + " (i32.load (i32.and " + Get() + " (i32.const 65532))))\n";
        return;
      case 4: return Call(number);
      default: return Statement();
    }
  }

  std::mt19937_64 random_{11};
  std::string text_;
};

}  // namespace

std::string ManyFunctionsModule(uint32_t functions, uint32_t instructions) {
  Printer printer;
  std::string text = "(module (type $f (func (param i32) (result i32))) (memory 1)\n(table " +
                     std::to_string(kTable) + " funcref)\n(elem (i32.const 0)";
  for (uint32_t i = 0; i < std::min(kTable, functions); ++i) text += " $f" + std::to_string(i);
  text += ")\n";
  for (uint32_t i = 0; i < functions; ++i) text += printer.Function(i, instructions);
  text += "(func (export \"run\") (param i32) (result i32)\n";
  for (uint32_t i = 0; i < functions; ++i) {
    text += "(local.set 0 (call $f" + std::to_string(i) + " (local.get 0)))\n";
  }
  return text + "(local.get 0)))\n";
}

}  // namespace wb::test
