#pragma once

// How long a command buffer may be, and how much fuel that is. Pure.
//
// Metal does not promise that a kernel sees what the host writes during a launch. A GPU that is
// held for long freezes the screen or is taken away. So a launch is a row of slices of fuel. Each
// is aimed at a few milliseconds by the time that the ones before it took.

#include <chrono>
#include <cstdint>

namespace wb {

// As NSProcessInfo reports it.
struct MetalConditions {
  int64_t thermal_state = 0;  // of scheduler/sensors/thermal_state.h
  bool low_power_mode = false;
  bool headless = false;  // no display hangs on this GPU
};

struct SlicePolicy {
  std::chrono::nanoseconds slice{};
  uint32_t in_flight = 2;           // command buffers given to the GPU at a time
  std::chrono::nanoseconds rest{};  // between two slices; only where one is in flight
};

// `wanted`: a slice's length by configuration. Zero: 20 ms, or 50 ms without a display.
SlicePolicy ChooseSlicePolicy(const MetalConditions& conditions, std::chrono::nanoseconds wanted);

// Fuel for the next slice.
class SliceAim {
 public:
  uint64_t next() const { return fuel_; }
  // A slice of `fuel` took `took`, and lanes were left at its end; `wanted` is the policy's.
  void Record(uint64_t fuel, std::chrono::nanoseconds took, std::chrono::nanoseconds wanted);

 private:
  // Short at first, since the time that a kernel needs for a unit of fuel is not known.
  uint64_t fuel_ = uint64_t{1} << 14;
};

}  // namespace wb
