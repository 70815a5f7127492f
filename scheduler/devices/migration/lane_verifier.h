#pragma once

// LaneVerifier: whether a lane, or the image of one, is such as a sound engine leaves it. It checks
// what the runtime text relies on. It trusts only the values in frames, globals, tables and memory,
// which are the guest's own.

#include <cstdint>
#include <span>

#include "compiler/base/status.h"
#include "scheduler/devices/lane_image.h"
#include "scheduler/devices/migration/lane_map.h"

namespace wb {

class LaneVerifier {
 public:
  // `map` outlives it.
  explicit LaneVerifier(const LaneMap& map) : map_(map) {}

  // INVALID_ARGUMENT: the image is of something else, is larger than the reserves, or is nothing
  // that a sound engine exports.
  Status Check(const LaneImage& image) const;
  // Of an instance that was left midway: the header of its lane or image, and its record.
  bool IsSoundHeader(const LaneWords& head, std::span<const uint32_t> record) const;
  // The memories are no larger than what is reserved for them, by a lane's header or an image's.
  bool FitsReserves(const LaneWords& head) const;

 private:
  bool HasSoundStep(const LaneWords& head) const;
  bool HasSoundOutput(const LaneWords& head, std::span<const uint32_t> record) const;
  bool HasSoundRequest(const LaneWords& head) const;
  bool HasSoundMemories(const LaneImage& image, const ImageParts& parts) const;
  Status CheckFrames(const ImageParts& parts) const;

  const LaneMap& map_;
};

}  // namespace wb
