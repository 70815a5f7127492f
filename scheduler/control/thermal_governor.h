#pragma once

// ThermalGovernor: whether a device may be given work now, and for how long it rests else. Pure: a
// function of launches, samples and time.
//
// A burst is up to `burst` of work; a pause of whatever cause counts as rest, in proportion. After
// a burst the device rests:
// - without a thermometer for `cooldown`, for two when it draws more than `power_share` of its
// limit;
// - with one not at all; when it draws so much, longer the warmer it is: not at all at `temp_low`,
//   for `cooldown` at `temp_high`;
//   A system that says in words how hot it is, and no degrees: `kCool` as a cool thermometer,
//   `kWarm` as none, and in any case what HeatLevel says;
// - when it is slowed down from outside, for two cooldowns or bursts, and twice as long again from
//   burst to burst until it is not;
// - from `temp_high` on, at once, until `temp_low` is reached;
// - under the policy `seed` for `cooldown` always, for two when it draws so much, at any
//   temperature, which also ends the burst at once; and then, with a thermometer, until `temp_low`
//   is reached.
// No rest is longer than `longest_rest`: then there is one burst, so that a thermometer that is
// stuck slows a device down and does not stop it.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scheduler/base/clock.h"
#include "scheduler/sensors/telemetry.h"

namespace wb {

enum class DevicePolicy : uint8_t {
  kBurst,
  kContinuous,  // rests when hot only
  kQuiet,       // works `quiet_share` of the time
  kPersistent,  // as kContinuous; on NVIDIA GPUs one kernel stays there and takes launches itself
  kSeed,        // a cooldown after every burst, and until temp_low is reached
};
std::string_view PolicyName(DevicePolicy policy);  // "burst"
std::optional<DevicePolicy> PolicyOf(std::string_view name);

struct ThermalSettings {
  DevicePolicy policy = DevicePolicy::kBurst;
  std::chrono::nanoseconds burst{std::chrono::milliseconds(500)};
  std::chrono::nanoseconds cooldown{std::chrono::seconds(1)};
  float temp_high = 80;  // degrees Celsius
  float temp_low = 70;
  float power_share = 0.8F;
  float quiet_share = 0.25F;
  std::chrono::nanoseconds longest_rest{std::chrono::seconds(60)};
};

struct ThermalSample {
  TimePoint at{};
  std::optional<float> celsius;
  std::optional<float> watts;
  std::optional<float> watts_limit;
  bool throttled = false;  // by heat or supply
  HeatLevel level = HeatLevel::kUnknown;
};

enum class RestCause : uint8_t { kNone, kCooldown, kHot, kPower, kThrottled, kQuiet };

struct Rest {
  RestCause cause = RestCause::kNone;  // kNone: work may go on
  TimePoint look{};                    // when to take a sample and ask again
  TimePoint end{};                     // the latest end of the rest
  bool IsOver() const { return cause == RestCause::kNone; }
};

class ThermalGovernor {
 public:
  // Of a thermometer that is older nothing is believed.
  static constexpr std::chrono::nanoseconds kStale = std::chrono::seconds(15);
  static constexpr std::chrono::nanoseconds kLook = std::chrono::milliseconds(250);
  // Of the policy `seed` where `cooldown` is 0.
  static constexpr std::chrono::nanoseconds kSeedCooldown = std::chrono::seconds(1);

  // A temp_low that is not below temp_high is taken as 1 below.
  explicit ThermalGovernor(const ThermalSettings& settings);

  void Worked(TimePoint begin, TimePoint end);  // a launch; in order
  void Record(const ThermalSample& sample);
  // `now` is not before anything told. May end a burst or a rest.
  Rest Look(TimePoint now);
  // A rest is due after the burst, as things are now.
  bool RestsAfterBurst(TimePoint now) const { return PauseAfterBurst(now).length > Time(0); }
  // Of the burst, where the last Look() said that work may go on.
  std::chrono::nanoseconds Left() const { return settings_.burst - spent_; }

  uint64_t bursts() const { return bursts_; }  // that ended in time, or by heat
  const std::optional<ThermalSample>& sample() const { return sample_; }
  // "cooling until 70 C, 84 C now, for 12 s at most": what Look() said at `now`.
  std::string Words(const Rest& rest, TimePoint now) const;

 private:
  using Time = std::chrono::nanoseconds;
  struct Pause {
    RestCause cause = RestCause::kNone;
    Time length{};
  };

  bool IsFresh(TimePoint now) const;
  bool Knows(TimePoint now) const;   // the temperature
  bool IsCool(TimePoint now) const;  // or knows that it need not be known
  bool IsHot(TimePoint now) const;
  bool HasCooled(TimePoint now) const;
  bool IsThrottled(TimePoint now) const;
  bool DrawsMuch() const;  // there is a sample
  Time PowerPause(TimePoint now) const;
  Pause PauseAfterBurst(TimePoint now) const;
  Time ThrottledPause() const;
  void Recover(TimePoint now);
  bool EndsBurst(TimePoint now) const;
  void RecordHeat(TimePoint now);
  void EndBurst(TimePoint now);
  bool GoesOnUntilCool(TimePoint now) const;
  bool IsDue(TimePoint now) const;

  ThermalSettings settings_;
  std::optional<ThermalSample> sample_;
  Time spent_{};           // of the burst
  TimePoint recovered_{};  // rest counted up to here
  Pause pause_;            // the rest under way; kNone: none
  TimePoint pause_from_{};
  bool forced_ = false;            // one burst in spite of the heat
  uint32_t throttled_bursts_ = 0;  // in a row
  uint64_t bursts_ = 0;
};

}  // namespace wb
