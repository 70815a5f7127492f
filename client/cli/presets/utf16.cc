#include "client/cli/presets/utf16.h"

#include <cstddef>
#include <cstdint>

namespace wb::cli {
namespace {

constexpr uint32_t kReplacement = 0xfffd;
constexpr uint32_t kHighSurrogate = 0xd800;
constexpr uint32_t kLowSurrogate = 0xdc00;
constexpr uint32_t kBehindSurrogates = 0xe000;
constexpr uint32_t kFirstOfTwoUnits = 0x10000;
constexpr uint32_t kBehindUnicode = 0x110000;

uint8_t ByteAt(std::string_view text, size_t at) { return static_cast<uint8_t>(text[at]); }

void AddUnit(uint32_t unit, std::string* out) {
  *out += static_cast<char>(unit & 0xff);
  *out += static_cast<char>(unit >> 8);
}

void AddUtf16(uint32_t point, std::string* out) {
  if (point < kFirstOfTwoUnits) return AddUnit(point, out);
  AddUnit(kHighSurrogate + ((point - kFirstOfTwoUnits) >> 10), out);
  AddUnit(kLowSurrogate + ((point - kFirstOfTwoUnits) & 0x3ff), out);
}

void AddUtf8(uint32_t point, std::string* out) {
  if (point < 0x80) {
    *out += static_cast<char>(point);
    return;
  }
  const int more = point < 0x800 ? 1 : point < kFirstOfTwoUnits ? 2 : 3;
  const uint32_t lead = more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0;
  *out += static_cast<char>(lead | point >> (6 * more));
  for (int i = more - 1; i >= 0; --i) {
    *out += static_cast<char>(0x80 | (point >> (6 * i) & 0x3f));
  }
}

// The code point at `at`, which moves behind it.
std::optional<uint32_t> TakeUtf8(std::string_view text, size_t* at) {
  const uint8_t lead = ByteAt(text, *at);
  ++*at;
  if (lead < 0x80) return lead;
  if (lead < 0xc2 || lead > 0xf4) return std::nullopt;
  const size_t more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
  if (text.size() - *at < more) return std::nullopt;
  uint32_t point = lead & (0x3f >> more);
  for (size_t i = 0; i < more; ++i, ++*at) {
    const uint8_t next = ByteAt(text, *at);
    if ((next & 0xc0) != 0x80) return std::nullopt;
    point = point << 6 | (next & 0x3f);
  }
  constexpr uint32_t kShortest[] = {0, 0x80, 0x800, kFirstOfTwoUnits};
  const bool is_surrogate = point >= kHighSurrogate && point < kBehindSurrogates;
  if (point < kShortest[more] || is_surrogate || point >= kBehindUnicode) return std::nullopt;
  return point;
}

uint32_t UnitAt(std::string_view units, size_t at) {
  return ByteAt(units, at) | static_cast<uint32_t>(ByteAt(units, at + 1)) << 8;
}

}  // namespace

std::optional<std::string> Utf16OfUtf8(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const std::optional<uint32_t> point = TakeUtf8(text, &at);
    if (!point) return std::nullopt;
    AddUtf16(*point, &out);
  }
  return out;
}

std::string Utf8OfUtf16(std::string_view units) {
  std::string out;
  size_t at = 0;
  while (at + 1 < units.size()) {
    uint32_t point = UnitAt(units, at);
    at += 2;
    if (point >= kHighSurrogate && point < kBehindSurrogates) {
      const uint32_t low = at + 1 < units.size() ? UnitAt(units, at) : 0;
      const bool is_pair = point < kLowSurrogate && low >= kLowSurrogate && low < kBehindSurrogates;
      if (is_pair) at += 2;
      point = is_pair ? kFirstOfTwoUnits + ((point - kHighSurrogate) << 10) + (low - kLowSurrogate)
                      : kReplacement;
    }
    AddUtf8(point, &out);
  }
  if (at < units.size()) AddUtf8(kReplacement, &out);
  return out;
}

}  // namespace wb::cli
