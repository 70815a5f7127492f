#pragma once

// ResidentState: the state of an instance between two calls of a session (../../docs/sessions.md):
// its memories, globals and tables, with no call under way. It names no lane program, so that the
// next call may have another one. Pure.
//
// Its words are those of a LaneImage's without frames. In its header the size of memory 0 is given
// and the step with which a call begins, and all else is zero.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "compiler/compiler.h"
#include "scheduler/devices/lane_image.h"
#include "scheduler/job/resident/resident_arena.h"

namespace wb {

// Where one memory lies in a state.
struct ResidentMemory {
  uint64_t bits_at = 0;  // word of its bits; behind them stand its blocks that are not all zeros
  uint32_t pages = 0;
};

struct ResidentState {
  std::vector<uint32_t> state;
  // Not null: the words lie there, and `state` is empty.
  std::shared_ptr<const PlacedWords> placed = nullptr;
  std::vector<ResidentMemory> memories = {};

  std::span<const uint32_t> words() const {
    return placed ? std::span<const uint32_t>(placed->words()) : std::span<const uint32_t>(state);
  }
  uint64_t bytes() const { return words().size_bytes(); }
};
using ResidentStateRef = std::shared_ptr<const ResidentState>;

inline constexpr uint32_t kMostResidentPages = 65536;
// The size of one of its memories.
uint32_t ResidentPages(const LoweredModule& module, std::span<const uint32_t> words,
                       uint32_t memory);
// Makes the header of a lane's words one of a state at rest. INVALID_ARGUMENT: they are too few, or
// have frames.
Status RestHead(const LoweredModule& module, std::vector<uint32_t>& words);

// What an instance that has ended left in its lane (Device::ExportLanes). INVALID_ARGUMENT: no
// sound engine exports it.
Result<ResidentState> RestingStateOf(const LoweredModule& module, LaneImage image);

// With what the instance begins the first step of a dispatch of this shape and form
// (Device::ImportLanes). Its start function does not run again, and its fuel counts from zero. The
// words are lent: the image keeps the state.
LaneImage StartOfCall(const Digest& form, const DispatchShape& shape, ResidentStateRef resting);

// What an instance finds that was never called. INVALID_ARGUMENT: the module has a start function,
// which runs in the first call, or a segment that does not fit.
Result<ResidentState> FreshState(const LoweredModule& module);

// Bytes of a memory, and the state with other bytes there. INVALID_ARGUMENT, with the numbers:
// there is no such memory, or they are out of its bounds.
Result<Bytes> ReadResident(const ResidentState& resting, uint32_t memory, uint64_t address,
                           uint64_t bytes);
Result<ResidentState> WriteResident(const ResidentState& resting, uint32_t memory, uint64_t address,
                                    ByteView bytes);

}  // namespace wb
