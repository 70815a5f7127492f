#include "compiler/debug/data_url.h"

#include <cstdint>

#include "compiler/debug/base64_digit.h"

namespace wb {
namespace {

std::optional<std::string> FromBase64(std::string_view digits) {
  while (digits.ends_with('=')) digits.remove_suffix(1);
  if (digits.size() % 4 == 1) return std::nullopt;
  std::string data;
  data.reserve(digits.size() / 4 * 3 + 2);
  uint32_t bits = 0;
  int count = 0;
  for (const char c : digits) {
    const int digit = Base64Digit(c);
    if (digit < 0) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    data += static_cast<char>(bits >> count);
  }
  return data;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::optional<std::string> FromPercents(std::string_view text) {
  std::string data;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      data += text[at];
      continue;
    }
    if (text.size() - at < 3) return std::nullopt;
    const int high = HexDigit(text[at + 1]);
    const int low = HexDigit(text[at + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    data += static_cast<char>(high << 4 | low);
    at += 2;
  }
  return data;
}

}  // namespace

std::optional<std::string> DataOfUrl(std::string_view url) {
  constexpr std::string_view kScheme = "data:";
  const size_t comma = url.find(',');
  if (!url.starts_with(kScheme) || comma == std::string_view::npos) return std::nullopt;
  const std::string_view data = url.substr(comma + 1);
  return url.substr(0, comma).ends_with(";base64") ? FromBase64(data) : FromPercents(data);
}

}  // namespace wb
