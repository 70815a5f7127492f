#pragma once

namespace wb::cli {

inline constexpr const char* kVersion = WB_VERSION;

}  // namespace wb::cli
