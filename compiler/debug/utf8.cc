#include "compiler/debug/utf8.h"

#include <algorithm>
#include <cstdint>

namespace wb {
namespace {

bool IsContinuation(char c) { return (static_cast<uint8_t>(c) & 0xc0) == 0x80; }

// Bytes of the character at the front of a text that is not empty; 0: there is none.
size_t CharacterBytes(std::string_view text) {
  const auto first = static_cast<uint8_t>(text[0]);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const size_t bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (text.size() < bytes) return 0;
  const std::string_view rest = text.substr(1, bytes - 1);
  if (!std::all_of(rest.begin(), rest.end(), IsContinuation)) return 0;
  const auto second = static_cast<uint8_t>(text[1]);
  if (first == 0xe0 && second < 0xa0) return 0;
  if (first == 0xed && second > 0x9f) return 0;
  if (first == 0xf0 && second < 0x90) return 0;
  if (first == 0xf4 && second > 0x8f) return 0;
  return bytes;
}

}  // namespace

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t bytes = CharacterBytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

void AddUtf8(uint32_t point, std::string* text) {
  if (point < 0x80) {
    *text += static_cast<char>(point);
    return;
  }
  const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  const uint32_t lead = more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0;
  *text += static_cast<char>(lead | point >> (6 * more));
  for (int i = more - 1; i >= 0; --i) {
    *text += static_cast<char>(0x80 | (point >> (6 * i) & 0x3f));
  }
}

std::string_view Utf8Front(std::string_view text, size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && IsContinuation(text[most])) --most;
  return text.substr(0, most);
}

}  // namespace wb
