#pragma once

// RecordRows: finished records as rows of one batch. Most records of a launch differ from the one
// before in fuel and values alone: those words are copied, and no result is made of them.
//
// Pure. For records of one dispatch, of instances of one job, and for one batch.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scheduler/job/drained_output.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/job/result_batch.h"
#include "scheduler/run/seats/origin.h"

namespace wb {

class RecordRows {
 public:
  // `record` is in SEAT_DONE; `drained`: what was taken of its output before. Its words may lie in
  // memory that an engine host shares: each is read once. False: no sound engine writes this
  // record, and nothing was added.
  bool Add(const JobPlan& plan, std::span<const uint32_t> record,
           std::optional<DrainedOutput> drained, const InstanceRef& instance, const Origin& origin,
           ResultBatch* batch);
  // The same for a record of which nothing was drained, if it is like the last one. False: it is
  // not, and nothing was added.
  bool AddLikeLast(std::span<const uint32_t> record, uint64_t instance, uint32_t attempt,
                   ResultBatch* batch);

 private:
  // What says that a record's result has the shape of another's: how it ended, where, its memory,
  // and its attempt.
  using Key = std::array<uint32_t, 7>;
  // A word of a value.
  struct Place {
    uint32_t at = 0;  // in the record
    bool is_reference = false;
  };

  static Key KeyOf(std::span<const uint32_t> record, uint32_t attempt);
  void Remember(const JobPlan& plan, const InstanceResult& result);

  bool has_last_ = false;  // the last record had values alone, and the rest describes it
  Key last_{};
  std::vector<Place> words_;     // of its values, in their order
  std::vector<uint32_t> traps_;  // words of its record that are 0, since no step trapped
  std::vector<uint32_t> row_;    // kept for its memory
};

}  // namespace wb
