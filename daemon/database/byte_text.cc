#include "daemon/database/byte_text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace wb {
namespace {

constexpr int kMostShift = 63;

}  // namespace

void ByteWriter::Number(uint64_t number) {
  for (; number >= 0x80; number >>= 7) Byte(static_cast<uint8_t>(number | 0x80));
  Byte(static_cast<uint8_t>(number));
}

void ByteWriter::Signed(int64_t number) {
  const uint64_t doubled = static_cast<uint64_t>(number) << 1;
  Number(number < 0 ? ~doubled : doubled);
}

void ByteWriter::Word(uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) Byte(static_cast<uint8_t>(word >> shift));
}

void ByteWriter::Text(std::string_view text) {
  Number(text.size());
  Raw(AsBytes(text));
}

uint64_t ByteReader::Number() {
  uint64_t number = 0;
  for (int shift = 0; shift <= kMostShift; shift += 7) {
    const uint8_t byte = Byte();
    number |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return number;
  }
  Fail();
  return 0;
}

int64_t ByteReader::Signed() {
  const uint64_t doubled = Number();
  const uint64_t half = doubled >> 1;
  return static_cast<int64_t>((doubled & 1) != 0 ? ~half : half);
}

uint32_t ByteReader::Word() {
  uint32_t word = 0;
  for (int shift = 0; shift < 32; shift += 8) word |= static_cast<uint32_t>(Byte()) << shift;
  return word;
}

uint8_t ByteReader::Byte() {
  if (bytes_.empty()) {
    Fail();
    return 0;
  }
  const uint8_t byte = bytes_.front();
  bytes_ = bytes_.subspan(1);
  return byte;
}

std::string_view ByteReader::Text() {
  const uint64_t size = Count();
  const std::string_view text = AsText(bytes_.first(size));
  bytes_ = bytes_.subspan(size);
  return text;
}

ByteView ByteReader::Raw(size_t bytes) {
  if (bytes > bytes_.size()) Fail();
  const ByteView raw = bytes_.first(ok_ ? bytes : 0);
  bytes_ = bytes_.subspan(raw.size());
  return raw;
}

uint64_t ByteReader::Count() {
  const uint64_t count = Number();
  if (count <= bytes_.size()) return count;
  Fail();
  return 0;
}

uint64_t Checksum(ByteView bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace wb
