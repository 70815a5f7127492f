#pragma once

// Reads numbers and texts from bytes that nothing has checked. A read beyond the end, or of a
// number of too many bytes, makes the cursor broken: it then stands at the end, and every further
// read gives zero or nothing. Pure.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "compiler/base/bytes.h"

namespace wb {

class ByteCursor {
 public:
  // A start behind the end is a broken cursor.
  explicit ByteCursor(ByteView bytes, uint64_t at = 0);

  bool ok() const { return ok_; }
  bool done() const { return at_ == bytes_.size(); }
  size_t at() const { return at_; }
  size_t left() const { return bytes_.size() - at_; }

  uint8_t U8() { return static_cast<uint8_t>(Fixed(1)); }
  uint16_t U16() { return static_cast<uint16_t>(Fixed(2)); }
  uint32_t U32() { return static_cast<uint32_t>(Fixed(4)); }
  uint64_t U64() { return Fixed(8); }
  // Little-endian, of at most 8 bytes.
  uint64_t Fixed(size_t bytes);
  // LEB128, of at most 10 bytes.
  uint64_t Unsigned();
  int64_t Signed();
  ByteView Take(uint64_t bytes);
  std::string_view Text();  // up to a zero byte, which is read too

 private:
  void Break();

  ByteView bytes_;
  size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace wb
