#pragma once

// Numbers as PostgreSQL's binary formats have them: big end first
// (postgresql.org/docs/15/protocol-overview.html, 55.1.3).

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace wb {

inline void AppendBigEndian(uint64_t number, int bytes, std::string* to) {
  for (int i = bytes - 1; i >= 0; --i) to->push_back(static_cast<char>(number >> (8 * i)));
}

// Of at most 8 bytes.
inline uint64_t ReadBigEndian(std::string_view bytes) {
  uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<uint8_t>(byte);
  return number;
}

}  // namespace wb
