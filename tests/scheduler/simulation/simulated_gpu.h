#pragma once

// A GPU as the occupancy tuner sees it: how fast it runs with so many lanes in such blocks, those
// of all launches that run abreast, one launch that waits at least, dispatches in turns, lanes that
// become fewer only as instances end.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "scheduler/control/occupancy_tuner.h"

namespace wb::test {

class SimulatedGpu {
 public:
  static constexpr uint32_t kProcessors = 132;
  static constexpr uint32_t kThreads = kProcessors * 2048;
  // Instructions a second with so many lanes a processor in blocks of so many threads.
  using Surface = std::function<double(uint32_t lanes_each, uint32_t block)>;

  SimulatedGpu(Surface surface, double noise = 0, uint32_t seed = 1)
      : surface_(std::move(surface)), noise_(noise), random_(seed) {}

  // Of such a GPU, for a pipeline that has these kernels.
  static OccupancyTuner TunerOf(FurtherKernels kernels = {}) {
    return {kProcessors, kThreads, kernels};
  }

  uint32_t lanes = kThreads;  // of a dispatch
  uint32_t abreast = 1;       // launches that run at the same time
  double instance_fuel = 5e4;
  bool dry = false;           // the queue never holds
  double longest = 0.5;       // seconds of a launch
  double few_registers = 1;   // so many times as fast is the kernel of few registers
  double tiled = 1;           // ... and a tiled one
  double tiled_with_few = 0;  // both; 0: as the two others together
  double hot = 1;             // ... and one with hot bytes near
  double late = 0;            // a launch lasts up to so much longer than it may, as a share
  bool in_turn = false;  // launches begin as the ones before them end, however many are in flight

  // Launches for so many seconds; what was lost against all lanes, in seconds of those.
  void Run(OccupancyTuner& tuner, double seconds) {
    for (const double end = clock_ + seconds; clock_ < end;) Launch(tuner);
  }
  // Jobs of so many launches each, nothing in flight between them. Those before the last ones end
  // early, as few instances are left for them; the last ones do not fill the device.
  void RunJobs(OccupancyTuner& tuner, uint32_t jobs, uint32_t launches) {
    for (uint32_t job = 0; job < jobs; ++job) {
      held_.assign(MostInFlight(), 0);
      tuner.BeginDispatch(lanes, abreast);
      for (uint32_t count = 0; count < launches; ++count) {
        ends_early_ = count + 2 * abreast >= launches;
        Launch(tuner);
      }
      const bool was_dry = std::exchange(dry, true);
      while (!in_flight_.empty()) Complete(tuner);
      dry = was_dry;
      if (const auto news = tuner.TakeChoice()) choice_ = news;
    }
  }
  // Launches until it has settled, at most so many.
  uint32_t RunUntilSettled(OccupancyTuner& tuner, uint32_t most = 2000) {
    for (uint32_t count = 1; count <= most; ++count) {
      Launch(tuner);
      if ((choice_ = tuner.TakeChoice())) return count;
    }
    return most + 1;
  }

  // Of launches that fill what is wished for, all alike.
  double Rate(const Occupancy& part) const { return RateOf(Takers(part) * abreast, part); }
  Occupancy Wish(const OccupancyTuner& tuner) const { return tuner.Next(lanes, abreast).occupancy; }
  void set_surface(Surface surface) { surface_ = std::move(surface); }
  const std::optional<OccupancyChoice>& choice() const { return choice_; }
  uint32_t tiled_launches() const { return tiled_launches_; }
  double clock() const { return clock_; }
  double lost() const { return lost_; }            // seconds, against all lanes all the time
  double exploring() const { return exploring_; }  // seconds

 private:
  struct InFlightLaunch {
    uint32_t dispatch = 0;
    Occupancy used;
    double time = 0, fuel = 0;
    double begun_at = 0;
    OccupancyLaunch report;
  };

