#pragma once

// What the seats of a dispatch came to in a launch.

#include <cstdint>
#include <vector>

#include "scheduler/job/backlog.h"
#include "scheduler/job/host_calls/host_call_log.h"
#include "scheduler/job/job.h"
#include "scheduler/job/result_batch.h"
#include "scheduler/run/seats/origin.h"
#include "scheduler/run/seats/record_rows.h"
#include "scheduler/run/seats/seated.h"
#include "scheduler/run/seats/touched_memory.h"

namespace wb {

// What a part of the seats came to.
struct Harvest {
  ResultBatch results;
  RecordRows rows;  // that fill them
  // To go on with the exported state, or to start again, with more than the dispatch reserves or
  // with room for a whole result: as their class says.
  std::vector<InstanceRef> need_memory;
  // To start again: they came to what their lanes do not hold.
  std::vector<InstanceRef> missed;
  Misses misses;                        // of these
  std::vector<InstanceRef> need_stack;  // to start again likewise; their class is as it was
  std::vector<AskingInstance> asking;   // that wait for an answer of the job's caller
  uint64_t left_fuel = 0;               // that those four have used
  uint64_t drained = 0;                 // that wrote more than a record holds, and go on
  std::vector<WholeRoomRef> rooms;      // of the results, until these are delivered
  Seated seated;                        // instances that go on
  uint64_t brought = 0;                 // of the results' fuel: run by other devices
  bool sound = true;                    // false: a record that no sound engine writes was found
};

}  // namespace wb
