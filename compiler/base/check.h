#pragma once

// WB_CHECK: a broken invariant of our own stops the process with a message, in release too.
// Never for what a user, a guest or a device can cause: that is a Status.

namespace wb {
[[noreturn]] void CheckFailed(const char* file, int line, const char* what);
}  // namespace wb

#define WB_CHECK(condition) \
  (static_cast<bool>(condition) ? void() : ::wb::CheckFailed(__FILE__, __LINE__, #condition))
