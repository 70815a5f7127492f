// LaneCodec: images that come into a dispatch, which trusts none of them.

#include <algorithm>
#include <optional>
#include <string>

#include "compiler/abi/lane.h"
#include "scheduler/devices/migration/image_words.h"
#include "scheduler/devices/migration/lane_codec.h"

namespace wb {
namespace {

Status DoesNotFitHere(const std::string& why) {
  return Status(Reason::kInvalidArgument, "The image of a lane cannot be taken in: " + why + ".");
}

}  // namespace

std::optional<LaneCodec::Parts> LaneCodec::PartsOf(const LaneImage& image) const {
  const uint64_t head_words = HeadWords();
  if (image.words().size() < 1 + head_words) return std::nullopt;
  const uint64_t behind = image.words()[0];
  if (image.words().size() - 1 - head_words < behind) return std::nullopt;
  if (!layout_.recursive() && behind != 0) return std::nullopt;
  Parts parts;
  parts.head = ImageWords(image.words(), 1);
  parts.frames = parts.head.from(layout_.recursive() ? head_words : layout_.frames_at);
  parts.frames_words = layout_.recursive() ? behind : layout_.frames_words;
  parts.memories_at = 1 + head_words + behind;
  return parts;
}

bool LaneCodec::HasSoundMemories(const LaneImage& image, const Parts& parts) const {
  uint64_t at = parts.memories_at;
  for (uint32_t m = 0; m < layout_.MemoryCount(); ++m) {
    const uint64_t blocks = uint64_t{PagesOf(parts.head, m)} * kPageBlocks;
    const uint64_t bits = at;
    at += BitWords(PagesOf(parts.head, m));
    if (at > image.words().size()) return false;
    for (uint64_t block = 0; block < blocks; ++block) {
      if (HasBlock(image.words().data() + bits, block)) at += kBlockWords;
    }
  }
  return at == image.words().size();
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
  const uint64_t pages = PagesOf(ImageWords(image.words(), 1), memory);
  const uint32_t* bits = image.words().data() + at;
  at += BitWords(pages);
  const LaneWords its = lane.from(MemoryAt(memory));
  for (uint64_t block = 0; block < pages * kPageBlocks; ++block) {
    const LaneWords to = its.from(block * kBlockWords);
    if (HasBlock(bits, block)) {
      CopyWords(ImageWords(image.words(), at), to, kBlockWords);
      at += kBlockWords;
    } else if (!is_zero) {
      ClearWords(to, kBlockWords);
    }
  }
  return at;
}

// The spans are kept from here on, but hold nothing that a fresh instance finds. A first memory of
// which nothing is known might count as zero, so at least one page counts as known.
void LaneCodec::PutHeader(uint32_t held, const LaneWords& lane) const {
  lane.at(abi::LANE_MAX_STACK) = shape_.max_stack;
  lane.at(abi::LANE_MAX_PAGES) = shape_.max_pages;
  lane.at(abi::LANE_CAPACITY_PAGES) = shape_.capacity_pages;
  lane.at(abi::LANE_FRAMES_AT) = static_cast<uint32_t>(FramesAt());
  lane.at(abi::LANE_CAPACITY_STACK) = CapacityStack();
  lane.at(abi::LANE_SEAT) = held;
  lane.at(abi::LANE_WINDOW_FROM) = lane.at(abi::LANE_WINDOW_BYTES) = 0;  // ImportInto
  lane.at(abi::LANE_MISSED) = 0;
  lane.at(abi::LANE_KEPT) = ~0u;
  lane.at(abi::LANE_FRESH) = 0;
  PutReserves(lane);
  if (Reserved(0) == 0) return;
  const uint32_t pages = lane.at(abi::LANE_PAGES);
  if (pages == 0) ClearWords(lane.from(layout_.memory_at), kWordsPerPage);
  lane.at(abi::LANE_CLEAN_PAGES) = std::max(pages, 1u);
}

void LaneCodec::PutReserves(const LaneWords& lane) const {
  for (uint32_t m = 1; m < layout_.MemoryCount(); ++m) {
    const LaneWords reserve = lane.from(layout_.globals_at - m * abi::RESERVE_WORDS);
    reserve.at(abi::RESERVE_AT) =
        static_cast<uint32_t>((MemoryAt(m) - layout_.memory_at) / kWordsPerPage);
    reserve.at(abi::RESERVE_PAGES) = Reserved(m);
  }
}

void LaneCodec::Put(const LaneImage& image, const PutTerms& terms, const LaneWords& lane,
                    std::span<uint32_t> record) const {
  const std::optional<Parts> parts = PartsOf(image);
  const bool is_zero = terms.memory_is_zero && lane.at(abi::LANE_CLEAN_PAGES) == 0;
  CopyWords(parts->head, lane, HeadWords());
  if (layout_.recursive()) CopyWords(parts->frames, lane.from(FramesAt()), parts->frames_words);
  const auto extent = WalkOf(parts->head, parts->frames, parts->frames_words, kMaxStackSlots);
  Rebase(lane, lane.from(FramesAt()), *extent, kMaxStackSlots, CapacityStack());
  PutHeader(terms.held, lane);
  uint64_t at = parts->memories_at;
  for (uint32_t m = 0; m < layout_.MemoryCount() && !terms.memories_are_there; ++m)
    at = PutMemory(image, at, m, is_zero && m == 0, lane);
  const uint32_t turn = record[abi::RECORD_TURN];
  std::copy(image.record.begin(), image.record.end(), record.begin());
  for (const uint32_t word : kOfSeat) record[word] = 0;
  record[abi::RECORD_TURN] = lane.at(abi::LANE_TURN) = turn;
  record[abi::RECORD_SEAT] = abi::SEAT_RUNNING;
}

}  // namespace wb
