#pragma once

// What the strings of bytes are made of that stand for modules which were not decoded from one
// binary: numbers of 32 bits, little-endian, and texts behind their length.

#include <cstdint>
#include <vector>

#include "compiler/base/bytes.h"

namespace wb {

inline void PutNumber(Bytes& out, size_t number) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<uint8_t>(number >> shift));
}

inline void PutBytes(Bytes& out, ByteView bytes) {
  PutNumber(out, bytes.size());
  out.insert(out.end(), bytes.begin(), bytes.end());
}

// The methods give false where the bytes end too early.
class BytesReader {
 public:
  explicit BytesReader(ByteView bytes) : rest_(bytes) {}

  bool Number(uint32_t* number) {
    if (rest_.size() < 4) return false;
    *number = 0;
    for (int i = 3; i >= 0; --i) *number = *number << 8 | rest_[i];
    rest_ = rest_.subspan(4);
    return true;
  }
  bool Part(ByteView* bytes) {
    uint32_t length = 0;
    if (!Number(&length) || rest_.size() < length) return false;
    *bytes = rest_.first(length);
    rest_ = rest_.subspan(length);
    return true;
  }
  // Behind their count.
  bool Numbers(std::vector<uint32_t>* numbers) {
    uint32_t count = 0;
    if (!Number(&count) || rest_.size() / 4 < count) return false;
    numbers->resize(count);
    for (uint32_t& number : *numbers) Number(&number);
    return true;
  }
  bool done() const { return rest_.empty(); }

 private:
  ByteView rest_;
};

}  // namespace wb
