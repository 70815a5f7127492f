#pragma once

// What an operator may choose of a Mac's GPU.

#include <chrono>
#include <cstdint>
#include <string>

namespace wb {

struct MetalOptions {
  std::chrono::milliseconds slice{0};  // 0: by display, heat and low power mode (slices.h)
  std::string capture;                 // a .gputrace of the first launch; empty: none
  // Metal compiles a text as a whole. A longer one is refused, and its jobs run elsewhere.
  uint64_t max_text_bytes = uint64_t{4} << 20;
};

}  // namespace wb
