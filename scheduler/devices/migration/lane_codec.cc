#include "scheduler/devices/migration/lane_codec.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "compiler/abi/lane.h"
#include "scheduler/devices/migration/image_words.h"

namespace wb {
namespace {

// Words of the header that belong to the dispatch, not to the instance.
constexpr std::array<uint32_t, 16> kOfDispatch = {
    abi::LANE_MAX_STACK,      abi::LANE_MAX_PAGES, abi::LANE_CAPACITY_PAGES,
    abi::LANE_CLEAN_PAGES,    abi::LANE_LINK_AT,   abi::LANE_FRAMES_AT,
    abi::LANE_CAPACITY_STACK, abi::LANE_SEAT,      abi::LANE_KEPT,
    abi::LANE_WANTED_PAGES,   abi::LANE_TURN,      abi::LANE_WINDOW_FROM,
    abi::LANE_WINDOW_BYTES,   abi::LANE_MISSED,    abi::LANE_FRESH,
    abi::LANE_DATA_WRITTEN};

bool IsZero(const LaneWords& from, uint64_t words) {
  if (from.stride == 1) {  // the first is, and each is as the one before it
    return from.first[0] == 0 &&
           std::memcmp(from.first, from.first + 1, (words - 1) * sizeof(uint32_t)) == 0;
  }
  return VisitRows(from, words, [](const uint32_t* row, uint64_t /*first*/, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
      if (row[i] != 0) return false;
    }
    return true;
  });
}

bool AreEqual(const LaneWords& lane, const uint32_t* words, uint64_t count) {
  if (lane.stride == 1) return std::memcmp(lane.first, words, count * sizeof(uint32_t)) == 0;
  return VisitRows(lane, count, [&](const uint32_t* row, uint64_t first, uint64_t row_words) {
    for (uint64_t i = 0; i < row_words; ++i) {
      if (row[i] != words[first + i]) return false;
    }
    return true;
  });
}

void AppendBlock(const LaneWords& from, std::vector<uint32_t>& state) {
  const size_t at = state.size();
  state.resize(at + kBlockWords);
  CopyWords(from, {state.data() + at, 1}, kBlockWords);
}

}  // namespace

LaneImage LaneCodec::MidwayHead(const LaneWords& lane, std::span<const uint32_t> record,
                                const FrameMap::Extent& extent) const {
  LaneImage image;
  image.form = map_.form();
  const uint64_t record_words = map_.RecordWords(record[abi::RECORD_OUT_BYTES]);
  image.record.assign(record.begin(), record.begin() + static_cast<ptrdiff_t>(record_words));
  image.record[abi::RECORD_SEAT] = abi::SEAT_RUNNING;
  for (const uint32_t word : kOfSeat) image.record[word] = 0;
  const uint64_t behind = layout_.recursive() ? extent.words : 0;
  const uint64_t head_words = map_.HeadWords();
  image.state.resize(1 + head_words + behind);
  image.state[0] = static_cast<uint32_t>(behind);
  const LaneWords head{image.state.data() + 1, 1};
  CopyWords(lane, head, head_words);
  if (!layout_.recursive()) {  // behind the last frame stand others' old ones
    ClearWords(head.from(layout_.frames_at + extent.words), layout_.frames_words - extent.words);
  }
  CopyWords(lane.from(map_.FramesAt()), head.from(head_words), behind);
  const LaneWords moved = head.from(layout_.recursive() ? head_words : layout_.frames_at);
  Rebase(head, moved, extent, map_.CapacityStack(), kMaxStackSlots);
  for (const uint32_t word : kOfDispatch) head.at(word) = 0;
  const LaneRange reserves = map_.Reserves();  // they belong to the dispatch, too
  ClearWords(head.from(reserves.at), reserves.words);
  return image;
}

LaneImage LaneCodec::EndedHead(const LaneWords& lane, std::span<const uint32_t> record) const {
  LaneImage image;
  image.form = map_.form();
  image.record.assign(record.begin(), record.begin() + static_cast<ptrdiff_t>(map_.RecordWords(0)));
  image.state.resize(1 + map_.HeadWords());
  const LaneWords head{image.state.data() + 1, 1};
  const ir::Program& program = map_.module().program;
  const uint64_t globals = uint64_t{program.globals_size} + program.tables_size;
  CopyWords(lane.from(layout_.globals_at), head.from(layout_.globals_at), globals);
  head.at(abi::LANE_PAGES) = lane.at(abi::LANE_PAGES);
  return image;
}

