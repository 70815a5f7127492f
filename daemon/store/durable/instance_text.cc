#include "daemon/store/durable/instance_text.h"

#include "daemon/database/byte_text.h"

namespace wb {

std::vector<InstanceRange> RangesOf(const std::vector<uint64_t>& instances, size_t from,
                                    size_t to) {
  std::vector<InstanceRange> ranges;
  for (size_t i = from; i < to; ++i) {
    const uint64_t instance = instances[i];
    if (ranges.empty() || ranges.back().first + ranges.back().count != instance) {
      ranges.push_back({instance, 0});
    }
    ++ranges.back().count;
  }
  return ranges;
}

std::string EncodeInstances(const std::vector<InstanceRange>& ranges) {
  ByteWriter out;
  uint64_t at = 0;
  for (const InstanceRange& range : ranges) {
    out.Signed(static_cast<int64_t>(range.first - at));
    out.Number(range.count);
    at = range.first + range.count;
  }
  const Bytes bytes = std::move(out).Take();
  return std::string(AsText(bytes));
}

Status AddInstances(std::string_view text, InstanceSet* set) {
  ByteReader in(AsBytes(text));
  uint64_t at = 0;
  while (in.ok() && !in.is_done()) {
    const uint64_t first = at + static_cast<uint64_t>(in.Signed());
    const uint64_t count = in.Number();
    if (in.ok()) set->Add(first, count);
    at = first + count;
  }
  if (in.ok()) return {};
  return Status(Reason::kIoError, "The instances of stored results are damaged.");
}

}  // namespace wb
