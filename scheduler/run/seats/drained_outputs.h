#pragma once

// DrainedOutputs: what was taken of the outputs in a dispatch's seats, of instances that write more
// than their records have room for (../../docs/output.md). Between launches; a seat is one thread's
// at a time.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "scheduler/devices/device.h"
#include "scheduler/job/drained_output.h"
#include "scheduler/job/job_plan.h"

namespace wb {

class DrainedOutputs {
 public:
  explicit DrainedOutputs(size_t seats) : outputs_(seats) {}

  enum class Drained : uint8_t {
    kNothing,
    kPart,     // the record has all of its room again
    kUnsound,  // no sound engine wrote what there is
  };
  // Of an instance that goes on in the next launch: what its record holds is taken where the
  // instance waits for that, or has filled half of the record.
  Drained Drain(const JobPlan& plan, const DispatchShape& shape, uint32_t seat,
                std::span<uint32_t> record);
  uint64_t bytes(uint32_t seat) const;
  std::optional<DrainedOutput> Take(uint32_t seat);      // nullopt: nothing was drained there
  void Put(uint32_t seat, const DrainedOutput& output);  // its instance has brought that
  void Drop(uint32_t seat) { outputs_[seat].reset(); }

 private:
  std::vector<std::unique_ptr<DrainedOutput>> outputs_;  // by seat; null: nothing was drained
};

}  // namespace wb
