#include "scheduler/bursts/burst_recorder.h"

#include <algorithm>

namespace wb {
namespace {

using std::chrono::nanoseconds;

// The time that a launch counts for in means; whole numbers, so that sums are exact.
double WeightOf(nanoseconds busy) {
  return static_cast<double>(std::max(busy, nanoseconds(1)).count());
}

}  // namespace

void BurstRecorder::Record(const BurstLaunch& launch) {
  const TimePoint begin = launch.end - launch.busy;
  if (!is_open()) {
    begin_ = begin;
    if (number_ > 0) burst_.rest_before = std::max(begin - last_end_, nanoseconds(0));
    burst_.rest_before_cause = last_rest_;
  }
  begin_ = std::min(begin_, begin);
  end_ = launch.end;
  burst_.launches += 1;
  burst_.busy += launch.busy;
  const double weight = WeightOf(launch.busy);
  weight_ += weight;
  resident_ += static_cast<double>(launch.lanes) * weight;
  useful_ += static_cast<double>(std::min(launch.seated, launch.lanes)) * weight;
  for (const BurstLaunch::Part& part : launch.parts) Add(part, launch.build);
}

void BurstRecorder::Add(const BurstLaunch::Part& part, KernelBuild build) {
  burst_.instances += part.instances;
  burst_.fuel += part.fuel;
  const auto [place, is_new] = places_.emplace(part.job, burst_.shares.size());
  if (is_new) {
    burst_.jobs += 1;
    if (burst_.shares.size() < BurstRecord::kMostShares) {
      BurstShare& share = burst_.shares.emplace_back();
      share.job = part.job;
      share.name = *part.name;
      share.tenant = *part.tenant;
    } else {
      place->second = BurstRecord::kMostShares;
    }
  }
  if (place->second == BurstRecord::kMostShares) return;
  BurstShare& share = burst_.shares[place->second];
  share.instances += part.instances;
  share.fuel += part.fuel;
  share.launches += 1;
  share.busy += part.busy;
  share.build = build;
}

std::optional<BurstRecord> BurstRecorder::End(const Ending& ending, TimePoint now) {
  if (!is_open()) return std::nullopt;
  BurstRecord ended = std::exchange(burst_, {});
  ended.device = device_;
  ended.number = ++number_;
  ended.since_start = now - begin_;
  ended.duration = end_ - begin_;
  ended.end = ending.end;
  ended.rest_after_cause = ending.rest.cause;
  if (!ending.rest.IsOver()) ended.rest_after = std::max(ending.rest.end - now, nanoseconds(0));
  ended.lanes_resident = resident_ / weight_;
  ended.lanes_useful = useful_ / weight_;
  ended.celsius = ending.telemetry.celsius;
  ended.watts = ending.telemetry.watts;
  last_end_ = end_;
  last_rest_ = ending.rest.cause;
  weight_ = resident_ = useful_ = 0;
  places_.clear();
  return ended;
}

}  // namespace wb
