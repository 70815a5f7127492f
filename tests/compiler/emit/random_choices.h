#pragma once

// Test only: the choices that a generator makes, drawn from a seed or given, and remembered. What
// is made of the same choices is the same, so a generated case is made smaller by making its
// choices fewer and smaller: 0 is always the simplest.

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace wb::test {

class Choices {
 public:
  explicit Choices(uint64_t seed) : random_(seed) {}
  // These one after the other, then 0.
  explicit Choices(std::vector<uint32_t> given) : replays_(true), given_(std::move(given)) {}

  // A number below `bound`, which is at least 1.
  uint32_t Below(uint32_t bound) {
    const uint64_t drawn = replays_ ? NextGiven() : random_();
    made_.push_back(static_cast<uint32_t>(drawn % bound));
    return made_.back();
  }
  // 0 is false.
  bool Chance(uint32_t percent) { return Below(100) >= 100 - percent; }

  const std::vector<uint32_t>& made() const { return made_; }

 private:
  uint32_t NextGiven() { return made_.size() < given_.size() ? given_[made_.size()] : 0; }

  std::mt19937_64 random_;
  bool replays_ = false;
  std::vector<uint32_t> given_;
  std::vector<uint32_t> made_;
};

// A constant in the text format.
inline std::string I32(uint32_t value) { return "(i32.const " + std::to_string(value) + ")"; }

}  // namespace wb::test