void LaneCodec::TakeMemory(const LaneWords& lane, uint32_t memory,
                           std::vector<uint32_t>& state) const {
  const uint64_t pages = map_.PagesOf(lane, memory);
  const LaneWords its = lane.memory_from(map_.MemoryAt(memory));
  const size_t bits = state.size();
  state.resize(bits + BitWords(pages));
  for (uint64_t block = 0; block < pages * kPageBlocks; ++block) {
    const LaneWords from = its.from(block * kBlockWords);
    if (IsZero(from, kBlockWords)) continue;
    state[bits + block / 32] |= 1u << (block % 32);
    AppendBlock(from, state);
  }
}

void LaneCodec::TakeChanges(const LaneWords& lane, uint32_t memory, std::span<const uint32_t> base,
                            BlockReader& before, std::vector<uint32_t>& state) const {
  const uint64_t pages = map_.PagesOf(lane, memory);
  const LaneWords its = lane.memory_from(map_.MemoryAt(memory));
  const size_t bits = state.size();
  const size_t changed = bits + BitWords(pages);
  state.resize(changed + BitWords(pages));
  const uint32_t base_pages = map_.PagesOf(ImageWords(base, 1), memory);
  before.BeginMemory(base_pages);
  for (uint64_t block = 0; block < pages * kPageBlocks; ++block) {
    const LaneWords from = its.from(block * kBlockWords);
    const uint32_t* was = before.Next();
    const bool is_kept = map_.IsKept(lane, memory, block, base_pages);
    const bool same = was != nullptr && (is_kept || AreEqual(from, was, kBlockWords));
    if (!same && (is_kept || IsZero(from, kBlockWords))) continue;
    state[bits + block / 32] |= 1u << (block % 32);
    if (same) continue;
    state[changed + block / 32] |= 1u << (block % 32);
    AppendBlock(from, state);
  }
}

std::optional<LaneImage> LaneCodec::Take(const LaneWords& lane,
                                         std::span<const uint32_t> record) const {
  if (!verifier_.IsSoundHeader(lane, record)) return std::nullopt;
  const uint32_t capacity = map_.CapacityStack();
  const auto extent = map_.frames().WalkFrom(lane, lane.from(map_.FramesAt()),
                                             layout_.FramesWords(capacity), capacity);
  if (!extent) return std::nullopt;
  LaneImage image = MidwayHead(lane, record, *extent);
  for (uint32_t m = 0; m < layout_.MemoryCount(); ++m) TakeMemory(lane, m, image.state);
  return image;
}

std::optional<LaneImage> LaneCodec::TakeEnded(const LaneWords& lane,
                                              std::span<const uint32_t> record) const {
  if (!verifier_.FitsReserves(lane)) return std::nullopt;
  LaneImage image = EndedHead(lane, record);
  for (uint32_t m = 0; m < layout_.MemoryCount(); ++m) TakeMemory(lane, m, image.state);
  return image;
}

std::optional<LaneImage> LaneCodec::TakeChange(const LaneWords& lane,
                                               std::span<const uint32_t> record,
                                               std::span<const uint32_t> base) const {
  if (!verifier_.FitsReserves(lane)) return std::nullopt;
  LaneImage image = EndedHead(lane, record);
  image.is_change = true;
  BlockReader before(base, 1 + map_.HeadWords());
  for (uint32_t m = 0; m < layout_.MemoryCount(); ++m) {
    TakeChanges(lane, m, base, before, image.state);
  }
  return image;
}

