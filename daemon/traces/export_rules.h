#pragma once

// What an answer of the receiver means for the spans that were sent. Pure.

#include <chrono>
#include <cstdint>

namespace wb {

enum class ExportVerdict : uint8_t {
  kTaken,
  kAgain,    // the receiver is not there, or has too much to do
  kRefused,  // it does not take these: nothing will help
};

// `status`: of HTTP; 0: there was no answer.
ExportVerdict VerdictOf(long status);

// How long to wait before the next try, after so many that failed, from 1 on. What the receiver
// asks for (Retry-After; 0: nothing) is honoured up to a bound.
std::chrono::nanoseconds ExportPause(int failures, std::chrono::nanoseconds asked);

// A batch is given up after so many tries.
inline constexpr int kMostExportTries = 6;

}  // namespace wb
