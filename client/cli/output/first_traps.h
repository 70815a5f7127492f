#pragma once

// The first traps of a job, in words: a table of many results hides them. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "wasmburst/v1/results.pb.h"

namespace wb::cli {

class FirstTraps {
 public:
  // Results in the order in which they come. Only those that ended with a trap count.
  void Add(const wasmburst::v1::InstanceResult& result);
  // Traps whose calls are known, which come a little later, stand before others.
  // "instance 17 trapped: integer divide by zero in parse (function 12, offset 0x1a3)", a line for
  // each of the first three, and the calls that led to it under it; and how many more there are.
  // Empty without traps; no line end behind the last.
  std::string Text() const;

 private:
  uint64_t trapped_ = 0;
  std::vector<std::string> with_calls_;
  std::vector<std::string> others_;
};

}  // namespace wb::cli
