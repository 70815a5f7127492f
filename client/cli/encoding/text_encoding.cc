#include "client/cli/encoding/text_encoding.h"

#include <cstddef>

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

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

void AddWrong(uint64_t bytes, DecodedText* text) {
  AddUtf8(kReplacement, &text->utf8);
  text->wrong_bytes += bytes;
}

DecodedText DecodeUtf8(std::string_view bytes) {
  DecodedText text;
  for (size_t at = 0; at < bytes.size();) {
    size_t behind = at;
    if (TakeUtf8(bytes, &behind)) {
      text.utf8 += bytes.substr(at, behind - at);
      at = behind;
    } else {
      AddWrong(1, &text);
      ++at;
    }
  }
  return text;
}

DecodedText DecodeUtf16(std::string_view units) {
  DecodedText text;
  size_t at = 0;
  while (at + 1 < units.size()) {
    const uint32_t unit = UnitAt(units, at);
    at += 2;
    if (unit < kHighSurrogate || unit >= kBehindSurrogates) {
      AddUtf8(unit, &text.utf8);
      continue;
    }
    const uint32_t low = at + 1 < units.size() ? UnitAt(units, at) : 0;
    if (unit < kLowSurrogate && low >= kLowSurrogate && low < kBehindSurrogates) {
      AddUtf8(kFirstOfTwoUnits + ((unit - kHighSurrogate) << 10) + (low - kLowSurrogate),
              &text.utf8);
      at += 2;
    } else {
      AddWrong(2, &text);
    }
  }
  if (at < units.size()) AddWrong(1, &text);
  return text;
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

std::optional<v1::TextEncoding> TextEncodingNamed(std::string_view name) {
  if (name == "utf-8") return v1::UTF_8;
  if (name == "utf-16") return v1::UTF_16;
  return std::nullopt;
}

std::string TextEncodingName(v1::TextEncoding encoding) {
  return encoding == v1::UTF_16 ? "UTF-16" : "UTF-8";
}

DecodedText DecodeText(std::string_view bytes, v1::TextEncoding encoding) {
  return encoding == v1::UTF_16 ? DecodeUtf16(bytes) : DecodeUtf8(bytes);
}

}  // namespace wb::cli
