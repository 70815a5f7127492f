#include "scheduler/control/thermal_governor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace wb {
namespace {

using std::chrono::nanoseconds;

constexpr uint32_t kMostDoublings = 10;
constexpr int kNearEnd = 100;  // a burst is over when so small a part of it is left

constexpr std::array<std::pair<DevicePolicy, std::string_view>, 5> kPolicies = {
    {{DevicePolicy::kBurst, "burst"},
     {DevicePolicy::kContinuous, "continuous"},
     {DevicePolicy::kQuiet, "quiet"},
     {DevicePolicy::kPersistent, "persistent"},
     {DevicePolicy::kSeed, "seed"}}};

nanoseconds Scaled(nanoseconds time, double by) {
  return nanoseconds(static_cast<int64_t>(static_cast<double>(time.count()) * by));
}

std::string Degrees(float celsius) { return std::to_string(std::lround(celsius)) + " C"; }

std::string TextOfSeconds(nanoseconds time) {
  const int64_t tenths = (time.count() + 99'999'999) / 100'000'000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

std::string_view CauseWords(RestCause cause) {
  switch (cause) {
    case RestCause::kNone: return "";
    case RestCause::kCooldown: return "after a burst";
    case RestCause::kHot: return "it is hot";
    case RestCause::kPower: return "it draws much power";
    case RestCause::kThrottled: return "its driver slows it down";
    case RestCause::kQuiet: return "its policy is quiet";
  }
  return "";
}

}  // namespace

std::string_view PolicyName(DevicePolicy policy) {
  return kPolicies[static_cast<size_t>(policy)].second;
}

std::optional<DevicePolicy> PolicyOf(std::string_view name) {
  for (const auto& [policy, known] : kPolicies) {
    if (known == name) return policy;
  }
  return std::nullopt;
}

ThermalGovernor::ThermalGovernor(const ThermalSettings& settings) : settings_(settings) {
  settings_.temp_low = std::min(settings_.temp_low, settings_.temp_high - 1);
  const bool lacks_cooldown = settings_.cooldown <= Time(0);
  if (settings_.policy == DevicePolicy::kSeed && lacks_cooldown) settings_.cooldown = kSeedCooldown;
}

void ThermalGovernor::Record(const ThermalSample& sample) { sample_ = sample; }

bool ThermalGovernor::IsFresh(TimePoint now) const {
  return sample_ && now - sample_->at <= kStale;
}

bool ThermalGovernor::Knows(TimePoint now) const { return IsFresh(now) && sample_->celsius; }

bool ThermalGovernor::IsCool(TimePoint now) const {
  return Knows(now) || (IsFresh(now) && sample_->level == HeatLevel::kCool);
}

bool ThermalGovernor::IsHot(TimePoint now) const {
  if (IsFresh(now) && sample_->level == HeatLevel::kHot) return true;
  return Knows(now) && *sample_->celsius >= settings_.temp_high;
}

bool ThermalGovernor::HasCooled(TimePoint now) const {
  if (!IsFresh(now) || sample_->level == HeatLevel::kHot) return false;
  if (sample_->celsius) return *sample_->celsius <= settings_.temp_low;
  return sample_->level != HeatLevel::kUnknown;
}

bool ThermalGovernor::IsThrottled(TimePoint now) const {
  return IsFresh(now) && (sample_->throttled || sample_->level >= HeatLevel::kSlowed);
}

bool ThermalGovernor::DrawsMuch() const {
  return sample_->watts && sample_->watts_limit &&
         *sample_->watts > settings_.power_share * *sample_->watts_limit;
}

ThermalGovernor::Time ThermalGovernor::PowerPause(TimePoint now) const {
  if (!Knows(now) || settings_.policy == DevicePolicy::kSeed) return 2 * settings_.cooldown;
  const double span = std::max(1.0F, settings_.temp_high - settings_.temp_low);
  const double warmth = (*sample_->celsius - settings_.temp_low) / span;
  return Scaled(settings_.cooldown, std::clamp(warmth, 0.0, 1.0));
}

ThermalGovernor::Time ThermalGovernor::ThrottledPause() const {
  const Time first = 2 * std::max(settings_.cooldown, settings_.burst);
  Time pause = std::min(first, settings_.longest_rest);
  for (uint32_t i = 0; i < throttled_bursts_ && pause < settings_.longest_rest; ++i) pause *= 2;
  return pause;
}

// Heat is not looked at here: it does not wait for the burst's end.
ThermalGovernor::Pause ThermalGovernor::PauseAfterBurst(TimePoint now) const {
  const DevicePolicy policy = settings_.policy;
  if (policy == DevicePolicy::kContinuous || policy == DevicePolicy::kPersistent) return {};
  Pause pause;
  if (policy == DevicePolicy::kQuiet) {
    const double share = std::clamp(settings_.quiet_share, 0.01F, 1.0F);
    pause = {RestCause::kQuiet, Scaled(settings_.burst, (1 - share) / share)};
  }
  const auto at_least = [&pause](RestCause cause, Time length) {
    if (length > pause.length) pause = {cause, length};
  };
  if (!IsCool(now) || policy == DevicePolicy::kSeed)
    at_least(RestCause::kCooldown, settings_.cooldown);
  if (IsFresh(now) && DrawsMuch()) at_least(RestCause::kPower, PowerPause(now));
  if (IsThrottled(now)) at_least(RestCause::kThrottled, ThrottledPause());
  pause.length = std::min(pause.length, settings_.longest_rest);
  return pause;
}

// What the device did not work since the last look is rest.
void ThermalGovernor::Recover(TimePoint now) {
  if (now <= recovered_) return;
  const Time idle = now - recovered_;
  recovered_ = now;
  if (spent_ <= Time(0)) return;
  Time whole = pause_.cause == RestCause::kNone ? PauseAfterBurst(now).length : pause_.length;
  if (whole <= Time(0)) whole = settings_.burst;
  const double share = static_cast<double>(idle.count()) / static_cast<double>(whole.count());
  spent_ = std::max(Time(0), spent_ - Scaled(settings_.burst, std::min(share, 1.0)));
}

void ThermalGovernor::Worked(TimePoint begin, TimePoint end) {
  Recover(begin);
  spent_ += end - begin;
  recovered_ = std::max(recovered_, end);
}

void ThermalGovernor::EndBurst(TimePoint now) {
  ++bursts_;
  forced_ = false;
  pause_ = PauseAfterBurst(now);
  pause_from_ = now;
  throttled_bursts_ = IsThrottled(now) ? std::min(throttled_bursts_ + 1, kMostDoublings) : 0;
  if (pause_.length <= Time(0)) pause_ = {};
  if (pause_.cause == RestCause::kNone) spent_ = Time(0);
}

void ThermalGovernor::RecordHeat(TimePoint now) {
  if (pause_.cause == RestCause::kHot || forced_ || !IsHot(now)) return;
  if (spent_ > Time(0) && pause_.cause == RestCause::kNone) ++bursts_;
  pause_ = {RestCause::kHot, settings_.longest_rest};
  pause_from_ = now;
}

bool ThermalGovernor::EndsBurst(TimePoint now) const {
  if (pause_.cause != RestCause::kNone) return false;
  if (Left() <= settings_.burst / kNearEnd) return true;
  const bool looks_at_power = settings_.policy == DevicePolicy::kSeed && spent_ > Time(0);
  return looks_at_power && IsFresh(now) && DrawsMuch();
}

// The cooldown is over, and the device has not cooled.
bool ThermalGovernor::GoesOnUntilCool(TimePoint now) const {
  const bool watches = settings_.policy == DevicePolicy::kSeed && IsCool(now);
  return watches && pause_.cause != RestCause::kHot && !HasCooled(now);
}

bool ThermalGovernor::IsDue(TimePoint now) const {
  if (now >= pause_from_ + pause_.length) return true;
  return pause_.cause == RestCause::kHot && HasCooled(now);
}

Rest ThermalGovernor::Look(TimePoint now) {
  Recover(now);
  if (EndsBurst(now)) EndBurst(now);
  RecordHeat(now);
  if (pause_.cause != RestCause::kNone && IsDue(now) && GoesOnUntilCool(now)) {
    pause_ = {RestCause::kHot, settings_.longest_rest};
  }
  if (pause_.cause != RestCause::kNone && IsDue(now)) {
    forced_ = pause_.cause == RestCause::kHot && now >= pause_from_ + pause_.length;
    pause_ = {};
    spent_ = Time(0);
  }
  if (pause_.cause == RestCause::kNone) return {};
  const TimePoint end = pause_from_ + pause_.length;
  const bool watched = pause_.cause == RestCause::kHot;
  return {pause_.cause, watched ? std::min(end, now + kLook) : end, end};
}

std::string ThermalGovernor::Words(const Rest& rest, TimePoint now) const {
  if (rest.IsOver()) return "";
  std::string words = "cooling: " + std::string(CauseWords(rest.cause));
  const bool hot = rest.cause == RestCause::kHot;
  if (Knows(now)) words += ", " + Degrees(*sample_->celsius);
  if (hot && Knows(now)) words += ", until " + Degrees(settings_.temp_low);
  words += hot ? ", at most " : ", ";
  return words + TextOfSeconds(std::max(Time(0), rest.end - now)) + " more";
}

}  // namespace wb
