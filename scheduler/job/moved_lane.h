#pragma once

// MovedLane: the state that an instance takes along from a device to the next one, and what the
// daemon holds of such at most.

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "scheduler/devices/dispatch_shape.h"
#include "scheduler/devices/lane_image.h"
#include "scheduler/job/drained_output.h"

namespace wb {

struct MovedLane {
  LaneImage image;
  bool fast32 = false;                   // of the kernel that left it; goes on in such a one only
  uint64_t fuel = 0;                     // used so far
  std::optional<DrainedOutput> drained;  // what was taken of its output, if it was
  BudgetShare share;                     // of the ImageBudget
};
using MovedLaneRef = std::shared_ptr<const MovedLane>;

// Bytes of all images that wait for a seat. Any thread.
class ImageBudget {
 public:
  explicit ImageBudget(uint64_t most) : most_(most) {}

  bool HasRoomFor(uint64_t bytes) const { return held_->load() + bytes <= most_; }
  // nullopt: so much would be too much.
  std::optional<BudgetShare> Hold(uint64_t bytes) const {
    BudgetShare share(held_, bytes);
    if (held_->load() > most_) return std::nullopt;
    return share;
  }
  // The state of an instance that can go on at once, and would otherwise never get further: beyond
  // `most`, but not much.
  std::optional<BudgetShare> HoldBeyond(uint64_t bytes) const {
    BudgetShare share(held_, bytes);
    if (held_->load() > most_ + kBeyond) return std::nullopt;
    return share;
  }
  uint64_t most_beyond() const { return most_ + kBeyond; }
  uint64_t held() const { return held_->load(); }

 private:
  static constexpr uint64_t kBeyond = uint64_t{64} << 20;
  const uint64_t most_;
  const std::shared_ptr<std::atomic<uint64_t>> held_ = std::make_shared<std::atomic<uint64_t>>(0);
};

}  // namespace wb
