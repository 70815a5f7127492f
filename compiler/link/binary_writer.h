#pragma once

// Rows of bytes as the binary format has them. Pure.
// Source: WebAssembly core specification 2.0, 5 (binary format).

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/link/binding.h"

namespace wb {

class BinaryWriter {
 public:
  void Byte(uint8_t byte) { bytes_.push_back(byte); }
  void Raw(const Bytes& bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
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
  void Fixed(uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; ++i) Byte(i < 8 ? static_cast<uint8_t>(bits >> (8 * i)) : 0);
  }
  void Sized(const Bytes& bytes) {
    Number(bytes.size());
    Raw(bytes);
  }
  void Text(std::string_view text) {
    Number(text.size());
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  Bytes Take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

uint8_t TypeCode(ValueType type);

void PutTypes(const std::vector<ValueType>& types, BinaryWriter& to);

// The operator that gives the value; of a reference it is null.
void PutConstant(const BoundValue& value, BinaryWriter& to);

}  // namespace wb
