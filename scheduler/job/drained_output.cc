#include "scheduler/job/drained_output.h"

#include <algorithm>
#include <cstring>

#include "compiler/abi/lane.h"

namespace wb {
namespace {

constexpr size_t kFrameWord = sizeof(uint32_t);

size_t WholeFrameWords(size_t bytes) { return (bytes + kFrameWord - 1) / kFrameWord * kFrameWord; }

uint32_t WordAt(ByteView bytes, size_t at) {
  uint32_t word = 0;
  std::memcpy(&word, bytes.data() + at, kFrameWord);
  return word;
}

}  // namespace

bool DrainedOutput::Join(ByteView part, uint64_t most) {
  if (has_frames_) return JoinFrames(part, most);
  if (bytes_.size() + part.size() > most) return false;
  bytes_.insert(bytes_.end(), part.begin(), part.end());
  return true;
}

bool DrainedOutput::JoinFrames(ByteView part, uint64_t most) {
  for (size_t at = 0; at < part.size();) {
    if (part.size() - at < kFrameWord) return false;
    const uint32_t head = WordAt(part, at);
    at += kFrameWord;
    const size_t size = head >> abi::FRAME_BYTES_SHIFT;
    if (size > part.size() - at) return false;
    if (!JoinFrame(head & abi::FRAME_STREAM, part.subspan(at, size), most)) return false;
    at = std::min(at + WholeFrameWords(size), part.size());
  }
  return true;
}

// Bytes that go on with the last frame make it longer.
bool DrainedOutput::JoinFrame(uint32_t stream, ByteView data, uint64_t most) {
  const bool goes_on = stream == abi::STREAM_GOES_ON;
  if (goes_on && bytes_.empty()) return false;
  const size_t at = goes_on ? bytes_.size() : WholeFrameWords(bytes_.size()) + kFrameWord;
  if (at + data.size() > most) return false;
  if (!goes_on) {
    bytes_.resize(at);
    last_frame_ = at - kFrameWord;
    std::memcpy(bytes_.data() + last_frame_, &stream, kFrameWord);
  }
  const uint64_t size = (WordAt(bytes_, last_frame_) >> abi::FRAME_BYTES_SHIFT) + data.size();
  if (size > abi::MOST_FRAME_BYTES) return false;
  const auto head = (WordAt(bytes_, last_frame_) & abi::FRAME_STREAM) |
                    static_cast<uint32_t>(size) << abi::FRAME_BYTES_SHIFT;
  std::memcpy(bytes_.data() + last_frame_, &head, kFrameWord);
  bytes_.insert(bytes_.end(), data.begin(), data.end());
  return true;
}

}  // namespace wb
