#include "daemon/traces/export_rules.h"

#include <algorithm>

namespace wb {
namespace {

using std::chrono::nanoseconds;

constexpr std::chrono::seconds kFirstPause{1};
constexpr std::chrono::seconds kLongestPause{30};
constexpr std::chrono::minutes kMostAsked{5};
constexpr int kMostDoublings = 5;

}  // namespace

// As the protocol has it: of 5xx three, and 429.
ExportVerdict VerdictOf(long status) {
  if (status >= 200 && status < 300) return ExportVerdict::kTaken;
  const bool again = status == 0 || status == 429 || (status >= 502 && status <= 504);
  return again ? ExportVerdict::kAgain : ExportVerdict::kRefused;
}

nanoseconds ExportPause(int failures, nanoseconds asked) {
  nanoseconds pause = kFirstPause * (1 << std::clamp(failures - 1, 0, kMostDoublings));
  pause = std::min<nanoseconds>(pause, kLongestPause);
  return std::max(pause, std::min<nanoseconds>(asked, kMostAsked));
}

}  // namespace wb
