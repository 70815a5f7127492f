#include "scheduler/bursts/burst_recorder.h"

#include <algorithm>

namespace wb {
namespace {

using std::chrono::nanoseconds;

double Seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

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
  const double seconds = std::max(Seconds(launch.busy), 1e-9);
  lane_seconds_ += static_cast<double>(launch.lanes) * seconds;
  useful_seconds_ += static_cast<double>(std::min(launch.seated, launch.lanes)) * seconds;
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
  const double seconds = std::max(Seconds(ended.busy), 1e-9 * static_cast<double>(ended.launches));
  ended.lanes_resident = lane_seconds_ / seconds;
  ended.lanes_useful = useful_seconds_ / seconds;
  ended.celsius = ending.telemetry.celsius;
  ended.watts = ending.telemetry.watts;
  last_end_ = end_;
  last_rest_ = ending.rest.cause;
  lane_seconds_ = useful_seconds_ = 0;
  places_.clear();
  return ended;
}

}  // namespace wb
