#pragma once

// LaneMap: where the parts of a lane lie, and those of its image (lane_image.h), for the dispatches
// of one shape. It knows no device and changes no word. It is immutable.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compiler/compiler.h"
#include "scheduler/devices/lane_image.h"
#include "scheduler/devices/migration/frame_walk.h"
#include "scheduler/devices/shape.h"

namespace wb {

// Words [at, at + words) of a lane.
struct LaneRange {
  uint64_t at = 0;
  uint64_t words = 0;
  bool operator==(const LaneRange&) const = default;
};

// Where things lie in an image's state.
struct ImageParts {
  LaneWords head;
  LaneWords frames;
  uint64_t frames_words = 0;
  uint64_t memories_at = 0;  // word
};

class LaneMap {
 public:
  // `module` and `shape` outlive it.
  LaneMap(const LoweredModule& module, const DispatchShape& shape);

  const LoweredModule& module() const { return module_; }
  const DispatchShape& shape() const { return shape_; }
  const LaneLayout& layout() const { return layout_; }
  const FrameMap& frames() const { return frames_; }
  const Digest& form() const { return form_; }  // of the images that fit

  // The header and all words up to the memory. They must be fetched before the other ranges are
  // asked for.
  LaneRange Head() const { return {0, layout_.memory_at}; }
  // The other ranges of the lane that hold state, by its header.
  std::vector<LaneRange> Rest(const LaneWords& lane) const;
  // Of these ranges, those that may differ from `base`, the state with which the instance began.
  std::vector<LaneRange> RestOfChange(const LaneWords& lane, std::span<const uint32_t> base) const;
  // All ranges that a checked image is written to besides Head().
  std::vector<LaneRange> RestOf(const LaneImage& image) const;

  // The words where parts of a lane begin.
  uint64_t FramesAt() const { return layout_.FramesAt(shape_.Reserve()); }
  uint64_t MemoryAt(uint32_t memory) const { return layout_.MemoryAt(memory, shape_.Reserve()); }
  LaneRange Reserves() const;  // the words that say what is reserved for further memories
  // What is reserved: pages of a memory, and 8-byte slots of the stack.
  uint32_t Reserved(uint32_t memory) const { return layout_.PagesOf(memory, shape_.Reserve()); }
  uint32_t CapacityStack() const;

  // Pages that the memory has, by the header of a lane or of an image.
  uint32_t PagesOf(const LaneWords& head, uint32_t memory) const;
  // Pages of the first memory that a lane with a checked image takes: at least one, if there is a
  // reserve (LaneCodec::Put).
  uint32_t PagesFor(const LaneImage& image) const;
  // The instance, which began with words of `base_pages`, cannot have written to the memory's
  // block, by the notes in its header.
  bool IsKept(const LaneWords& lane, uint32_t memory, uint64_t block, uint32_t base_pages) const;

  // Of an image: words of its head, and of its record with so many bytes of output.
  uint64_t HeadWords() const;
  uint64_t RecordWords(uint64_t output_bytes) const;
  // nullopt: the image is too short for what it says.
  std::optional<ImageParts> PartsOf(const LaneImage& image) const;

 private:
  const LoweredModule& module_;
  const DispatchShape& shape_;
  const LaneLayout& layout_;
  const Digest form_;
  const FrameMap frames_;
};

}  // namespace wb
