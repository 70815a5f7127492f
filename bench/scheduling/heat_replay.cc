#include "bench/scheduling/heat_replay.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace wb::bench {
namespace {

constexpr TimePoint kBegin{std::chrono::hours(1)};

TimePoint At(double seconds) {
  return kBegin +
         std::chrono::duration_cast<TimePoint::duration>(std::chrono::duration<double>(seconds));
}

double Seconds(TimePoint::duration time) { return std::chrono::duration<double>(time).count(); }

class Record {
 public:
  explicit Record(const std::vector<HeatMoment>& moments) : moments_(moments) {}

  const HeatMoment& MomentAt(double seconds) const {
    const double first = moments_.front().seconds;
    const double length = moments_.back().seconds - first;
    double at = seconds;
    if (at > length) at = length * 2 / 3 + std::fmod(at - length, std::max(length / 3, 1e-3));
    const auto next =
        std::upper_bound(moments_.begin(), moments_.end(), first + at,
                         [](double time, const HeatMoment& one) { return time < one.seconds; });
    return next == moments_.begin() ? moments_.front() : *std::prev(next);
  }

 private:
  const std::vector<HeatMoment>& moments_;
};

ThermalSample SampleOf(const HeatMoment& moment, TimePoint at) {
  ThermalSample sample;
  sample.at = at;
  sample.celsius = moment.celsius;
  sample.watts = moment.watts;
  if (moment.watts_limit > 0) sample.watts_limit = moment.watts_limit;
  return sample;
}

}  // namespace

Result<std::vector<HeatMoment>> ReadHeatRecord(std::istream& in) {
  std::vector<HeatMoment> record;
  std::string line;
  for (uint64_t number = 1; std::getline(in, line); ++number) {
    HeatMoment moment;
    int end = 0;
    const int read = std::sscanf(line.c_str(), "%lf,%f,%f,%f%n", &moment.seconds, &moment.celsius,
                                 &moment.watts, &moment.watts_limit, &end);
    const bool is_row = read == 4 && static_cast<size_t>(end) == line.size() &&
                        (record.empty() || moment.seconds > record.back().seconds);
    if (is_row) {
      record.push_back(moment);
    } else if (number > 1) {
      return Status(Reason::kInvalidArgument,
                    "The line [" + std::to_string(number) + "] is [" + line +
                        "], not seconds,celsius,watts,limit later than the line before it.");
    }
  }
  if (record.size() >= 2) return record;
  return Status(Reason::kInvalidArgument, "A record of heat has at least two rows below a header.");
}

HeatReplay ReplayHeat(const std::vector<HeatMoment>& moments, const ThermalSettings& settings,
                      double seconds) {
  const Record record(moments);
  ThermalGovernor governor(settings);
  HeatReplay replay;
  TimePoint now = kBegin;
  double resting = 0;
  while (now < At(seconds)) {
    const HeatMoment& moment = record.MomentAt(Seconds(now - kBegin));
    governor.Record(SampleOf(moment, now));
    const Rest rest = governor.Look(now);
    if (rest.IsOver()) {
      const TimePoint end =
          now + std::min<TimePoint::duration>(governor.Left(), ThermalGovernor::kLook);
      governor.Worked(now, end);
      replay.worked += Seconds(end - now);
      replay.joules += Seconds(end - now) * static_cast<double>(moment.watts);
      replay.hottest_worked = std::max(replay.hottest_worked, moment.celsius);
      resting = 0;
      now = end;
      continue;
    }
    const TimePoint look = std::max(rest.look, now + std::chrono::milliseconds(1));
    replay.rested[static_cast<size_t>(rest.cause)] += Seconds(look - now);
    replay.longest_rest = std::max(replay.longest_rest, resting += Seconds(look - now));
    now = look;
  }
  replay.bursts = governor.bursts();
  return replay;
}

}  // namespace wb::bench
