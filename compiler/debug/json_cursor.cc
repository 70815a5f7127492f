#include "compiler/debug/json_cursor.h"

#include <algorithm>
#include <charconv>

#include "compiler/debug/utf8.h"

namespace wb {
namespace {

constexpr uint32_t kReplacement = 0xfffd;

bool IsBetween(uint32_t unit, uint32_t first, uint32_t behind) {
  return unit >= first && unit < behind;
}

}  // namespace

void JsonCursor::Break() {
  ok_ = false;
  at_ = text_.size();
}

void JsonCursor::PassSpace() {
  at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
}

bool JsonCursor::NextIs(char c) {
  PassSpace();
  return at_ < text_.size() && text_[at_] == c;
}

bool JsonCursor::Take(char c) {
  const bool is_next = NextIs(c);
  if (is_next) ++at_;
  return is_next;
}

unsigned JsonCursor::Unit() {
  unsigned unit = 0;
  const char* from = text_.data() + at_;
  if (text_.size() - at_ < 4 || std::from_chars(from, from + 4, unit, 16).ptr != from + 4) {
    Break();
    return 0;
  }
  at_ += 4;
  return unit;
}

// Behind the backslash.
void JsonCursor::AddEscaped(std::string* text) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  if (at_ == text_.size()) return Break();
  const char letter = text_[at_++];
  const size_t known = kLetters.find(letter);
  if (known != std::string_view::npos) {
    *text += kMeant[known];
    return;
  }
  if (letter != 'u') return Break();
  uint32_t point = Unit();
  if (IsBetween(point, 0xd800, 0xdc00) && text_.substr(at_).starts_with("\\u")) {
    at_ += 2;
    const uint32_t low = Unit();
    const bool is_pair = IsBetween(low, 0xdc00, 0xe000);
    point = is_pair ? 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00) : kReplacement;
  }
  AddUtf8(IsBetween(point, 0xd800, 0xe000) ? kReplacement : point, text);
}

std::string JsonCursor::Text() {
  std::string text;
  if (!Take('"')) {
    Break();
    return text;
  }
  while (ok_) {
    const size_t plain = std::min(text_.find_first_of("\"\\", at_), text_.size());
    text += text_.substr(at_, plain - at_);
    at_ = plain;
    if (at_ == text_.size()) break;
    if (text_[at_++] == '"') return text;
    AddEscaped(&text);
  }
  Break();
  return {};
}

uint32_t JsonCursor::Unsigned() {
  PassSpace();
  uint32_t number = 0;
  const char* end = text_.data() + text_.size();
  const auto [behind, error] = std::from_chars(text_.data() + at_, end, number);
  if (error != std::errc()) {
    Break();
    return 0;
  }
  at_ = static_cast<size_t>(behind - text_.data());
  return number;
}

void JsonCursor::Skip() {
  size_t depth = 0;
  do {
    PassSpace();
    if (at_ == text_.size()) return Break();
    const char c = text_[at_];
    if (c == '"') {
      Text();
    } else if (c == '[' || c == '{') {
      ++depth;
      ++at_;
    } else if (c == ']' || c == '}') {
      if (depth == 0) return Break();
      --depth;
      ++at_;
    } else if (c == ',' || c == ':') {
      if (depth == 0) return Break();
      ++at_;
    } else {
      at_ = std::min(text_.find_first_of(",:[]{}\" \t\r\n", at_), text_.size());
    }
  } while (depth > 0 && ok_);
}

}  // namespace wb
