#pragma once

// A GPU as the residency tuner sees it: how fast it runs with so many lanes in such blocks, two
// dispatches in turns and two launches in the air, lanes that become fewer only as instances end.

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <random>

#include "scheduler/burst/residency_tuner.h"

namespace wb::test {

class SimulatedGpu {
 public:
  static constexpr uint32_t kProcessors = 132;
  static constexpr uint32_t kThreads = kProcessors * 2048;
  // Instructions a second with so many lanes a processor in blocks of so many threads.
  using Surface = std::function<double(uint32_t lanes_each, uint32_t block)>;

  SimulatedGpu(Surface surface, double noise = 0, uint32_t seed = 1)
      : surface_(std::move(surface)), noise_(noise), random_(seed) {}

  uint32_t lanes = kThreads;  // of a dispatch
  double instance_fuel = 5e4;
  bool dry = false;      // the queue never holds
  double longest = 0.5;  // seconds of a launch

  // Launches for so many seconds; what was lost against all lanes, in seconds of those.
  void Run(ResidencyTuner& tuner, double seconds) {
    for (const double end = clock_ + seconds; clock_ < end;) Launch(tuner);
  }
  // Launches until it has settled, at most so many.
  uint32_t RunUntilSettled(ResidencyTuner& tuner, uint32_t most = 2000) {
    for (uint32_t count = 1; count <= most; ++count) {
      Launch(tuner);
      if ((choice_ = tuner.TakeChoice())) return count;
    }
    return most + 1;
  }

  double Rate(const Residency& residency) const {
    const uint32_t taking = residency.lanes == 0 ? lanes : residency.lanes;
    return surface_(taking / kProcessors,
                    residency.block_threads == 0 ? 128 : residency.block_threads);
  }
  void set_surface(Surface surface) { surface_ = std::move(surface); }
  const std::optional<ResidencyChoice>& choice() const { return choice_; }
  double clock() const { return clock_; }
  double lost() const { return lost_; }            // seconds, against all lanes all the time
  double exploring() const { return exploring_; }  // seconds

 private:
  void Launch(ResidencyTuner& tuner) {
    const ResidencyTuner::Wish wish = tuner.Next(lanes);
    const double time = std::min(longest, std::chrono::duration<double>(wish.longest).count());
    uint32_t& held = held_[turn_++ % 2];
    const uint32_t takers = wish.residency.lanes == 0 ? lanes : wish.residency.lanes;
    const double rate =
        Rate(wish.residency) * std::uniform_real_distribution(1 - noise_, 1 + noise_)(random_);
    const double ended = rate * time / instance_fuel;
    ResidencyLaunch launch;
    launch.used = wish.residency;
    launch.lanes = lanes;
    launch.fuel = rate * time;
    launch.busy = std::chrono::nanoseconds(static_cast<int64_t>(time * 1e9));
    launch.full = !dry && (held <= takers || ended >= 4.0 * held);
    held = ended >= held ? takers : std::max(takers, held - static_cast<uint32_t>(ended));
    clock_ += time;
    lost_ += time * (1 - rate / Rate({}));
    if (tuner.explores()) exploring_ += time;
    if (in_the_air_) tuner.Note(*in_the_air_);
    in_the_air_ = launch;
  }

  Surface surface_;
  double noise_;
  std::mt19937 random_;
  std::array<uint32_t, 2> held_{};
  uint32_t turn_ = 0;
  std::optional<ResidencyLaunch> in_the_air_;
  std::optional<ResidencyChoice> choice_;
  double clock_ = 0, lost_ = 0, exploring_ = 0;
};

}  // namespace wb::test
