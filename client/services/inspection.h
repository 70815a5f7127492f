#pragma once

// What an instance of a job left behind, and how it came there. Nothing here is tried again: the
// daemon would run the instance once more.

#include <cstdint>
#include <functional>
#include <string>

#include "client/client.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/inspection.pb.h"

namespace wb {

struct InstanceDump {
  std::string core;   // a core file (compiler/coredump)
  bool kept = false;  // it was made when the instance trapped
};
// BLOB_CORRUPT: what came has another digest than the daemon says. Errors as Inspection's.
Result<InstanceDump> DumpInstance(Client& client, const std::string& job, uint64_t instance);

// Lines come in their order, several in a message; the end comes last. False of `take` stops it.
using OnReplay = std::function<bool(const wasmburst::v1::ReplayEvent&)>;
Status ReplayInstance(Client& client, const wasmburst::v1::ReplayInstanceRequest& request,
                      const OnReplay& take);

}  // namespace wb
