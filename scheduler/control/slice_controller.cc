#include "scheduler/control/slice_controller.h"

#include <algorithm>

namespace wb {
namespace {

using std::chrono::nanoseconds;

constexpr double kForget = 0.995;      // what the worst seen still counts for after another launch
constexpr double kForgetFuel = 0.998;  // fuel slices are many times shorter
constexpr double kDoubt = 1.5;         // the next launch may be so much worse than the worst
constexpr double kUsualLatenessShare = 0.25;  // share of the last launch in what is usual
constexpr double kLeastCost = 1e-9;           // ns per fuel
constexpr uint32_t kGrowth = 2;               // from one launch to the next
// A launch is never aimed at less than this share of what is left, however late others were.
constexpr int kLeastAim = 4;

double Count(nanoseconds time) { return static_cast<double>(time.count()); }

}  // namespace

Slice SliceController::Next(nanoseconds left, uint32_t quantum) const {
  const nanoseconds wanted = std::min(left, shape_.longest_slice);
  Slice slice;
  slice.quantum = QuantumFor(quantum);
  slice.fuel = kWholeFuel;
  slice.max_duration = wanted;
  if (!shape_.stop_word) {
    slice.fuel = FuelFor(Count(wanted));
    return slice;
  }
  const nanoseconds early(static_cast<int64_t>(usual_lateness_));
  slice.max_duration = std::max({wanted - early, wanted / kLeastAim, nanoseconds(1)});
  return slice;
}

uint32_t SliceController::QuantumFor(uint32_t wanted) const {
  uint32_t most = longest_quantum_ == 0 ? kFirstQuantum : longest_quantum_ * kGrowth;
  if (worst_quantum_cost_ > 0) {
    const double affordable = Count(shape_.Tolerance()) / (worst_quantum_cost_ * kDoubt);
    if (affordable < most) most = static_cast<uint32_t>(affordable);
  }
  return std::min(wanted, std::max(most, kShortestQuantum));
}

uint64_t SliceController::FuelFor(double time) const {
  if (last_fuel_ == 0) return kFirstFuel;
  const double affordable = time / (worst_fuel_cost_ * kDoubt);
  const double grown = static_cast<double>(last_fuel_) * kGrowth;
  const double fuel = std::min({affordable, grown, static_cast<double>(kWholeFuel)});
  return std::max(kShortestFuel, static_cast<uint64_t>(fuel));
}

void SliceController::RecordLateness(const Slice& slice, double late) {
  usual_lateness_ += (late - usual_lateness_) * kUsualLatenessShare;
  worst_quantum_cost_ = std::max(worst_quantum_cost_ * kForget, late / slice.quantum);
  // Grown by what was tried, and no further: a quantum that was not run proves nothing.
  longest_quantum_ = std::min(slice.quantum, uint32_t{1} << 30);
}

void SliceController::Record(const Slice& slice, nanoseconds took) {
  if (shape_.stop_word) {
    // One that ended by itself says nothing of how late one is that is stopped.
    if (took >= slice.max_duration) RecordLateness(slice, Count(took - slice.max_duration));
    return;
  }
  const double cost = Count(took) / static_cast<double>(slice.fuel);
  worst_fuel_cost_ = std::max({worst_fuel_cost_ * kForgetFuel, cost, kLeastCost});
  last_fuel_ = slice.fuel;
}

}  // namespace wb
