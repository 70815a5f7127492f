#pragma once

// WireReader: fields of a protobuf message where they lie. Lengths have 64 bits: protobuf's own
// reader ends at 2 GiB. Pure.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "compiler/base/bytes.h"

namespace wb {

class WireReader {
 public:
  explicit WireReader(ByteView bytes) : bytes_(bytes) {}

  size_t position() const { return at_; }
  size_t left() const { return bytes_.size() - at_; }

  // A field's number and type; 0: there is none.
  uint32_t ReadTag();
  // nullopt, as below: not all of it is there, or it has more than 64 bits.
  std::optional<uint64_t> ReadVarint();
  // Of what follows and is all there.
  std::optional<size_t> ReadLength();
  bool Skip(uint64_t bytes);
  // What the tag stands before. Groups, which no message of ours has, are not read.
  bool SkipField(uint32_t tag);

 private:
  ByteView bytes_;
  size_t at_ = 0;
};

}  // namespace wb
