#pragma once

// States that mean nothing, for tests of what keeps them.

#include <optional>
#include <utility>

#include "compiler/abi/lane.h"
#include "scheduler/job/given_state.h"

namespace wb {

inline constexpr uint32_t kUsedFuel = 777;

// With some of its output taken, which has no frames.
inline MovedLane SomeLane(uint32_t words) {
  MovedLane lane;
  lane.image.form.bytes[0] = 9;
  lane.image.record.resize(abi::RECORD_REGISTERS + 3, 5);
  lane.image.record[abi::RECORD_FUEL_LO] = kUsedFuel;
  lane.image.record[abi::RECORD_FUEL_HI] = 0;
  for (uint32_t i = 0; i < words; ++i) lane.image.state.push_back(i * 2654435761u);
  lane.fuel = kUsedFuel;
  DrainedOutput output(false);
  (void)output.Join(AsBytes("what it wrote"), 100);
  lane.drained = std::move(output);
  return lane;
}

}  // namespace wb
