#pragma once

// Looks as a daemon could give them.

#include <string>
#include <vector>

#include "client/cli/top/layout.h"
#include "client/cli/top/top_facts.h"

namespace wb::cli::samples {

inline constexpr int64_t kBegin = 1'800'000'000'000'000'000;  // unix, nanoseconds
inline constexpr int64_t kSecond = 1'000'000'000;

// Two devices and three jobs: jobs/01C queued, jobs/01B running, jobs/01A ended. `second`: how many
// seconds have gone; cpu0 and jobs/01B do 1,000,000 instructions in each.
TopFacts LookAt(int64_t second);
TopFacts LostAt(int64_t second);

// A screen's lines without their tones.
std::vector<std::string> TextsOf(const std::vector<TopLine>& lines);
// The first line that contains the text; empty: none.
std::string LineWith(const std::vector<TopLine>& lines, const std::string& text);

}  // namespace wb::cli::samples
