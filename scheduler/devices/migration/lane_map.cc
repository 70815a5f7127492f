#include "scheduler/devices/migration/lane_map.h"

#include <algorithm>

#include "compiler/abi/lane.h"
#include "scheduler/devices/migration/image_words.h"

namespace wb {
namespace {

// To copy what lies between two ranges costs less than to begin again.
constexpr uint64_t kLeastGapWords = uint64_t{16} << 10;

}  // namespace

LaneMap::LaneMap(const LoweredModule& module, const DispatchShape& shape)
    : module_(module),
      shape_(shape),
      layout_(module.layout),
      form_(FormOf(module, shape)),
      frames_(module) {}

uint64_t LaneMap::HeadWords() const { return ImageHeadWords(module_); }

uint64_t LaneMap::RecordWords(uint64_t output_bytes) const {
  return abi::RECORD_REGISTERS + shape_.register_words + (output_bytes + 3) / 4;
}

uint32_t LaneMap::CapacityStack() const {
  return layout_.recursive() ? shape_.StackReserve() : shape_.max_stack;
}

LaneRange LaneMap::Reserves() const {
  const uint32_t words = (layout_.MemoryCount() - 1) * abi::RESERVE_WORDS;
  return {layout_.globals_at - words, words};
}

uint32_t LaneMap::PagesOf(const LaneWords& head, uint32_t memory) const {
  const auto& memories = module_.program.memories;
  if (memory == 0) return memories.empty() ? 0 : head.at(abi::LANE_PAGES);
  const uint32_t global = memories[memory].pages_global;
  if (global == ir::kNoGlobal) return memories[memory].min_pages;
  return head.at(layout_.globals_at + module_.program.global_words[global]);
}

uint32_t LaneMap::PagesFor(const LaneImage& image) const {
  const uint32_t pages = PagesOf(ImageWords(image.words(), 1), 0);
  return Reserved(0) == 0 ? 0 : std::max(pages, 1u);
}

// Writes are noted where they begin, and of the first memory alone (abi::LANE_KEPT).
bool LaneMap::IsKept(const LaneWords& lane, uint32_t memory, uint64_t block,
                     uint32_t base_pages) const {
  if (memory != 0 || block >= base_pages * kPageBlocks) return false;
  const uint64_t from = block * kBlockBytes;
  const uint64_t first = (from - std::min<uint64_t>(from, abi::SPILL_BYTES)) >> layout_.span_shift;
  const uint64_t last = (from + kBlockBytes - 1) >> layout_.span_shift;
  for (uint64_t span = first; span <= last; ++span) {
    if ((lane.at(abi::LANE_KEPT) >> (span & 31) & 1) == 0) return false;
  }
  return true;
}

std::vector<LaneRange> LaneMap::Rest(const LaneWords& lane) const {
  std::vector<LaneRange> ranges;
  if (layout_.recursive()) ranges.push_back({FramesAt(), layout_.FramesWords(CapacityStack())});
  for (uint32_t m = 0; m < layout_.MemoryCount(); ++m) {
    const uint32_t pages = std::min(PagesOf(lane, m), Reserved(m));
    if (pages > 0) ranges.push_back({MemoryAt(m), pages * kWordsPerPage});
  }
  return ranges;
}

std::vector<LaneRange> LaneMap::RestOfChange(const LaneWords& lane,
                                             std::span<const uint32_t> base) const {
  std::vector<LaneRange> ranges;
  for (uint32_t m = 0; m < layout_.MemoryCount(); ++m) {
    const uint64_t blocks = std::min(PagesOf(lane, m), Reserved(m)) * kPageBlocks;
    const uint32_t base_pages = PagesOf(ImageWords(base, 1), m);
    bool is_open = false;
    for (uint64_t block = 0; block < blocks; ++block) {
      if (IsKept(lane, m, block, base_pages)) continue;
      const uint64_t at = MemoryAt(m) + block * kBlockWords;
      is_open = is_open && at - (ranges.back().at + ranges.back().words) <= kLeastGapWords;
      if (!is_open) ranges.push_back({at, 0});
      ranges.back().words = at + kBlockWords - ranges.back().at;
      is_open = true;
    }
  }
  return ranges;
}

std::vector<LaneRange> LaneMap::RestOf(const LaneImage& image) const {
  std::vector<LaneRange> ranges;
  if (layout_.recursive() && image.words()[0] > 0) ranges.push_back({FramesAt(), image.words()[0]});
  for (uint32_t m = 0; m < layout_.MemoryCount(); ++m) {
    const uint32_t pages = m == 0 ? PagesFor(image) : PagesOf(ImageWords(image.words(), 1), m);
    if (pages > 0) ranges.push_back({MemoryAt(m), pages * kWordsPerPage});
  }
  return ranges;
}

std::optional<ImageParts> LaneMap::PartsOf(const LaneImage& image) const {
  const uint64_t head_words = HeadWords();
  if (image.words().size() < 1 + head_words) return std::nullopt;
  const uint64_t behind = image.words()[0];
  if (image.words().size() - 1 - head_words < behind) return std::nullopt;
  if (!layout_.recursive() && behind != 0) return std::nullopt;
  ImageParts parts;
  parts.head = ImageWords(image.words(), 1);
  parts.frames = parts.head.from(layout_.recursive() ? head_words : layout_.frames_at);
  parts.frames_words = layout_.recursive() ? behind : layout_.frames_words;
  parts.memories_at = 1 + head_words + behind;
  return parts;
}

}  // namespace wb
