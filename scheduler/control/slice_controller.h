#pragma once

// SliceController: how long the next launch of a pipeline may last, so that the burst it belongs to
// ends at its time. Pure: a function of what earlier launches took.
//
// With a stop word a launch ends at its time plus what a quantum of fuel takes in the slowest lane;
// so quanta are no longer than a small share of the burst by the worst that was seen, and the
// launch is aimed as much earlier as launches usually are late. Without one only fuel ends a
// launch: it is sized by the worst cost of fuel that was seen, which is forgotten slowly, and grows
// step by step.

#include <chrono>
#include <cstdint>

namespace wb {

struct Slice {
  std::chrono::nanoseconds max_duration{};
  uint64_t fuel = 0;     // of an instance
  uint32_t quantum = 0;  // fuel between two looks at the stop word
};

// What a device wants of its bursts.
struct BurstShape {
  std::chrono::nanoseconds burst{std::chrono::milliseconds(500)};
  // Of one launch. Where a display hangs on the GPU, or nothing but fuel ends a launch, some 20 ms.
  std::chrono::nanoseconds longest_slice{std::chrono::milliseconds(500)};
  bool stop_word = true;  // launches can be ended from outside

  // By how much a launch may be late: a fiftieth of the burst.
  std::chrono::nanoseconds Tolerance() const { return burst / 50; }
};

class SliceController {
 public:
  static constexpr uint64_t kWholeFuel = uint64_t{1} << 62;
  static constexpr uint32_t kShortestQuantum = 20'000;
  static constexpr uint32_t kFirstQuantum = 1u << 18;  // H200: some 7 ms
  static constexpr uint64_t kShortestFuel = 1'000;
  static constexpr uint64_t kFirstFuel = 20'000;

  explicit SliceController(const BurstShape& shape) : shape_(shape) {}

  // `left` of the burst, more than nothing. `quantum`: what suits the instances at most.
  Slice Next(std::chrono::nanoseconds left, uint32_t quantum) const;

  // A launch took so long.
  void Record(const Slice& slice, std::chrono::nanoseconds took);

 private:
  uint64_t FuelFor(double nanoseconds) const;
  uint32_t QuantumFor(uint32_t wanted) const;
  void RecordLateness(const Slice& slice, double late);

  BurstShape shape_;
  double usual_lateness_ = 0;      // ns
  double worst_quantum_cost_ = 0;  // ns per fuel of a quantum, as lateness shows it
  uint32_t longest_quantum_ = 0;   // that was tried; 0: none
  double worst_fuel_cost_ = 0;     // ns per fuel of a slice
  uint64_t last_fuel_ = 0;         // of the last fuel slice; 0: none
};

}  // namespace wb
