#include "daemon/database/tar_header.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace wb {
namespace {

constexpr size_t kNameBytes = 100;
constexpr size_t kModeAt = 100;
constexpr size_t kOwnerAt = 108;
constexpr size_t kGroupAt = 116;
constexpr size_t kSizeAt = 124;
constexpr size_t kSizeBytes = 12;
constexpr size_t kTimeAt = 136;
constexpr size_t kChecksumAt = 148;
constexpr size_t kChecksumBytes = 8;
constexpr size_t kKindAt = 156;
constexpr size_t kMagicAt = 257;
constexpr uint64_t kMostOctal = (uint64_t{1} << 33) - 1;  // eleven digits

void PutText(TarBlock* block, size_t at, std::string_view text) {
  std::copy(text.begin(), text.end(), block->begin() + static_cast<std::ptrdiff_t>(at));
}

std::string Octal(uint64_t number, int digits) {
  char text[32];
  std::snprintf(text, sizeof(text), "%0*llo", digits, static_cast<unsigned long long>(number));
  return text;
}

void PutSize(TarBlock* block, uint64_t bytes) {
  if (bytes <= kMostOctal) return PutText(block, kSizeAt, Octal(bytes, kSizeBytes - 1));
  (*block)[kSizeAt] = 0x80;  // a binary number follows, most significant byte first
  for (size_t i = 0; i < 8; ++i) {
    (*block)[kSizeAt + kSizeBytes - 1 - i] = static_cast<uint8_t>(bytes >> (8 * i));
  }
}

uint64_t SizeOf(const TarBlock& block) {
  const bool binary = (block[kSizeAt] & 0x80) != 0;
  uint64_t bytes = 0;
  for (size_t i = binary ? kSizeBytes - 8 : 0; i < (binary ? kSizeBytes : kSizeBytes - 1); ++i) {
    const uint8_t byte = block[kSizeAt + i];
    bytes = binary ? bytes << 8 | byte : bytes << 3 | (byte & 7u);
  }
  return bytes;
}

// Of all bytes, with spaces in the place of the sum itself.
std::string Checksum(const TarBlock& block) {
  uint64_t sum = kChecksumBytes * ' ';
  for (size_t i = 0; i < block.size(); ++i) {
    if (i < kChecksumAt || i >= kChecksumAt + kChecksumBytes) sum += block[i];
  }
  return Octal(sum, 6) + std::string("\0 ", 2);
}

}  // namespace

TarBlock EncodeTarHeader(const TarEntry& entry) {
  TarBlock block{};
  PutText(&block, 0, std::string_view(entry.name).substr(0, kNameBytes - 1));
  PutText(&block, kModeAt, Octal(0600, 7));
  PutText(&block, kOwnerAt, Octal(0, 7));
  PutText(&block, kGroupAt, Octal(0, 7));
  PutSize(&block, entry.bytes);
  PutText(&block, kTimeAt, Octal(0, 11));
  block[kKindAt] = '0';
  PutText(&block, kMagicAt, std::string_view("ustar\00000", 8));
  PutText(&block, kChecksumAt, Checksum(block));
  return block;
}

std::optional<TarEntry> DecodeTarHeader(const TarBlock& block) {
  const auto* const name_end = std::find(block.begin(), block.begin() + kNameBytes, 0);
  TarEntry entry{std::string(block.begin(), name_end), SizeOf(block)};
  if (entry.name.empty() || EncodeTarHeader(entry) != block) return std::nullopt;
  return entry;
}

}  // namespace wb
