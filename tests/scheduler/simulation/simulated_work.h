#pragma once

// SimulatedWork: what a device does with a job's instances, as far as time goes: lanes in step, of
// equal or ragged lengths, whose fuel costs more in some phases than in others. Pure; the same seed
// gives the same times.

#include <chrono>
#include <cstdint>
#include <random>
#include <vector>

#include "scheduler/control/slice_controller.h"

namespace wb::test {

struct WorkShape {
  double cost = 25;            // ns per fuel of a lane (H200, full)
  double dearer = 1;           // times the cost, in every other phase
  double phase_fuel = 1e9;     // mean length of a phase
  double length = 1e7;         // mean fuel of an instance
  bool ragged = false;         // lengths exponentially distributed
  uint32_t lanes = 64;         // lanes in step that are simulated one by one
  double reaction_ns = 300e3;  // of the stop word, and of a launch; its mean
};

class SimulatedWork {
 public:
  SimulatedWork(const WorkShape& shape, uint64_t seed);

  // A launch: every lane runs until its instance ends, its fuel is spent, or the time is over;
  // ended lanes have new instances in the next. How long it took; ended() are the instances it
  // ended.
  std::chrono::nanoseconds Launch(const Slice& slice, bool stop_word);
  uint64_t ended() const { return ended_; }

 private:
  double Length();
  double Exponential(double mean);
  double Spend(double fuel, double most_ns, double* spent);
  void Refill(double spent);

  const WorkShape shape_;
  std::mt19937_64 random_;
  std::vector<double> lanes_;  // fuel that is left to each
  double phase_left_;
  bool dear_ = false;
  uint64_t ended_ = 0;
};

}  // namespace wb::test
