#pragma once

// The digits of Base64, in which data: URLs and source maps write. Pure.

namespace wb {

// 0 to 63; -1: no digit.
constexpr int Base64Digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

}  // namespace wb
