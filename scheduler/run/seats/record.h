#pragma once

// The host side of seats: inputs into a seat's columns, blob and record, and a finished record back
// into an InstanceResult (RECORD_* and SEAT_* in compiler/abi/lane.def). Pure.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/drained_output.h"
#include "scheduler/job/job_plan.h"

namespace wb {

// What all instances share goes into the blob of a new dispatch once.
void FillShared(const JobPlan& plan, Dispatch& dispatch);

// Where the seats of a dispatch lie: asked once, since seats come by the million. As long as the
// dispatch.
struct SeatMemory {
  explicit SeatMemory(Dispatch& dispatch)
      : seats(dispatch.shape().Seats()),
        record_words(dispatch.shape().RecordWords()),
        records(dispatch.records()),
        columns(dispatch.columns()),
        blob(dispatch.blob()) {}
  std::span<uint32_t> RecordOf(uint32_t seat) const {
    return records.subspan(seat * record_words, record_words);
  }
  // So many seats before its turn a seat is expected.
  static constexpr uint32_t kAhead = 24;
  // The seat's record will be used soon. Any number.
  void Expect(uint32_t seat) const {
    if (seat >= seats) return;
    const uint32_t* record = records.data() + seat * record_words;
    __builtin_prefetch(record);
    __builtin_prefetch(record + abi::RECORD_REGISTERS);
  }

  uint32_t seats;
  size_t record_words;
  std::span<uint32_t> records;
  std::span<uint32_t> columns;
  std::span<uint8_t> blob;
};

// Inputs of `first` and the instances that follow it for as many seats, whose records are cleared
// and become SEAT_START. Byte inputs lie as `blob` says.
void FillSeats(const JobPlan& plan, const BlobPlan& blob, uint64_t first,
               std::span<const uint32_t> seats, const SeatMemory& memory);
inline void FillSeat(const JobPlan& plan, uint64_t instance, uint32_t seat, Dispatch& dispatch) {
  FillSeats(plan, plan.blob, instance, {&seat, 1}, SeatMemory(dispatch));
}

inline std::span<uint32_t> RecordAt(Dispatch& dispatch, uint32_t seat) {
  return SeatMemory(dispatch).RecordOf(seat);
}

// What the instance has used up to the end of the last launch.
uint64_t RecordFuel(std::span<const uint32_t> record);

// A record in SEAT_DONE as a result; instance, attempt and device are the caller's to fill in.
// The words may lie in memory that an engine host shares, so they are read once and none is
// trusted: nullopt for a record that no sound engine writes. `drained`: what was taken of its
// output before.
std::optional<InstanceResult> DecodeRecord(const JobPlan& plan, std::span<const uint32_t> record,
                                           std::optional<DrainedOutput> drained = std::nullopt);
// What the record holds of its output; it may change if the engine is not sound, so it is copied.
// nullopt: more than there is room for.
std::optional<Bytes> OutputPart(const JobPlan& plan, std::span<const uint32_t> record);

// What becomes of a device that wrote what no sound engine writes. DEVICE_LOST.
Status UnsoundRecord(const std::string& device);

}  // namespace wb
