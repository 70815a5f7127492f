#pragma once

#include <string_view>

namespace wb {

// Changes whenever the meaning of emitted text or lane state changes; part of every cache key.
inline constexpr std::string_view CompilerVersion() { return "wasmburst-1"; }

}  // namespace wb
