#pragma once

// How far a job is, as JSON: what the store keeps of it besides its request and its results. Pure.

#include <optional>
#include <string>
#include <string_view>

#include "compiler/base/status.h"
#include "daemon/store/durable/job_totals.h"
#include "daemon/store/job_store.h"

namespace wb {

struct DurableRecord {
  // Of it: state, error, usage, history, device, placement_reason, expire_unix_ns, and
  // results_dropped; counts in `totals`.
  JobInfo info;
  JobTotals totals;
  Digest body;  // of the request
  std::string request_id;
  uint32_t attempt = 1;                // of instances that start in this daemon
  int64_t first_turn_unix_ns = 0;      // on a device; 0: none yet
  std::optional<Placement> placement;  // that ResumeJob gave it
};

std::string EncodeRecord(const DurableRecord& record);
// IO_ERROR: the text is damaged, or of a newer daemon.
Result<DurableRecord> DecodeRecord(std::string_view text);

}  // namespace wb
