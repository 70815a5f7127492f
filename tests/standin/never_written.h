#pragma once

// What a device's new memory holds in tests: never zeros by luck. Most of a large buffer is lanes'
// reserve that nobody touches, and filling all of it took half the time of the device tests, so
// behind its first bytes only one page of 64 is filled.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace wb::test {

inline void FillNeverWritten(void* memory, size_t bytes, int value) {
  constexpr size_t kWhole = size_t{256} << 10;
  constexpr size_t kPage = 4096;
  std::memset(memory, value, std::min(bytes, kWhole));
  for (size_t at = kWhole; at < bytes; at += 64 * kPage) {
    std::memset(static_cast<uint8_t*>(memory) + at, value, std::min(bytes - at, kPage));
  }
}

}  // namespace wb::test
