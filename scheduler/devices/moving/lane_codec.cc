#include "scheduler/devices/moving/lane_codec.h"

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/abi/lane.h"

namespace wb {
namespace {

constexpr uint64_t kPageWords = abi::PAGE_BYTES / sizeof(uint32_t);
constexpr uint64_t kBlockWords = 1024;  // 4 KiB
constexpr uint64_t kPageBlocks = kPageWords / kBlockWords;

// Of the header: what is the dispatch's, not the instance's.
constexpr std::array<uint32_t, 11> kOfDispatch = {
    abi::LANE_MAX_STACK,      abi::LANE_MAX_PAGES, abi::LANE_CAPACITY_PAGES,
    abi::LANE_CLEAN_PAGES,    abi::LANE_LINK_AT,   abi::LANE_FRAMES_AT,
    abi::LANE_CAPACITY_STACK, abi::LANE_SEAT,      abi::LANE_KEPT,
    abi::LANE_WANTED_PAGES,   abi::LANE_TURN};

// Of the record likewise: which lane it was left in, and what it waits for there.
constexpr std::array<uint32_t, 4> kOfSeat = {abi::RECORD_QUEUED, abi::RECORD_WANTED_PAGES,
                                             abi::RECORD_TURN, abi::RECORD_LANE};

void Copy(const LaneWords& from, const LaneWords& to, uint64_t words) {
  if (from.stride == 1 && to.stride == 1) {
    std::copy_n(from.first, words, to.first);
    return;
  }
  for (uint64_t w = 0; w < words; ++w) to.at(w) = from.at(w);
}

void Clear(const LaneWords& to, uint64_t words) {
  for (uint64_t w = 0; w < words; ++w) to.at(w) = 0;
}

bool IsZero(const LaneWords& from, uint64_t words) {
  for (uint64_t w = 0; w < words; ++w) {
    if (from.at(w) != 0) return false;
  }
  return true;
}

uint64_t BitWords(uint64_t pages) { return (pages * kPageBlocks + 31) / 32; }

bool HasBlock(const uint32_t* bits, uint64_t block) {
  return (bits[block / 32] >> (block % 32) & 1) != 0;
}

// An image's own words; nothing is written through it.
LaneWords View(const std::vector<uint32_t>& state, uint64_t at) {
  return {const_cast<uint32_t*>(state.data()) + at, 1};
}

// Rooms of the innermost root and of all links, which count from a stack reserve.
void Rebase(const LaneWords& head, const LaneWords& frames, const FrameMap::Extent& extent,
            uint32_t from, uint32_t to) {
  head.at(abi::LANE_ROOT_ROOM) += to - from;
  for (const uint64_t link : extent.links) frames.at(link + abi::LINK_ROOM) += to - from;
}

Status DoesNotFitHere(const std::string& why) {
  return Status(Reason::kInvalidArgument, "The image of a lane cannot be taken in: " + why + ".");
}

}  // namespace

LaneCodec::LaneCodec(const LoweredModule& module, const DispatchShape& shape)
    : module_(module),
      shape_(shape),
      layout_(module.layout),
      form_(FormOf(module, shape)),
      frames_(module) {}

uint64_t LaneCodec::HeadWords() const {
  const ir::Program& program = module_.program;
  if (!layout_.recursive()) return uint64_t{layout_.frames_at} + layout_.frames_words;
  return uint64_t{layout_.globals_at} + program.globals_size + program.tables_size;
}

uint64_t LaneCodec::RecordWords(uint64_t output_bytes) const {
  return abi::RECORD_REGISTERS + shape_.register_words + (output_bytes + 3) / 4;
}

uint32_t LaneCodec::CapacityStack() const {
  return layout_.recursive() ? shape_.StackReserve() : shape_.max_stack;
}

uint64_t LaneCodec::MemoryAt(uint32_t memory) const {
  return layout_.memory_at + uint64_t{memory} * shape_.capacity_pages * kPageWords;
}

uint32_t LaneCodec::PagesOf(const LaneWords& head, uint32_t memory) const {
  const auto& memories = module_.program.memories;
  if (memory == 0) return memories.empty() ? 0 : head.at(abi::LANE_PAGES);
  const uint32_t global = memories[memory].pages_global;
  if (global == ir::kNoGlobal) return memories[memory].min_pages;
  return head.at(layout_.globals_at + module_.program.global_words[global]);
}

std::vector<LaneRange> LaneCodec::Rest(const LaneWords& lane) const {
  std::vector<LaneRange> ranges;
  if (layout_.recursive()) ranges.push_back({FramesAt(), layout_.FramesWords(CapacityStack())});
  for (uint32_t m = 0; m < layout_.memories; ++m) {
    const uint32_t pages = std::min(PagesOf(lane, m), shape_.capacity_pages);
    if (pages > 0) ranges.push_back({MemoryAt(m), pages * kPageWords});
  }
  return ranges;
}

std::vector<LaneRange> LaneCodec::RestOf(const LaneImage& image) const {
  std::vector<LaneRange> ranges;
  if (layout_.recursive() && image.state[0] > 0) ranges.push_back({FramesAt(), image.state[0]});
  for (uint32_t m = 0; m < layout_.memories; ++m) {
    const uint32_t pages = std::max(PagesOf(View(image.state, 1), m), 1u);  // PutHeader
    if (shape_.capacity_pages > 0) ranges.push_back({MemoryAt(m), pages * kPageWords});
  }
  return ranges;
}

std::optional<FrameMap::Extent> LaneCodec::WalkOf(const LaneWords& head, const LaneWords& frames,
                                                  uint64_t words, uint32_t capacity) const {
  if (head.at(abi::LANE_RESUME) == 0) return FrameMap::Extent();
  if (head.at(abi::LANE_ROOT_FRESH) != 0) return std::nullopt;
  const RootWords innermost{head.at(abi::LANE_ROOT_FUNCTION), head.at(abi::LANE_ROOT_BASE),
                            capacity - head.at(abi::LANE_ROOT_ROOM)};
  return frames_.Walk(frames, words, innermost, capacity);
}

bool LaneCodec::IsSoundHeader(const LaneWords& head, std::span<const uint32_t> record) const {
  const uint32_t step = head.at(abi::LANE_STEP);
  const bool resumes = head.at(abi::LANE_RESUME) != 0;
  if (step > shape_.steps || head.at(abi::LANE_RESUME) > 1) return false;
  if (step == 0 && !module_.program.module->start) return false;
  if (step > 0 && resumes) {
    const size_t at = size_t{step - 1} * abi::STEP_WORDS;
    if (shape_.program[at + abi::STEP_KIND] != abi::STEP_CALL) return false;
  }
  const uint32_t bytes = head.at(abi::LANE_OUT_BYTES);
  if (bytes > shape_.output_bytes || record[abi::RECORD_OUT_BYTES] != bytes) return false;
  for (uint32_t m = 0; m < layout_.memories; ++m) {
    if (PagesOf(head, m) > shape_.capacity_pages) return false;
  }
  return true;
}

void LaneCodec::TakeMemory(const LaneWords& lane, uint32_t memory,
                           std::vector<uint32_t>& state) const {
  const uint64_t pages = PagesOf(lane, memory);
  const size_t bits = state.size();
  state.resize(bits + BitWords(pages));
  for (uint64_t block = 0; block < pages * kPageBlocks; ++block) {
    const LaneWords from = lane.from(MemoryAt(memory) + block * kBlockWords);
    if (IsZero(from, kBlockWords)) continue;
    state[bits + block / 32] |= 1u << (block % 32);
    const size_t at = state.size();
    state.resize(at + kBlockWords);
    Copy(from, {state.data() + at, 1}, kBlockWords);
  }
}

std::optional<LaneImage> LaneCodec::Take(const LaneWords& lane,
                                         std::span<const uint32_t> record) const {
  if (!IsSoundHeader(lane, record)) return std::nullopt;
  const LaneWords frames = lane.from(FramesAt());
  const auto extent = WalkOf(lane, frames, layout_.FramesWords(CapacityStack()), CapacityStack());
  if (!extent) return std::nullopt;
  LaneImage image;
  image.form = form_;
  const uint64_t record_words = RecordWords(record[abi::RECORD_OUT_BYTES]);
  image.record.assign(record.begin(), record.begin() + static_cast<ptrdiff_t>(record_words));
  image.record[abi::RECORD_SEAT] = abi::SEAT_RUNNING;
  for (const uint32_t word : kOfSeat) image.record[word] = 0;
  const uint64_t behind = layout_.recursive() ? extent->words : 0;
  const uint64_t head_words = HeadWords();
  image.state.resize(1 + head_words + behind);
  image.state[0] = static_cast<uint32_t>(behind);
  const LaneWords head{image.state.data() + 1, 1};
  Copy(lane, head, head_words);
  if (!layout_.recursive()) {  // behind the last frame stand others' old ones
    Clear(head.from(layout_.frames_at + extent->words), layout_.frames_words - extent->words);
  }
  Copy(frames, head.from(head_words), behind);
  const LaneWords moved = head.from(layout_.recursive() ? head_words : layout_.frames_at);
  Rebase(head, moved, *extent, CapacityStack(), kMaxStackSlots);
  for (const uint32_t word : kOfDispatch) head.at(word) = 0;
  for (uint32_t m = 0; m < layout_.memories; ++m) TakeMemory(lane, m, image.state);
  return image;
}

uint32_t LaneCodec::PagesFor(const LaneImage& image) const {
  const uint32_t pages = PagesOf(View(image.state, 1), 0);
  return shape_.capacity_pages == 0 ? 0 : std::max(pages, 1u);
}

std::optional<LaneCodec::Parts> LaneCodec::PartsOf(const LaneImage& image) const {
  const uint64_t head_words = HeadWords();
  if (image.state.size() < 1 + head_words) return std::nullopt;
  const uint64_t behind = image.state[0];
  if (image.state.size() - 1 - head_words < behind) return std::nullopt;
  if (!layout_.recursive() && behind != 0) return std::nullopt;
  Parts parts;
  parts.head = View(image.state, 1);
  parts.frames = parts.head.from(layout_.recursive() ? head_words : layout_.frames_at);
  parts.frames_words = layout_.recursive() ? behind : layout_.frames_words;
  parts.memories_at = 1 + head_words + behind;
  return parts;
}

bool LaneCodec::HasSoundMemories(const LaneImage& image, const Parts& parts) const {
  uint64_t at = parts.memories_at;
  for (uint32_t m = 0; m < layout_.memories; ++m) {
    const uint64_t blocks = uint64_t{PagesOf(parts.head, m)} * kPageBlocks;
    const uint64_t bits = at;
    at += BitWords(PagesOf(parts.head, m));
    if (at > image.state.size()) return false;
    for (uint64_t block = 0; block < blocks; ++block) {
      if (HasBlock(image.state.data() + bits, block)) at += kBlockWords;
    }
  }
  return at == image.state.size();
}

Status LaneCodec::Check(const LaneImage& image) const {
  if (image.form != form_) return DoesNotFitHere("it is of another module, program or limit");
  if (image.record.size() < RecordWords(0)) return DoesNotFitHere("its record is too short");
  const std::optional<Parts> parts = PartsOf(image);
  if (!parts) return DoesNotFitHere("its state is too short");
  if (!IsSoundHeader(parts->head, image.record)) {
    return DoesNotFitHere("its memory is larger than is reserved here, or its header is not sound");
  }
  if (image.record.size() != RecordWords(image.record[abi::RECORD_OUT_BYTES])) {
    return DoesNotFitHere("its record is not as long as it says");
  }
  const auto extent = WalkOf(parts->head, parts->frames, parts->frames_words, kMaxStackSlots);
  if (!extent || (layout_.recursive() && extent->words != parts->frames_words)) {
    return DoesNotFitHere("its frames are not sound");
  }
  if (extent->slots > CapacityStack() || extent->words > layout_.FramesWords(CapacityStack())) {
    return DoesNotFitHere("its stack is larger than is reserved here");
  }
  if (!HasSoundMemories(image, *parts)) return DoesNotFitHere("its memories are not sound");
  return {};
}

uint64_t LaneCodec::PutMemory(const LaneImage& image, uint64_t at, uint32_t memory, bool is_zero,
                              const LaneWords& lane) const {
  const uint64_t pages = PagesOf(View(image.state, 1), memory);
  const uint32_t* bits = image.state.data() + at;
  at += BitWords(pages);
  for (uint64_t block = 0; block < pages * kPageBlocks; ++block) {
    const LaneWords to = lane.from(MemoryAt(memory) + block * kBlockWords);
    if (HasBlock(bits, block)) {
      Copy(View(image.state, at), to, kBlockWords);
      at += kBlockWords;
    } else if (!is_zero) {
      Clear(to, kBlockWords);
    }
  }
  return at;
}

// Every span counts as written. A memory of which nothing is known might count as zero, so at least
// a page is known.
void LaneCodec::PutHeader(uint32_t held, const LaneWords& lane) const {
  lane.at(abi::LANE_MAX_STACK) = shape_.max_stack;
  lane.at(abi::LANE_MAX_PAGES) = shape_.max_pages;
  lane.at(abi::LANE_CAPACITY_PAGES) = shape_.capacity_pages;
  lane.at(abi::LANE_FRAMES_AT) = static_cast<uint32_t>(FramesAt());
  lane.at(abi::LANE_CAPACITY_STACK) = CapacityStack();
  lane.at(abi::LANE_SEAT) = held;
  if (layout_.memories > 1 || shape_.capacity_pages == 0) return;
  const uint32_t pages = lane.at(abi::LANE_PAGES);
  if (pages == 0) Clear(lane.from(layout_.memory_at), kPageWords);
  lane.at(abi::LANE_CLEAN_PAGES) = std::max(pages, 1u);
}

void LaneCodec::Put(const LaneImage& image, bool memory_is_zero, uint32_t held,
                    const LaneWords& lane, std::span<uint32_t> record) const {
  const std::optional<Parts> parts = PartsOf(image);
  const bool is_zero =
      memory_is_zero && layout_.memories == 1 && lane.at(abi::LANE_CLEAN_PAGES) == 0;
  Copy(parts->head, lane, HeadWords());
  if (layout_.recursive()) Copy(parts->frames, lane.from(FramesAt()), parts->frames_words);
  const auto extent = WalkOf(parts->head, parts->frames, parts->frames_words, kMaxStackSlots);
  Rebase(lane, lane.from(FramesAt()), *extent, kMaxStackSlots, CapacityStack());
  PutHeader(held, lane);
  uint64_t at = parts->memories_at;
  for (uint32_t m = 0; m < layout_.memories; ++m) at = PutMemory(image, at, m, is_zero, lane);
  const uint32_t turn = record[abi::RECORD_TURN];
  std::copy(image.record.begin(), image.record.end(), record.begin());
  for (const uint32_t word : kOfSeat) record[word] = 0;
  record[abi::RECORD_TURN] = lane.at(abi::LANE_TURN) = turn;
  record[abi::RECORD_SEAT] = abi::SEAT_RUNNING;
}

}  // namespace wb
