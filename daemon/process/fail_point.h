#pragma once

// FailPoint: ends the process at once, as kill -9 does, where the environment asks for it:
// WASMBURST_FAIL_POINT=NAME or NAME:N, at the N-th time. For tests (deploy/reliability.sh); without
// the variable it costs a comparison. Threads: any.

#include <cstdint>
#include <string>

namespace wb {

enum class FailPlace : uint8_t {
#define WB_FAIL_POINT(name, text, meaning) k##name,
#include "daemon/process/fail_points.def"
#undef WB_FAIL_POINT
};

void FailPoint(FailPlace place);

// As the environment would say; for tests that end a process of their own.
void ArmFailPoint(const std::string& text);

}  // namespace wb
