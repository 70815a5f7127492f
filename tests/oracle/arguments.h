#pragma once

// Arguments for exported functions: corner values first, then pseudo-random ones; function
// references are null. Deterministic.

#include <cstdint>
#include <vector>

#include "tests/oracle/oracle.h"

namespace wb::oracle {

class ArgumentSource {
 public:
  explicit ArgumentSource(uint64_t seed) : state_(seed) {}
  std::vector<Value> Take(const std::vector<Type>& params);

 private:
  uint64_t Random();
  uint64_t Bits(Type type);

  uint64_t state_;
};

}  // namespace wb::oracle