  static std::chrono::nanoseconds Nanoseconds(double seconds) {
    return std::chrono::nanoseconds(static_cast<int64_t>(seconds * 1e9));
  }
  uint32_t Takers(const Occupancy& part) const { return part.lanes == 0 ? lanes : part.lanes; }
  double RateOf(uint32_t running, const Occupancy& part) const {
    const uint32_t block = part.block_threads == 0 ? 128 : part.block_threads;
    double quick = (part.few_registers ? few_registers : 1) * (part.tiled ? tiled : 1);
    if (part.few_registers && part.tiled && tiled_with_few != 0) quick = tiled_with_few;
    if (part.hot) quick = hot;
    return surface_(running / kProcessors, block) * quick;
  }

  void Launch(OccupancyTuner& tuner) {
    if (held_.empty()) held_.resize(MostInFlight());
    while (in_flight_.size() < MostInFlight()) Begin(tuner);
    Complete(tuner);
  }
  // One waits at least.
  size_t MostInFlight() const { return std::max(abreast, 2u); }

  void Begin(const OccupancyTuner& tuner) {
    const OccupancyTuner::Wish wish = tuner.Next(lanes, abreast);
    InFlightLaunch launch;
    launch.dispatch = turn_++ % held_.size();
    launch.begun_at = clock_;
    launch.time = std::min(longest, std::chrono::duration<double>(wish.longest).count()) *
                  std::uniform_real_distribution(ends_early_ ? 0.1 : 1.0, 1 + late)(random_);
    launch.used = wish.occupancy;
    if (wish.occupancy.tiled) ++tiled_launches_;
    launch.report.lanes = lanes;
    launch.report.abreast = abreast;
    launch.report.round = wish.round;
    launch.report.alone = in_flight_.empty();
    in_flight_.push_back(launch);
  }

  // The first one's time is counted, and those abreast of it run as well.
  void Complete(OccupancyTuner& tuner) {
    const double time = in_flight_.front().time;
    const size_t runs = in_turn ? 1 : std::min<size_t>(abreast, in_flight_.size());
    uint32_t running = 0;
    for (size_t i = 0; i < runs; ++i) running += Takers(in_flight_[i].used);
    const uint32_t side_by_side = in_turn ? abreast : 1;
    const double rate = RateOf(running * side_by_side, in_flight_.front().used) *
                        std::uniform_real_distribution(1 - noise_, 1 + noise_)(random_);
    for (size_t i = 0; i < runs; ++i)
      in_flight_[i].fuel += rate * time * Takers(in_flight_[i].used) / running;
    clock_ += time;
    lost_ += time * (1 - rate / Rate({}));
    if (tuner.explores()) exploring_ += time;
    Record(tuner, in_flight_.front());
    in_flight_.pop_front();
  }

  void Record(OccupancyTuner& tuner, InFlightLaunch& launch) {
    uint32_t& held = held_[launch.dispatch];
    const uint32_t takers = Takers(launch.used);
    const double ended = launch.fuel / instance_fuel;
    launch.report.fuel = launch.fuel;
    launch.report.busy = Nanoseconds(launch.time);
    launch.report.air = Nanoseconds(clock_ - launch.begun_at);
    launch.report.full = !dry && (held <= takers || ended >= 4.0 * held);
    held = ended >= held ? takers : std::max(takers, held - static_cast<uint32_t>(ended));
    tuner.Record(launch.report);
  }

  Surface surface_;
  double noise_;
  std::mt19937 random_;
  std::vector<uint32_t> held_;  // lanes with an instance, by dispatch
  size_t turn_ = 0;
  bool ends_early_ = false;
  std::deque<InFlightLaunch> in_flight_;
  std::optional<OccupancyChoice> choice_;
  uint32_t tiled_launches_ = 0;
  double clock_ = 0, lost_ = 0, exploring_ = 0;
};

}  // namespace wb::test
