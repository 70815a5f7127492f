#pragma once

// The ways out of a loop over activations. Each is a state of its own, behind those of the rows: a
// lane that ends the function goes to it, no state follows in its round, and the loop ends. Behind
// the loop the state says why. So `w` is not alive in the rounds: a variable that the loop carries
// costs a move wherever ways meet.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/emit/text/text.h"

namespace wb {

class WaysOut {
 public:
  // The variable for what must be known at once.
  static constexpr const char* kVariable = "why";
  static constexpr size_t kMost = 64;

  // Ways are numbered from here on. The first one is that of a function that returns.
  explicit WaysOut(uint32_t first) : first_(first) {}

  uint32_t first() const { return first_; }
  // The state of those for which `why` is computed behind the loop, "0x40000001u". 0: there are
  // too many.
  uint32_t StateOf(const std::string& why);
  // Behind a state: "if (w != 0u) { ... }", for those that have given `w` the reason.
  std::string TakeText();
  // Behind the loop: gives `w` its value.
  void Write(Text& text) const;

 private:
  uint32_t first_;
  std::vector<std::string> whys_ = {kVariable};  // of first_ + 1 and so on
  bool takes_ = false;
};

}  // namespace wb
