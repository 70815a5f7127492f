#include "scheduler/devices/migration/lane_verifier.h"

#include <algorithm>
#include <optional>
#include <string>

#include "compiler/abi/lane.h"
#include "scheduler/devices/migration/image_words.h"

namespace wb {
namespace {

Status DoesNotFitHere(const std::string& why) {
  return Status(Reason::kInvalidArgument, "The image of a lane cannot be taken in: " + why + ".");
}

}  // namespace

bool LaneVerifier::FitsReserves(const LaneWords& head) const {
  for (uint32_t m = 0; m < map_.layout().MemoryCount(); ++m) {
    if (map_.PagesOf(head, m) > map_.Reserved(m)) return false;
  }
  return true;
}

bool LaneVerifier::HasSoundStep(const LaneWords& head) const {
  const uint32_t step = head.at(abi::LANE_STEP);
  const bool resumes = head.at(abi::LANE_RESUME) != 0;
  if (step > map_.shape().steps || head.at(abi::LANE_RESUME) > 1) return false;
  if (step == 0) return map_.module().program.module->start.has_value();
  if (!resumes) return true;
  const size_t at = size_t{step - 1} * abi::STEP_WORDS;
  return map_.shape().program[at + abi::STEP_KIND] == abi::STEP_CALL;
}

// The output and its part, and the write that waits for room there if there is one. How much of it
// was done needs no check: the runtime takes no more than there is.
bool LaneVerifier::HasSoundOutput(const LaneWords& head, std::span<const uint32_t> record) const {
  const DispatchShape& shape = map_.shape();
  const uint32_t held = record[abi::RECORD_OUT_BYTES];
  if (head.at(abi::LANE_OUT_BYTES) > shape.output_bytes || held > shape.OutputBuffer())
    return false;
  const bool asks = map_.module().program.asks;
  const uint32_t frame = head.at(abi::LANE_OUT_FRAME);
  if (asks && held != 0 && (frame % 4 != 0 || frame > held || held - frame < 4)) return false;
  return HasSoundRequest(head);
}

bool LaneVerifier::HasSoundRequest(const LaneWords& head) const {
  const uint32_t request = head.at(abi::LANE_REQUEST);
  if (request == 0) return true;
  const auto& functions = map_.module().program.functions;
  const bool is_known =
      std::any_of(functions.begin(), functions.end(),
                  [=](const ir::Function& function) { return function.request == request; });
  if (!is_known || head.at(abi::LANE_RESUME) == 0) return false;
  const auto primitive = static_cast<Primitive>((request - 1) & 0xff);
  if (primitive == Primitive::kOutputValues) return true;
  // Behind the arguments stands the size of the memory.
  return primitive == Primitive::kOutputWrite &&
         head.at(abi::LANE_STAGE + 3) == map_.PagesOf(head, request >> 8);
}

bool LaneVerifier::IsSoundHeader(const LaneWords& head, std::span<const uint32_t> record) const {
  return HasSoundStep(head) && HasSoundOutput(head, record) && FitsReserves(head);
}

bool LaneVerifier::HasSoundMemories(const LaneImage& image, const ImageParts& parts) const {
  uint64_t at = parts.memories_at;
  for (uint32_t m = 0; m < map_.layout().MemoryCount(); ++m) {
    const uint64_t pages = map_.PagesOf(parts.head, m);
    const uint64_t bits = at;
    at += BitWords(pages);
    if (at > image.words().size()) return false;
    for (uint64_t block = 0; block < pages * kPageBlocks; ++block) {
      if (HasBlock(image.words().data() + bits, block)) at += kBlockWords;
    }
  }
  return at == image.words().size();
}

Status LaneVerifier::CheckFrames(const ImageParts& parts) const {
  const LaneLayout& layout = map_.layout();
  const auto extent =
      map_.frames().WalkFrom(parts.head, parts.frames, parts.frames_words, kMaxStackSlots);
  if (!extent || (layout.recursive() && extent->words != parts.frames_words)) {
    return DoesNotFitHere("its frames are not sound");
  }
  const uint32_t capacity = map_.CapacityStack();
  if (extent->slots > capacity || extent->words > layout.FramesWords(capacity)) {
    return DoesNotFitHere("its stack is larger than is reserved here");
  }
  return {};
}

Status LaneVerifier::Check(const LaneImage& image) const {
  if (image.form != map_.form()) {
    return DoesNotFitHere("it is of another module, program or limit");
  }
  if (image.record.size() < map_.RecordWords(0)) return DoesNotFitHere("its record is too short");
  const std::optional<ImageParts> parts = map_.PartsOf(image);
  if (!parts) return DoesNotFitHere("its state is too short");
  if (!IsSoundHeader(parts->head, image.record)) {
    return DoesNotFitHere("its memory is larger than is reserved here, or its header is not sound");
  }
  if (image.record.size() != map_.RecordWords(image.record[abi::RECORD_OUT_BYTES])) {
    return DoesNotFitHere("its record is not as long as it says");
  }
  WB_TRY(CheckFrames(*parts));
  if (!HasSoundMemories(image, *parts)) return DoesNotFitHere("its memories are not sound");
  return {};
}

}  // namespace wb
