#include "scheduler/devices/migration/lane_codec.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "compiler/abi/lane.h"
#include "scheduler/devices/migration/image_words.h"

namespace wb {
namespace {

// Words of the header that belong to the dispatch, not to the instance.
constexpr std::array<uint32_t, 15> kOfDispatch = {
    abi::LANE_MAX_STACK,    abi::LANE_MAX_PAGES,    abi::LANE_CAPACITY_PAGES, abi::LANE_CLEAN_PAGES,
    abi::LANE_LINK_AT,      abi::LANE_FRAMES_AT,    abi::LANE_CAPACITY_STACK, abi::LANE_SEAT,
    abi::LANE_KEPT,         abi::LANE_WANTED_PAGES, abi::LANE_TURN,           abi::LANE_WINDOW_FROM,
    abi::LANE_WINDOW_BYTES, abi::LANE_MISSED,       abi::LANE_FRESH};

// To copy what lies between two ranges costs less than to begin again.
constexpr uint64_t kLeastGapWords = uint64_t{16} << 10;

bool IsZero(const LaneWords& from, uint64_t words) {
  if (from.stride == 1) {  // the first is, and each is as the one before it
    return from.first[0] == 0 &&
           std::memcmp(from.first, from.first + 1, (words - 1) * sizeof(uint32_t)) == 0;
  }
  for (uint64_t w = 0; w < words; ++w) {
    if (from.at(w) != 0) return false;
  }
  return true;
}

bool AreEqual(const LaneWords& lane, const uint32_t* words, uint64_t count) {
  if (lane.stride == 1) return std::memcmp(lane.first, words, count * sizeof(uint32_t)) == 0;
  for (uint64_t w = 0; w < count; ++w) {
    if (lane.at(w) != words[w]) return false;
  }
  return true;
}

}  // namespace

// The blocks of words that were taken in, and so were checked, one after the other.
class LaneCodec::BaseReader {
 public:
  BaseReader(std::span<const uint32_t> words, uint64_t memories_at)
      : words_(words), at_(memories_at) {}
  LaneWords head() const { return ImageWords(words_, 1); }
  void BeginMemory(uint64_t pages) {
    while (block_ < blocks_) (void)Next();  // it has become smaller
    bits_ = words_.data() + at_;
    at_ += BitWords(pages);
    block_ = 0;
    blocks_ = pages * kPageBlocks;
  }
  // Null: it is zero, or there was none.
  const uint32_t* Next() {
    const uint64_t block = block_++;
    if (block >= blocks_ || !HasBlock(bits_, block)) return nullptr;
    at_ += kBlockWords;
    return words_.data() + at_ - kBlockWords;
  }

