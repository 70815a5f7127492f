#pragma once

// Exit codes, stable: 0 ok, 1 a job failed or a check of doctor, 2 wrong usage or input, 3 not
// found, 4 not allowed, 5 unreachable or too late, 6 a limit of the daemon, 7 interrupted, 8
// standard output takes no more, 70 a defect.

#include "compiler/base/status.h"

namespace wb::cli {

inline constexpr int kJobFailed = 1;
inline constexpr int kCheckFailed = 1;  // of doctor
inline constexpr int kNotAllowed = 4;
inline constexpr int kTooLate = 5;
inline constexpr int kInterrupted = 7;
inline constexpr int kOutputFailed = 8;
int ExitCodeOf(const Status& status);

}  // namespace wb::cli
