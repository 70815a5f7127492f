#include "scheduler/run/seats/output_frames.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "compiler/abi/lane.h"

namespace wb {
namespace {

constexpr size_t kWord = sizeof(uint32_t);

size_t WholeWords(size_t bytes) { return (bytes + kWord - 1) / kWord * kWord; }

}  // namespace

std::optional<std::vector<StreamBytes>> SplitOutput(ByteView output) {
  std::vector<StreamBytes> streams;
  std::array<uint8_t, abi::FRAME_STREAM + 1> place{};  // of a stream in `streams`, plus 1
  for (size_t at = 0; at < output.size();) {
    uint32_t head = 0;
    if (output.size() - at < kWord) return std::nullopt;
    std::memcpy(&head, output.data() + at, kWord);
    at += kWord;
    const uint32_t stream = head & abi::FRAME_STREAM;
    const size_t bytes = head >> abi::FRAME_BYTES_SHIFT;
    if (stream == 0 || bytes > output.size() - at) return std::nullopt;
    const ByteView data = output.subspan(at, bytes);
    at = std::min(at + WholeWords(bytes), output.size());
    if (stream == abi::STREAM_OF_STEPS) continue;
    if (place[stream] == 0) {
      streams.push_back({stream, {}});
      place[stream] = static_cast<uint8_t>(streams.size());
    }
    Bytes& joined = streams[place[stream] - 1u].bytes;
    joined.insert(joined.end(), data.begin(), data.end());
  }
  std::sort(streams.begin(), streams.end(),
            [](const StreamBytes& a, const StreamBytes& b) { return a.stream < b.stream; });
  return streams;
}

}  // namespace wb
