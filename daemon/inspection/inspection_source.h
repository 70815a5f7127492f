#pragma once

// What is seen of an instance as streams.

#include <functional>
#include <memory>
#include <optional>

#include "daemon/services/services.h"
#include "scheduler/devices/inspection.h"

namespace wb {

// Messages: DumpChunk. `job` is one that the caller may use. CONFIG_INVALID: the daemon runs no
// instance again; NOT_FOUND, QUEUE_FULL; on the stream also the Inspector's errors.
Result<std::unique_ptr<StreamSource>> DumpOfInstance(const ServiceContextRef& context,
                                                     const JobInfo& job, uint64_t instance,
                                                     std::function<void()> wake);

struct Replaying {
  uint64_t instance = 0;
  TraceDetail detail = TraceDetail::kNothing;
  std::optional<uint32_t> until;  // in the job's own module
  uint32_t lines = 0;
};
// Messages: ReplayEvent. Likewise.
Result<std::unique_ptr<StreamSource>> ReplayOfInstance(const ServiceContextRef& context,
                                                       const JobInfo& job,
                                                       const Replaying& replaying,
                                                       std::function<void()> wake);

}  // namespace wb
