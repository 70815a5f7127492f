#pragma once

// Lines of a replay for people. Pure.

#include <string>

#include "wasmburst/v1/inspection.pb.h"

namespace wb::cli {

// "   12  > fac(5) from 0x41", "   13      i64.mul 5 24 = 120  (0x4c)", "   14  < fac = 120".
std::string TraceLineText(const wasmburst::v1::TraceLine& line);

// How it ended, and whether that is the job's result.
std::string ReplayEndText(const wasmburst::v1::ReplayEnd& end);

}  // namespace wb::cli
