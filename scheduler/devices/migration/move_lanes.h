#pragma once

// Lanes out of a dispatch and into one, for every device. This part knows which lane a seat is in,
// and which of its words are needed. A device only says how the host reaches a lane's words.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "scheduler/devices/device.h"
#include "scheduler/devices/migration/lane_codec.h"

namespace wb {

// The lanes' words of one dispatch, between launches.
class LaneStore {
 public:
  virtual ~LaneStore() = default;
  // The caller looks at no word that was not fetched. Valid until another lane is asked for.
  virtual LaneWords words(uint32_t lane) = 0;
  // Makes these words readable and writable, as they are now.
  virtual Status Fetch(uint32_t lane, const LaneRange& range) = 0;
  // Gets memory for so many pages of this lane's first memory.
  virtual Status MakeRoom(uint32_t, uint32_t) { return {}; }
  // The caller has changed words that were fetched of this lane.
  virtual void RecordChanged(uint32_t lane) = 0;
  // Writes all changes to where the kernel finds them.
  virtual Status Flush() = 0;
};

// What is known of the words in a lane besides what it says itself. A dispatch forgets it as
// instances run there (ForgetRun).
struct HeldWords {
  LentWords lent;        // with which the instance in it began, if they were lent
  uint64_t left_as = 0;  // LaneImage::left_as
};

struct MovingPlace {
  const LoweredModule& module;
  Dispatch& dispatch;
  LaneStore& store;
  bool queued = false;          // a lane says which seat is in it; else seat i is in lane i
  bool memory_is_zero = false;  // abi::Params
  std::vector<HeldWords>* held = nullptr;  // by lane; null: nothing is noted
};

// Before a launch, where seat i is in lane i: its instance starts afresh, or goes on.
void ForgetRun(Dispatch& dispatch, std::vector<HeldWords>& held);

// What Device::ExportLanes and Device::ImportLanes do. The headers of the lanes are sound: the
// dispatch was launched, or the device has cleared them.
Result<std::vector<std::optional<LaneImage>>> ExportFrom(const MovingPlace& place,
                                                         std::span<const uint32_t> seats);
Result<std::vector<Status>> ImportInto(const MovingPlace& place, std::span<const LanePlace> lanes);

// Of the images of instances that have ended.
uint64_t BytesThatEnded(const std::vector<std::optional<LaneImage>>& images);

// The words of a lane in the state of its group, which is of this order.
LaneWords WordsInGroup(uint32_t* group, uint32_t lane, MemoryLayout order);

// Lanes in the memory of this process.
class HostLanes final : public LaneStore {
 public:
  HostLanes(uint32_t* state, uint64_t lane_words, MemoryLayout order)
      : state_(state), lane_words_(lane_words), order_(order) {}
  LaneWords words(uint32_t lane) override;
  Status Fetch(uint32_t, const LaneRange&) override { return {}; }
  void RecordChanged(uint32_t) override {}
  Status Flush() override { return {}; }

 private:
  uint32_t* const state_;
  const uint64_t lane_words_;
  const MemoryLayout order_;
};

}  // namespace wb
