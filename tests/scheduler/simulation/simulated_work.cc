#include "tests/scheduler/simulation/simulated_work.h"

#include <algorithm>
#include <limits>

namespace wb::test {

SimulatedWork::SimulatedWork(const WorkShape& shape, uint64_t seed)
    : shape_(shape),
      random_(seed),
      lanes_(shape.lanes),
      phase_left_(Exponential(shape.phase_fuel)) {
  for (double& lane : lanes_) lane = Length();
}

double SimulatedWork::Exponential(double mean) {
  return std::exponential_distribution<double>(1 / mean)(random_) + 1;
}

double SimulatedWork::Length() {
  return shape_.ragged ? Exponential(shape_.length) : shape_.length;
}

// Uses up to `fuel`, no longer than `most_ns`; the time it took.
double SimulatedWork::Spend(double fuel, double most_ns, double* spent) {
  double took = 0;
  while (fuel > 0 && took < most_ns) {
    const double cost = shape_.cost * (dear_ ? shape_.dearer : 1);
    const double now = std::min({fuel, phase_left_, (most_ns - took) / cost});
    took += now * cost;
    fuel -= now;
    phase_left_ -= now;
    *spent += now;
    if (phase_left_ > 1e-6) {
      if (most_ns - took < 1e-3) break;
      continue;
    }
    phase_left_ = Exponential(shape_.phase_fuel);
    dear_ = !dear_;
  }
  return took;
}

void SimulatedWork::Refill(double spent) {
  for (double& lane : lanes_) {
    lane -= spent;
    if (lane > 0) continue;
    ++ended_;
    lane = Length();
  }
}

std::chrono::nanoseconds SimulatedWork::Launch(const Slice& slice, bool stop_word) {
  const double longest = *std::max_element(lanes_.begin(), lanes_.end());
  const double fuel = std::min(longest, static_cast<double>(slice.fuel));
  const double most = stop_word ? static_cast<double>(slice.max_duration.count())
                                : std::numeric_limits<double>::infinity();
  double spent = 0;
  double took = Spend(fuel, most, &spent);
  if (spent < fuel) {
    // The slowest lane has nearly a whole quantum to go when the word is set.
    std::uniform_real_distribution<double> nearly(0.8, 1.0);
    took += Exponential(shape_.reaction_ns);
    took += Spend(std::min(fuel - spent, slice.quantum * nearly(random_)),
                  std::numeric_limits<double>::infinity(), &spent);
  }
  Refill(spent);
  return std::chrono::nanoseconds(static_cast<int64_t>(took));
}

}  // namespace wb::test
