#pragma once

// What an operator may choose of a Mac's GPU.

#include <chrono>
#include <string>

namespace wb {

struct MetalOptions {
  std::chrono::milliseconds slice{0};  // 0: by display, heat and low power mode (slices.h)
  std::string capture;                 // a .gputrace of the first launch; empty: none
};

}  // namespace wb
