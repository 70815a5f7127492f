#pragma once

namespace wb {
inline constexpr const char* kVersion = WB_VERSION;  // the project's version, set by CMake
}  // namespace wb
