#pragma once

// KeptLanes: the memory of the lanes of a dispatch in and out of which much moved, after it. A
// dispatch of the same module and shape takes it over, so that the next call of a session finds its
// lanes as the last one left them (LaneImage::left_as, bench/docs/session.md). To all others it is
// memory of which nothing is known.
//
// `Memory` is what the device has lanes in, with its share of the device's budget: movable, empty
// by default. Threads: the one that owns the device.

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/base/digest.h"
#include "compiler/compiler.h"
#include "scheduler/devices/dispatch_shape.h"
#include "scheduler/devices/migration/move_lanes.h"

namespace wb {

// Where the words of a dispatch's lanes lie. Another build of the module has the same.
struct LanePlan {
  Digest module;
  LaneLayout layout;
  uint32_t lanes = 0;
  MemoryReserve reserve;
  uint32_t stack = 0;
  bool operator==(const LanePlan&) const = default;

  static LanePlan Of(const LoweredModule& module, const DispatchShape& shape) {
    return {module.program.module->digest(), module.layout, shape.lanes, shape.Reserve(),
            shape.StackReserve()};
  }
};

template <class Memory>
class KeptLanes {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  // So long it is kept for the next call.
  static constexpr std::chrono::seconds kLongest{5};
  // From so many bytes that moved on it is worth it.
  static constexpr uint64_t kLeastBytes = uint64_t{4} << 10;

  struct Lanes {
    Memory memory;
    std::vector<HeldWords> held;
  };

  // Up to `most_bytes` that moved.
  explicit KeptLanes(uint64_t most_bytes) : most_bytes_(most_bytes) {}

  // `moved`: bytes of states that went in and out.
  void Keep(LanePlan plan, Lanes lanes, uint64_t moved, TimePoint now) {
    Drop();
    if (moved < kLeastBytes || moved > most_bytes_) return;
    for (HeldWords& held : lanes.held) held.lent = {};
    plan_ = std::move(plan);
    lanes_ = std::move(lanes);
    until_ = now + kLongest;
  }
  // nullopt: there are none like these.
  std::optional<Lanes> Take(const LanePlan& plan) {
    if (plan_ != plan) return std::nullopt;
    Lanes lanes = std::move(lanes_);
    Drop();
    return lanes;
  }
  void Drop() {
    plan_.reset();
    lanes_ = {};
  }
  void DropOld(TimePoint now) {
    if (plan_ && now >= until_) Drop();
  }
  bool empty() const { return !plan_; }

 private:
  const uint64_t most_bytes_;
  std::optional<LanePlan> plan_;  // unset: nothing is kept
  Lanes lanes_;
  TimePoint until_;
};

}  // namespace wb
