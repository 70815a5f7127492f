#pragma once

// Landlock (landlock(7)): which files a process may open, and no TCP, no abstract sockets and no
// signals to processes outside. The kernel's versions differ; what one lacks is left out.

#include <cstdint>
#include <string>
#include <vector>

#include "scheduler/base/unique_fd.h"

namespace wb {

// What may be done with a file or with all beneath a folder. Bits, as the kernel has them.
using Access = uint32_t;
inline constexpr Access kNoAccess = 0;
inline constexpr Access kExecute = 1u << 0;
inline constexpr Access kWriteFile = 1u << 1;
inline constexpr Access kReadFile = 1u << 2;
inline constexpr Access kReadFolder = 1u << 3;
inline constexpr Access kRemoveFolder = 1u << 4;
inline constexpr Access kRemoveFile = 1u << 5;
inline constexpr Access kMakeFolder = 1u << 7;
inline constexpr Access kMakeFile = 1u << 8;
inline constexpr Access kMakePipe = 1u << 10;
inline constexpr Access kMakeLink = 1u << 12;
inline constexpr Access kMoveBetween = 1u << 13;  // from version 2 on
inline constexpr Access kTruncate = 1u << 14;     // 3
inline constexpr Access kControl = 1u << 15;      // ioctl of devices; 5

struct AccessRule {
  std::string path;  // one that is not there allows nothing
  Access access = kNoAccess;
};

// The version of the running kernel. 0: it has none, and `errno` says why.
int LandlockVersion();

// A ruleset for Restrict: all that no rule allows is denied. Not ok: `errno` says why.
UniqueFd MakeRuleset(int version, const std::vector<AccessRule>& rules);

// Of the calling thread and of all that it starts, for good. It calls nothing but the system. 0, or
// an errno.
int Restrict(int ruleset);

}  // namespace wb
