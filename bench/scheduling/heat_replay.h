#pragma once

// A device's temperature and power as they were recorded, and what the thermal governor would have
// done with a job without end on them. Pure. A recorded device does not cool because it rests
// here: rests for heat last as long as the record stays hot.

#include <array>
#include <istream>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/control/thermal_governor.h"

namespace wb::bench {

struct HeatMoment {
  double seconds = 0;  // since the record began
  float celsius = 0;
  float watts = 0;
  float watts_limit = 0;  // 0: not known
};

// Lines of "seconds,celsius,watts,limit" with ascending seconds, the first line a header;
// INVALID_ARGUMENT with the line that is none.
Result<std::vector<HeatMoment>> ReadHeatRecord(std::istream& in);

struct HeatReplay {
  double worked = 0;  // seconds
  double longest_rest = 0;
  uint64_t bursts = 0;
  float hottest_worked = 0;        // highest temperature while it worked
  double joules = 0;               // drawn while it worked
  std::array<double, 6> rested{};  // seconds, by RestCause
  double Rested(RestCause cause) const { return rested[static_cast<size_t>(cause)]; }
};

// `seconds` of work wherever the governor lets it, in launches of at most a burst. After its end
// the record goes on with its last third, again and again.
HeatReplay ReplayHeat(const std::vector<HeatMoment>& record, const ThermalSettings& settings,
                      double seconds);

}  // namespace wb::bench
