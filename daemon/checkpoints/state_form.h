#pragma once

// The state of an instance as bytes: a head that says what it is of, and its body. Pure. The bytes
// may come from a damaged or a strange disk: whatever they are, an error says what is wrong.
//
//   8 bytes   kStateMark, with the version of this form
//   words     the head's length, then the head (ByteWriter): StateHead
//   8 bytes   XXH3 of all before
//   the body  words of the record, words of the state, bytes of output that was taken from it; its
//             SHA-256 is in the head

#include <cstdint>
#include <string>

#include "compiler/base/bytes.h"
#include "compiler/base/digest.h"
#include "compiler/base/status.h"
#include "scheduler/job/given_state.h"

namespace wb {

inline constexpr char kStateMark[9] = "WBSTATE1";
// Of a head, with mark and checksum: so much of a file is enough to read it.
inline constexpr size_t kLongestStateHead = 4096;

struct StateHead {
  std::string compiler;  // version of the compiler that the state is of
  Digest module;
  Digest form;  // LaneImage
  uint64_t instance = 0;
  uint32_t attempt = 1;
  uint64_t fuel = 0;
  uint64_t planned = 0;  // JobBefore::midway_planned
  StateNeeds needs;
  bool fast32 = false;
  bool has_output = false;  // some was taken
  bool has_frames = false;  // as DrainedOutput
  uint64_t record_words = 0;
  uint64_t state_words = 0;
  uint64_t output_bytes = 0;
  Digest body;
  uint64_t body_bytes() const { return (record_words + state_words) * 4 + output_bytes; }
};

// Head and body.
Bytes EncodeState(const LeavingState& leaving, const std::string& compiler, const Digest& module);
// The head that `bytes` begin with, and how long it is. BLOB_CORRUPT.
struct FoundHead {
  StateHead head;
  size_t bytes = 0;
};
Result<FoundHead> DecodeStateHead(ByteView bytes);
// All of it. BLOB_CORRUPT.
Result<MovedLaneRef> DecodeState(ByteView bytes);

}  // namespace wb
