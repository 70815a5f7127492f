#pragma once

// Values in messages stand in brackets, so that a reader sees where they begin and end.

#include <cstdint>
#include <string>
#include <string_view>

namespace wb {

inline std::string Quoted(std::string_view text) {
  std::string quoted(1, '[');
  quoted.append(text);
  quoted.push_back(']');
  return quoted;
}
inline std::string Quoted(uint64_t number) { return Quoted(std::to_string(number)); }

}  // namespace wb