 private:
  const std::span<const uint32_t> words_;
  uint64_t at_;
  const uint32_t* bits_ = nullptr;
  uint64_t block_ = 0;
  uint64_t blocks_ = 0;
};

LaneCodec::LaneCodec(const LoweredModule& module, const DispatchShape& shape)
    : module_(module),
      shape_(shape),
      layout_(module.layout),
      form_(FormOf(module, shape)),
      frames_(module) {}

uint64_t LaneCodec::HeadWords() const { return ImageHeadWords(module_); }

uint64_t LaneCodec::RecordWords(uint64_t output_bytes) const {
  return abi::RECORD_REGISTERS + shape_.register_words + (output_bytes + 3) / 4;
}

uint32_t LaneCodec::CapacityStack() const {
  return layout_.recursive() ? shape_.StackReserve() : shape_.max_stack;
}

// The words that say what is reserved for further memories. They belong to the dispatch, too.
LaneRange LaneCodec::Reserves() const {
  const uint32_t words = (layout_.MemoryCount() - 1) * abi::RESERVE_WORDS;
  return {layout_.globals_at - words, words};
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
  for (uint32_t m = 0; m < layout_.MemoryCount(); ++m) {
    const uint32_t pages = std::min(PagesOf(lane, m), Reserved(m));
    if (pages > 0) ranges.push_back({MemoryAt(m), pages * kWordsPerPage});
  }
  return ranges;
}

// An instance that began with words of so many pages did not write to the block, by its notes
// (abi::LANE_KEPT). Writes are noted where they begin, and of the first memory alone.
bool LaneCodec::IsKept(const LaneWords& lane, uint32_t memory, uint64_t block,
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

std::vector<LaneRange> LaneCodec::RestOfChange(const LaneWords& lane,
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

std::vector<LaneRange> LaneCodec::RestOf(const LaneImage& image) const {
  std::vector<LaneRange> ranges;
  if (layout_.recursive() && image.words()[0] > 0) ranges.push_back({FramesAt(), image.words()[0]});
  for (uint32_t m = 0; m < layout_.MemoryCount(); ++m) {
    const uint32_t pages = m == 0 ? PagesFor(image) : PagesOf(ImageWords(image.words(), 1), m);
    if (pages > 0) ranges.push_back({MemoryAt(m), pages * kWordsPerPage});
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

// The output and its part, and the write that waits for room there if there is one. How much of it
// was done needs no check: the runtime takes no more than there is.
bool LaneCodec::HasSoundOutput(const LaneWords& head, std::span<const uint32_t> record) const {
  const uint32_t held = record[abi::RECORD_OUT_BYTES];
  if (head.at(abi::LANE_OUT_BYTES) > shape_.output_bytes || held > shape_.OutputBuffer())
    return false;
  const bool asks = module_.program.asks;
  const uint32_t frame = head.at(abi::LANE_OUT_FRAME);
  if (asks && held != 0 && (frame % 4 != 0 || frame > held || held - frame < 4)) return false;
  const uint32_t request = head.at(abi::LANE_REQUEST);
  if (request == 0) return true;
  const auto& functions = module_.program.functions;
  const bool is_known =
      std::any_of(functions.begin(), functions.end(),
                  [=](const ir::Function& function) { return function.request == request; });
  if (!is_known || head.at(abi::LANE_RESUME) == 0) return false;
  const auto primitive = static_cast<Primitive>((request - 1) & 0xff);
  if (primitive == Primitive::kOutputValues) return true;
  // Behind the arguments stands the size of the memory.
  return primitive == Primitive::kOutputWrite &&
         head.at(abi::LANE_STAGE + 3) == PagesOf(head, request >> 8);
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
  if (!HasSoundOutput(head, record)) return false;
  for (uint32_t m = 0; m < layout_.MemoryCount(); ++m) {
    if (PagesOf(head, m) > Reserved(m)) return false;
  }
  return true;
}

void LaneCodec::TakeMemory(const LaneWords& lane, uint32_t memory,
                           std::vector<uint32_t>& state) const {
  const uint64_t pages = PagesOf(lane, memory);
  const LaneWords its = lane.from(MemoryAt(memory));
  const size_t bits = state.size();
  state.resize(bits + BitWords(pages));
  for (uint64_t block = 0; block < pages * kPageBlocks; ++block) {
    const LaneWords from = its.from(block * kBlockWords);
    if (IsZero(from, kBlockWords)) continue;
    state[bits + block / 32] |= 1u << (block % 32);
    const size_t at = state.size();
    state.resize(at + kBlockWords);
    CopyWords(from, {state.data() + at, 1}, kBlockWords);
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
  CopyWords(lane, head, head_words);
  if (!layout_.recursive()) {  // behind the last frame stand others' old ones
    ClearWords(head.from(layout_.frames_at + extent->words), layout_.frames_words - extent->words);
  }
  CopyWords(frames, head.from(head_words), behind);
  const LaneWords moved = head.from(layout_.recursive() ? head_words : layout_.frames_at);
  Rebase(head, moved, *extent, CapacityStack(), kMaxStackSlots);
  for (const uint32_t word : kOfDispatch) head.at(word) = 0;
  ClearWords(head.from(Reserves().at), Reserves().words);
  for (uint32_t m = 0; m < layout_.MemoryCount(); ++m) TakeMemory(lane, m, image.state);
  return image;
}

void LaneCodec::TakeChanges(const LaneWords& lane, uint32_t memory, BaseReader& base,
                            std::vector<uint32_t>& state) const {
  const uint64_t pages = PagesOf(lane, memory);
  const LaneWords its = lane.from(MemoryAt(memory));
  const size_t bits = state.size();
  const size_t changed = bits + BitWords(pages);
  state.resize(changed + BitWords(pages));
  const uint32_t base_pages = PagesOf(base.head(), memory);
  base.BeginMemory(base_pages);
  for (uint64_t block = 0; block < pages * kPageBlocks; ++block) {
    const LaneWords from = its.from(block * kBlockWords);
    const uint32_t* before = base.Next();
    const bool is_kept = IsKept(lane, memory, block, base_pages);
    const bool same = before != nullptr && (is_kept || AreEqual(from, before, kBlockWords));
    if (!same && (is_kept || IsZero(from, kBlockWords))) continue;
    state[bits + block / 32] |= 1u << (block % 32);
    if (same) continue;
    state[changed + block / 32] |= 1u << (block % 32);
    const size_t at = state.size();
    state.resize(at + kBlockWords);
    CopyWords(from, {state.data() + at, 1}, kBlockWords);
  }
}

LaneImage LaneCodec::EndedHead(const LaneWords& lane, std::span<const uint32_t> record) const {
  LaneImage image;
  image.form = form_;
  image.record.assign(record.begin(), record.begin() + static_cast<ptrdiff_t>(RecordWords(0)));
  image.state.resize(1 + HeadWords());
  const LaneWords head{image.state.data() + 1, 1};
  const uint64_t globals = uint64_t{module_.program.globals_size} + module_.program.tables_size;
  CopyWords(lane.from(layout_.globals_at), head.from(layout_.globals_at), globals);
  head.at(abi::LANE_PAGES) = lane.at(abi::LANE_PAGES);
  return image;
}

bool LaneCodec::FitsReserves(const LaneWords& lane) const {
  for (uint32_t m = 0; m < layout_.MemoryCount(); ++m) {
    if (PagesOf(lane, m) > Reserved(m)) return false;
  }
  return true;
}

std::optional<LaneImage> LaneCodec::TakeEnded(const LaneWords& lane,
                                              std::span<const uint32_t> record) const {
  if (!FitsReserves(lane)) return std::nullopt;
  LaneImage image = EndedHead(lane, record);
  for (uint32_t m = 0; m < layout_.MemoryCount(); ++m) TakeMemory(lane, m, image.state);
  return image;
}

std::optional<LaneImage> LaneCodec::TakeChange(const LaneWords& lane,
                                               std::span<const uint32_t> record,
                                               std::span<const uint32_t> base) const {
  if (!FitsReserves(lane)) return std::nullopt;
  LaneImage image = EndedHead(lane, record);
  image.is_change = true;
  BaseReader reader(base, 1 + HeadWords());
  for (uint32_t m = 0; m < layout_.MemoryCount(); ++m) TakeChanges(lane, m, reader, image.state);
  return image;
}

uint32_t LaneCodec::PagesFor(const LaneImage& image) const {
  const uint32_t pages = PagesOf(ImageWords(image.words(), 1), 0);
  return Reserved(0) == 0 ? 0 : std::max(pages, 1u);  // PutHeader
}

}  // namespace wb
