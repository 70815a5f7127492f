#pragma once

// LaneFuel: how well lanes that run in step, in groups of GROUP_LANES, were used (GPUs). A group
// goes by turns, and a turn lasts until the lane of the group that has the most to do is done with
// it. It tells lanes that are empty, have ended, or have less to do than others. It does not tell
// branches within a turn whose ways cost the same.

#include <cstdint>
#include <optional>

#include "compiler/abi/lane.h"

namespace wb {

struct LaneFuel {
  uint64_t useful = 0;  // that lanes spent
  // That they would have spent had each done as much in every turn as the one of its group that did
  // the most. 0: nothing was measured, since each lane runs alone there.
  uint64_t resident = 0;

  // Of the control words from CONTROL_USEFUL_LO on.
  static LaneFuel OfCounts(const uint32_t* words) {
    const uint64_t stepped = words[2] | uint64_t{words[3]} << 32;
    return {words[0] | uint64_t{words[1]} << 32, stepped * abi::GROUP_LANES};
  }
  void Add(const LaneFuel& other) {
    useful += other.useful;
    resident += other.resident;
  }
  // So much of so many parts, where launches are shared.
  LaneFuel Part(uint64_t part, uint64_t of) const {
    if (of == 0) return {};
    const double share = static_cast<double>(part) / static_cast<double>(of);
    return {static_cast<uint64_t>(static_cast<double>(useful) * share),
            static_cast<uint64_t>(static_cast<double>(resident) * share)};
  }
  // Useful lanes over resident lanes, 0 to 1.
  std::optional<double> UsefulLanes() const {
    if (resident == 0) return std::nullopt;
    const double part = static_cast<double>(useful) / static_cast<double>(resident);
    return part < 1 ? part : 1;
  }
  bool operator==(const LaneFuel&) const = default;
};

}  // namespace wb
