#include "client/cli/encoding/base64.h"

#include <algorithm>
#include <cstdint>

namespace wb::cli {
namespace {

constexpr uint32_t kNone = 64;

uint32_t DigitOf(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<uint32_t>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<uint32_t>(c - 'a') + 26;
  if (c >= '0' && c <= '9') return static_cast<uint32_t>(c - '0') + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : kNone;
}

// `digits`: two to four of them, without padding.
bool AppendGroup(std::string_view digits, std::string* bytes) {
  uint32_t group = 0;
  for (const char c : digits) {
    const uint32_t digit = DigitOf(c);
    if (digit == kNone) return false;
    group = group << 6 | digit;
  }
  group <<= 6 * (4 - digits.size());
  const size_t count = std::min<size_t>(digits.size() - 1, 3);
  for (size_t i = 0; i < count; ++i) *bytes += static_cast<char>(group >> (16 - 8 * i) & 0xff);
  return (group & ((uint32_t{1} << (24 - 8 * count)) - 1)) == 0;  // bits that no byte has
}

}  // namespace

std::optional<std::string> BytesOfBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  size_t padding = 0;
  while (padding < 2 && text.ends_with('=')) {
    text.remove_suffix(1);
    ++padding;
  }
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  for (; text.size() >= 4; text.remove_prefix(4)) {
    if (!AppendGroup(text.substr(0, 4), &bytes)) return std::nullopt;
  }
  if (text.empty()) return padding == 0 ? std::optional(bytes) : std::nullopt;
  if (text.size() + padding != 4 || !AppendGroup(text, &bytes)) return std::nullopt;
  return bytes;
}

std::string Base64(const std::string& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    size_t count = std::min<size_t>(3, bytes.size() - i);
    for (size_t j = 0; j < 3; ++j) {
      group = group << 8 | (j < count ? static_cast<uint8_t>(bytes[i + j]) : 0u);
    }
    for (size_t j = 0; j < 4; ++j) {
      text += j <= count ? kDigits[group >> (18 - 6 * j) & 63] : '=';
    }
  }
  return text;
}

}  // namespace wb::cli
