#pragma once

// LaneCodec: a lane's words to its image and back (lane_image.h), for the dispatches of one shape.
// It knows no device. It trusts only the values in frames, globals, tables and memory, which are
// the guest's own. It checks what the runtime text relies on.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scheduler/devices/device.h"
#include "scheduler/devices/lane_image.h"
#include "scheduler/devices/migration/frame_walk.h"

namespace wb {

// Words [at, at + words) of a lane.
struct LaneRange {
  uint64_t at = 0;
  uint64_t words = 0;
};

class LaneCodec {
 public:
  // `module` and `shape` outlive it.
  LaneCodec(const LoweredModule& module, const DispatchShape& shape);

  // The header and all words up to the memory. They must be fetched before the other ranges are
  // asked for.
  LaneRange Head() const { return {0, layout_.memory_at}; }
  // The other ranges of the lane that hold state, by its header.
  std::vector<LaneRange> Rest(const LaneWords& lane) const;
  // Of these ranges, those that TakeChange() reads.
  std::vector<LaneRange> RestOfChange(const LaneWords& lane, std::span<const uint32_t> base) const;
  // All ranges that Put() of a checked image writes besides Head().
  std::vector<LaneRange> RestOf(const LaneImage& image) const;

  // Pages of the first memory that a lane with a checked image takes. At least one, see Put().
  uint32_t PagesFor(const LaneImage& image) const;

  // The image of a seat that IsLeftMidway(). nullopt: no sound engine leaves such a lane.
  std::optional<LaneImage> Take(const LaneWords& lane, std::span<const uint32_t> record) const;
  // What an instance that has ended left in its lane: memories, globals and tables. The header is
  // zeros but for the size of memory 0, and there are no frames.
  std::optional<LaneImage> TakeEnded(const LaneWords& lane, std::span<const uint32_t> record) const;
  // The same as a change to the words of an image that was put into the lane as it began
  // (LaneImage::is_change).
  std::optional<LaneImage> TakeChange(const LaneWords& lane, std::span<const uint32_t> record,
                                      std::span<const uint32_t> base) const;

  // INVALID_ARGUMENT: the image is of something else, is larger than the reserves, or is nothing
  // that a sound engine exports.
  Status Check(const LaneImage& image) const;
  struct PutTerms {
    bool memory_is_zero = false;      // that of a lane of which nothing is known
    bool memories_are_there = false;  // they are as the image has them
    uint32_t held = 0;                // the value of LANE_SEAT
  };
  // Puts an image that Check() accepted.
  void Put(const LaneImage& image, const PutTerms& terms, const LaneWords& lane,
           std::span<uint32_t> record) const;

 private:
  // Where things lie in an image's state.
  struct Parts {
    LaneWords head;
    LaneWords frames;
    uint64_t frames_words = 0;
    uint64_t memories_at = 0;  // word
  };
  std::optional<Parts> PartsOf(const LaneImage& image) const;
  uint64_t HeadWords() const;  // that an image has
  uint64_t RecordWords(uint64_t output_bytes) const;
  uint32_t CapacityStack() const;
  uint64_t FramesAt() const { return layout_.FramesAt(shape_.Reserve()); }
  uint64_t MemoryAt(uint32_t memory) const { return layout_.MemoryAt(memory, shape_.Reserve()); }
  uint32_t Reserved(uint32_t memory) const { return layout_.PagesOf(memory, shape_.Reserve()); }
  LaneRange Reserves() const;
  uint32_t PagesOf(const LaneWords& head, uint32_t memory) const;
  std::optional<FrameMap::Extent> WalkOf(const LaneWords& head, const LaneWords& frames,
                                         uint64_t words, uint32_t capacity) const;
  bool HasSoundOutput(const LaneWords& head, std::span<const uint32_t> record) const;
  bool IsSoundHeader(const LaneWords& head, std::span<const uint32_t> record) const;
  bool HasSoundMemories(const LaneImage& image, const Parts& parts) const;
  class BaseReader;
  bool FitsReserves(const LaneWords& lane) const;
  LaneImage EndedHead(const LaneWords& lane, std::span<const uint32_t> record) const;
  void TakeMemory(const LaneWords& lane, uint32_t memory, std::vector<uint32_t>& state) const;
  bool IsKept(const LaneWords& lane, uint32_t memory, uint64_t block, uint32_t base_pages) const;
  void TakeChanges(const LaneWords& lane, uint32_t memory, BaseReader& base,
                   std::vector<uint32_t>& state) const;
  uint64_t PutMemory(const LaneImage& image, uint64_t at, uint32_t memory, bool is_zero,
                     const LaneWords& lane) const;
  void PutHeader(uint32_t held, const LaneWords& lane) const;
  void PutReserves(const LaneWords& lane) const;

  const LoweredModule& module_;
  const DispatchShape& shape_;
  const LaneLayout& layout_;
  const Digest form_;
  const FrameMap frames_;
};

}  // namespace wb
