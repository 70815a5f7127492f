#include "compiler/debug/byte_cursor.h"

#include <algorithm>

namespace wb {

ByteCursor::ByteCursor(ByteView bytes, uint64_t at) : bytes_(bytes) {
  at_ = static_cast<size_t>(std::min<uint64_t>(at, bytes.size()));
  ok_ = at_ == at;
}

void ByteCursor::Break() {
  ok_ = false;
  at_ = bytes_.size();
}

ByteView ByteCursor::Take(uint64_t bytes) {
  if (bytes > bytes_.size() - at_) {
    Break();
    return {};
  }
  const ByteView taken = bytes_.subspan(at_, static_cast<size_t>(bytes));
  at_ += taken.size();
  return taken;
}

uint64_t ByteCursor::Fixed(size_t bytes) {
  uint64_t number = 0;
  const ByteView taken = Take(bytes);
  for (size_t i = 0; i < taken.size(); ++i) number |= uint64_t{taken[i]} << (8 * i);
  return number;
}

uint64_t ByteCursor::Unsigned() {
  uint64_t number = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    const uint8_t byte = U8();
    number |= shift < 64 ? uint64_t{byte & 0x7fu} << shift : 0;
    if (byte < 0x80) return ok_ ? number : 0;
  }
  Break();
  return 0;
}

int64_t ByteCursor::Signed() {
  uint64_t number = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    const uint8_t byte = U8();
    number |= shift < 64 ? uint64_t{byte & 0x7fu} << shift : 0;
    if (byte >= 0x80) continue;
    const bool negative = (byte & 0x40) != 0 && shift + 7 < 64;
    if (negative) number |= ~uint64_t{0} << (shift + 7);
    return ok_ ? static_cast<int64_t>(number) : 0;
  }
  Break();
  return 0;
}

std::string_view ByteCursor::Text() {
  const ByteView rest = bytes_.subspan(at_);
  const auto zero = std::find(rest.begin(), rest.end(), 0);
  if (zero == rest.end()) {
    Break();
    return {};
  }
  const auto length = static_cast<size_t>(zero - rest.begin());
  at_ += length + 1;
  return AsText(rest.first(length));
}

}  // namespace wb
