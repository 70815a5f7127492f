#pragma once

// Bytes as WebAssembly's binary format has them. Pure.
// Source: WebAssembly core specification 2.0, 5.2 (values).

#include <cstdint>
#include <string_view>
#include <utility>

#include "compiler/base/bytes.h"

namespace wb {

class BinaryWriter {
 public:
  void Byte(uint8_t byte) { bytes_.push_back(byte); }
  void Raw(ByteView bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void Number(uint64_t number) {
    for (; number >= 0x80; number >>= 7) Byte(static_cast<uint8_t>(number | 0x80));
    Byte(static_cast<uint8_t>(number));
  }
  void Signed(int64_t number) {
    for (; number < -0x40 || number >= 0x40; number >>= 7) {
      Byte(static_cast<uint8_t>((number & 0x7f) | 0x80));
    }
    Byte(static_cast<uint8_t>(number & 0x7f));
  }
  // Little-endian; bytes behind the eighth are zero.
  void Fixed(uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; ++i) Byte(i < 8 ? static_cast<uint8_t>(bits >> (8 * i)) : 0);
  }
  void Sized(ByteView bytes) {
    Number(bytes.size());
    Raw(bytes);
  }
  void Text(std::string_view text) { Sized(AsBytes(text)); }
  ByteView bytes() const { return bytes_; }
  Bytes Take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

}  // namespace wb