void LaneCodec::PutMemory(uint64_t pages, uint32_t memory, bool is_zero, BlockReader& blocks,
                          const LaneWords& lane) const {
  const LaneWords its = lane.memory_from(map_.MemoryAt(memory));
  blocks.BeginMemory(pages);
  for (uint64_t block = 0; block < pages * kPageBlocks; ++block) {
    const LaneWords to = its.from(block * kBlockWords);
    if (const uint32_t* words = blocks.Next(); words != nullptr) {
      CopyWords(ImageWords({words, kBlockWords}, 0), to, kBlockWords);
    } else if (!is_zero) {
      ClearWords(to, kBlockWords);
    }
  }
}

// The spans are kept from here on, but hold nothing that a fresh instance finds. A first memory of
// which nothing is known might count as zero, so at least one page counts as known.
void LaneCodec::PutHeader(uint32_t held, const LaneWords& lane) const {
  const DispatchShape& shape = map_.shape();
  lane.at(abi::LANE_MAX_STACK) = shape.max_stack;
  lane.at(abi::LANE_MAX_PAGES) = shape.max_pages;
  lane.at(abi::LANE_CAPACITY_PAGES) = shape.capacity_pages;
  lane.at(abi::LANE_FRAMES_AT) = static_cast<uint32_t>(map_.FramesAt());
  lane.at(abi::LANE_CAPACITY_STACK) = map_.CapacityStack();
  lane.at(abi::LANE_SEAT) = held;
  lane.at(abi::LANE_WINDOW_FROM) = lane.at(abi::LANE_WINDOW_BYTES) = 0;  // ImportInto
  lane.at(abi::LANE_MISSED) = 0;
  lane.at(abi::LANE_KEPT) = ~0u;
  lane.at(abi::LANE_FRESH) = 0;
  lane.at(abi::LANE_DATA_WRITTEN) = 1;
  PutReserves(lane);
  if (map_.Reserved(0) == 0) return;
  const uint32_t pages = lane.at(abi::LANE_PAGES);
  if (pages == 0) ClearWords(lane.memory_from(layout_.memory_at), kWordsPerPage);
  lane.at(abi::LANE_CLEAN_PAGES) = std::max(pages, 1u);
}

void LaneCodec::PutReserves(const LaneWords& lane) const {
  for (uint32_t m = 1; m < layout_.MemoryCount(); ++m) {
    const LaneWords reserve = lane.from(layout_.globals_at - m * abi::RESERVE_WORDS);
    reserve.at(abi::RESERVE_AT) =
        static_cast<uint32_t>((map_.MemoryAt(m) - layout_.memory_at) / kWordsPerPage);
    reserve.at(abi::RESERVE_PAGES) = map_.Reserved(m);
  }
}

// All but the memories: header, globals, tables and frames.
void LaneCodec::PutHead(const ImageParts& parts, uint32_t held, const LaneWords& lane) const {
  CopyWords(parts.head, lane, map_.HeadWords());
  const LaneWords frames = lane.from(map_.FramesAt());
  if (layout_.recursive()) CopyWords(parts.frames, frames, parts.frames_words);
  const auto extent =
      map_.frames().WalkFrom(parts.head, parts.frames, parts.frames_words, kMaxStackSlots);
  Rebase(lane, frames, *extent, kMaxStackSlots, map_.CapacityStack());
  PutHeader(held, lane);
}

void LaneCodec::Put(const LaneImage& image, const PutTerms& terms, const LaneWords& lane,
                    std::span<uint32_t> record) const {
  const std::optional<ImageParts> parts = map_.PartsOf(image);
  const bool is_zero = terms.memory_is_zero && lane.at(abi::LANE_CLEAN_PAGES) == 0;
  PutHead(*parts, terms.held, lane);
  BlockReader blocks(image.words(), parts->memories_at);
  for (uint32_t m = 0; m < layout_.MemoryCount() && !terms.memories_are_there; ++m)
    PutMemory(map_.PagesOf(parts->head, m), m, is_zero && m == 0, blocks, lane);
  const uint32_t turn = record[abi::RECORD_TURN];
  std::copy(image.record.begin(), image.record.end(), record.begin());
  for (const uint32_t word : kOfSeat) record[word] = 0;
  record[abi::RECORD_TURN] = lane.at(abi::LANE_TURN) = turn;
  record[abi::RECORD_SEAT] = abi::SEAT_RUNNING;
}

}  // namespace wb
