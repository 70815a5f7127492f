#include "scheduler/devices/cuda/cubins.h"

#include <algorithm>
#include <cstring>

namespace wb {
namespace {

// Behind a mark: how many parts there are and the length of each, as numbers of this machine, then
// their bytes.
constexpr std::string_view kCubins = "wbcubins";
constexpr std::string_view kKernels = "wbkernel";
constexpr size_t kNumber = sizeof(uint64_t);

void Append(Bytes& bytes, ByteView more) { bytes.insert(bytes.end(), more.begin(), more.end()); }

void AppendNumber(Bytes& bytes, uint64_t number) {
  Append(bytes, {reinterpret_cast<const uint8_t*>(&number), kNumber});
}

uint64_t NumberAt(ByteView bytes, size_t at) {
  uint64_t number = 0;
  std::memcpy(&number, bytes.data() + at, kNumber);
  return number;
}

Bytes Join(std::string_view mark, const std::vector<Bytes>& parts) {
  Bytes binary;
  Append(binary, AsBytes(mark));
  AppendNumber(binary, parts.size());
  for (const Bytes& part : parts) AppendNumber(binary, part.size());
  for (const Bytes& part : parts) Append(binary, part);
  return binary;
}

Result<std::vector<ByteView>> Split(std::string_view words, ByteView binary) {
  const ByteView mark = AsBytes(words);
  if (binary.size() < mark.size() || !std::equal(mark.begin(), mark.end(), binary.begin())) {
    return std::vector<ByteView>{binary};
  }
  const Status cut_short(Reason::kCompileFailed, "A row of cubins is cut short.");
  size_t at = mark.size();
  if (binary.size() < at + kNumber) return cut_short;
  const uint64_t count = NumberAt(binary, at);
  at += kNumber;
  if (count > (binary.size() - at) / kNumber) return cut_short;
  std::vector<ByteView> parts;
  size_t begin = at + count * kNumber;
  for (; parts.size() < count; at += kNumber) {
    const uint64_t size = NumberAt(binary, at);
    if (size > binary.size() - begin) return cut_short;
    parts.push_back(binary.subspan(begin, size));
    begin += size;
  }
  return parts;
}

}  // namespace

Bytes JoinCubins(const std::vector<Bytes>& cubins) {
  return cubins.size() == 1 ? cubins[0] : Join(kCubins, cubins);
}

Result<std::vector<ByteView>> SplitCubins(ByteView binary) { return Split(kCubins, binary); }

Bytes JoinKernels(const std::vector<Bytes>& kernels) {
  return kernels.size() == 1 ? kernels[0] : Join(kKernels, kernels);
}

Result<std::vector<ByteView>> SplitKernels(ByteView binary) {
  WB_ASSIGN(std::vector<ByteView> kernels, Split(kKernels, binary));
  if (kernels.empty() || kernels[0].empty() || kernels.size() > kMostKernels) {
    return Status(Reason::kCompileFailed, "A row of kernels has none, or too many.");
  }
  return kernels;
}

}  // namespace wb
