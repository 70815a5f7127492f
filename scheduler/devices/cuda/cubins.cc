#include "scheduler/devices/cuda/cubins.h"

#include <algorithm>
#include <cstring>

namespace wb {
namespace {

// Behind it: how many cubins there are and the length of each, as numbers of this machine, then
// their bytes.
constexpr std::string_view kMark = "wbcubins";
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

}  // namespace

Bytes JoinCubins(const std::vector<Bytes>& cubins) {
  if (cubins.size() == 1) return cubins[0];
  Bytes binary;
  Append(binary, AsBytes(kMark));
  AppendNumber(binary, cubins.size());
  for (const Bytes& cubin : cubins) AppendNumber(binary, cubin.size());
  for (const Bytes& cubin : cubins) Append(binary, cubin);
  return binary;
}

Result<std::vector<ByteView>> SplitCubins(ByteView binary) {
  const ByteView mark = AsBytes(kMark);
  if (binary.size() < mark.size() || !std::equal(mark.begin(), mark.end(), binary.begin())) {
    return std::vector<ByteView>{binary};
  }
  const Status cut_short(Reason::kCompileFailed, "A row of cubins is cut short.");
  size_t at = mark.size();
  if (binary.size() < at + kNumber) return cut_short;
  const uint64_t count = NumberAt(binary, at);
  at += kNumber;
  if (count > (binary.size() - at) / kNumber) return cut_short;
  std::vector<ByteView> cubins;
  size_t begin = at + count * kNumber;
  for (; cubins.size() < count; at += kNumber) {
    const uint64_t size = NumberAt(binary, at);
    if (size > binary.size() - begin) return cut_short;
    cubins.push_back(binary.subspan(begin, size));
    begin += size;
  }
  return cubins;
}

}  // namespace wb
