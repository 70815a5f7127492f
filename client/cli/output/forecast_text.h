#pragma once

// How a running job goes on, for people. Pure.

#include <cstdint>
#include <string>

#include "wasmburst/v1/jobs.pb.h"

namespace wb::cli {

// "1.28 G instructions/s", or empty where that is not known.
std::string RateText(const wasmburst::v1::Forecast& forecast);
// "3 to 5 min left", "1 h to 2 days left", "about 40 s left", or empty where that is not known;
// "later than was expected" where even the latest end is over. `now`: as the daemon's clock would
// have it.
std::string LeftText(const wasmburst::v1::Forecast& forecast, int64_t now_unix_ns);
// Both, with a comma between; empty where neither is known.
std::string ForecastText(const wasmburst::v1::Forecast& forecast, int64_t now_unix_ns);

int64_t UnixNow();  // nanoseconds

}  // namespace wb::cli
