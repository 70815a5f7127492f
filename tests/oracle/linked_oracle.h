#pragma once

// Several modules that import from one another, in wabt's interpreter; instantiated one by one.
// C++17 on both sides of this header, as in oracle.h.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/oracle/oracle.h"

namespace wb::oracle {

struct Part {
  std::vector<uint8_t> wasm;
  std::map<std::string, uint32_t> imports_from;  // name of a module in imports -> earlier part
};

// One set of instances. One thread at a time.
class LinkedOracle {
 public:
  // Reads the parts. Null where one is not valid for wabt; `error` says why.
  static std::unique_ptr<LinkedOracle> Open(const std::vector<Part>& parts, std::string* error);
  virtual ~LinkedOracle() = default;

  // After those that it imports from. A trap leaves the part without an instance.
  virtual Outcome Instantiate(uint32_t part) = 0;
  // An exported function over any types; a vector's upper half is Value::high, a reference is 0 or
  // 1: whether it is one.
  virtual Outcome Call(uint32_t part, const std::string& name, const std::vector<Value>& args) = 0;
};

}  // namespace wb::oracle
