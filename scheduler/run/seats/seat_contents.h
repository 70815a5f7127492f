#pragma once

// SeatContents: what lies in the seats of a dispatch: their records, the instances that sit there,
// and what was taken of their outputs. Owned by a SeatTable, which hands it to those that take
// instances out or put them in. Between launches; a seat is one thread's at a time.

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "scheduler/devices/device.h"
#include "scheduler/run/seats/drained_outputs.h"
#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seated_instances.h"

namespace wb {

struct SeatContents {
  explicit SeatContents(std::unique_ptr<Dispatch> its_dispatch)
      : dispatch(std::move(its_dispatch)),
        memory(*dispatch),
        instances(memory.seats),
        drained(instances.size()) {}

  const DispatchShape& shape() const { return dispatch->shape(); }
  std::span<uint32_t> RecordOf(uint32_t seat) { return memory.RecordOf(seat); }

  // The instance waits, since its output outgrew its record and it has no room for all of it.
  bool WantsRoom(uint32_t seat) {
    if (shape().OutputBuffer() == shape().output_bytes) return false;
    if (!instances.Has(seat) || instances.HasRoom(seat)) return false;
    const std::span<const uint32_t> record = RecordOf(seat);
    return record[abi::RECORD_SEAT] == abi::SEAT_RUNNING && record[abi::RECORD_OUT_WAITS] != 0;
  }

  std::unique_ptr<Dispatch> dispatch;
  SeatMemory memory;  // of it
  SeatedInstances instances;
  DrainedOutputs drained;  // nothing of plain instances
};

}  // namespace wb
