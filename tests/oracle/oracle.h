#pragma once

// wabt's interpreter as an independent oracle: runs exported functions of one module and tells what
// came out. Slow and shallow (about 2,000 activations); it knows no fuel, so what it is given must
// end by itself. It keeps NaN payloads that WasmBurst makes canonical, so floats are compared by
// class where both are NaN.
//
// C++17 on both sides of this header: <wabt/interp/*.h> does not compile as C++20.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wb::oracle {

enum class Type : uint8_t { kI32, kI64, kF32, kF64, kV128, kFuncRef, kExternRef };

struct Value {
  Type type = Type::kI32;
  uint64_t bits = 0;
  uint64_t high = 0;  // of a vector
};

struct Outcome {
  bool trapped = false;
  std::string trap;  // the specification's words, where wabt has others they are translated
  std::vector<Value> results;
};

struct Export {
  std::string name;
  std::vector<Type> params;
  std::vector<Type> results;
};

// One instance. One thread at a time.
class Oracle {
 public:
  // Reads and instantiates. Null where the module has imports, is invalid or traps in its start;
  // `error` then says which.
  static std::unique_ptr<Oracle> Open(const std::vector<uint8_t>& wasm, std::string* error);
  virtual ~Oracle() = default;

  // Exported functions over numbers, in the module's order.
  virtual const std::vector<Export>& exports() const = 0;
  virtual Outcome Call(const std::string& name, const std::vector<Value>& args) = 0;
  virtual std::vector<uint8_t> Memory() const = 0;  // memory 0 as it is now; empty without one
  virtual std::vector<Value> Globals() const = 0;   // numbers among all globals, in order
};

}  // namespace wb::oracle
