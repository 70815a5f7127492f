#pragma once

// LaneCodec: a lane's words to its image and back (lane_image.h), for the dispatches of one shape.
// It knows no device.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scheduler/devices/lane_image.h"
#include "scheduler/devices/migration/block_reader.h"
#include "scheduler/devices/migration/lane_map.h"
#include "scheduler/devices/migration/lane_verifier.h"

namespace wb {

class LaneCodec {
 public:
  // `map` outlives it.
  explicit LaneCodec(const LaneMap& map) : map_(map), layout_(map.layout()), verifier_(map) {}

  const LaneMap& map() const { return map_; }
  const LaneVerifier& verifier() const { return verifier_; }

  // The image of a seat that IsLeftMidway(). nullopt: no sound engine leaves such a lane.
  std::optional<LaneImage> Take(const LaneWords& lane, std::span<const uint32_t> record) const;
  // What an instance that has ended left in its lane: memories, globals and tables. The header is
  // zeros but for the size of memory 0, and there are no frames.
  std::optional<LaneImage> TakeEnded(const LaneWords& lane, std::span<const uint32_t> record) const;
  // The same as a change to the words of an image that was put into the lane as it began
  // (LaneImage::is_change). It reads LaneMap::RestOfChange.
  std::optional<LaneImage> TakeChange(const LaneWords& lane, std::span<const uint32_t> record,
                                      std::span<const uint32_t> base) const;

  struct PutTerms {
    bool memory_is_zero = false;      // that of a lane of which nothing is known
    bool memories_are_there = false;  // they are as the image has them
    uint32_t held = 0;                // the value of LANE_SEAT
  };
  // Puts an image that LaneVerifier::Check() accepted.
  void Put(const LaneImage& image, const PutTerms& terms, const LaneWords& lane,
           std::span<uint32_t> record) const;

 private:
  LaneImage MidwayHead(const LaneWords& lane, std::span<const uint32_t> record,
                       const FrameMap::Extent& extent) const;
  LaneImage EndedHead(const LaneWords& lane, std::span<const uint32_t> record) const;
  void TakeMemory(const LaneWords& lane, uint32_t memory, std::vector<uint32_t>& state) const;
  void TakeChanges(const LaneWords& lane, uint32_t memory, std::span<const uint32_t> base,
                   BlockReader& before, std::vector<uint32_t>& state) const;
  void PutHead(const ImageParts& parts, uint32_t held, const LaneWords& lane) const;
  void PutHeader(uint32_t held, const LaneWords& lane) const;
  void PutReserves(const LaneWords& lane) const;
  void PutMemory(uint64_t pages, uint32_t memory, bool is_zero, BlockReader& blocks,
                 const LaneWords& lane) const;

  const LaneMap& map_;
  const LaneLayout& layout_;
  const LaneVerifier verifier_;
};

}  // namespace wb
