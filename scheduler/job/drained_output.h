#pragma once

// DrainedOutput: the output of an instance that is longer than its record has room for. The host
// takes what the record holds whenever that is full, and joins it here to what it would be in one
// record: bytes, or frames (FRAME_* in compiler/abi/lane.def) where the module has primitives.
// Pure.

#include <cstddef>
#include <cstdint>

#include "compiler/base/bytes.h"

namespace wb {

class DrainedOutput {
 public:
  // `has_frames`: as JobPlan::program says (asks).
  explicit DrainedOutput(bool has_frames) : has_frames_(has_frames) {}

  // Joins what a record held; all together at most `most` bytes. The part may come from an engine
  // that is not trusted. False: no sound engine wrote it, and the output is not whole.
  bool Join(ByteView part, uint64_t most);
  const Bytes& bytes() const { return bytes_; }
  bool has_frames() const { return has_frames_; }

 private:
  bool JoinFrames(ByteView part, uint64_t most);
  bool JoinFrame(uint32_t stream, ByteView data, uint64_t most);

  bool has_frames_;
  Bytes bytes_;
  size_t last_frame_ = 0;  // where the first word of the last frame lies
};

}  // namespace wb
