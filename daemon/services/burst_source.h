#pragma once

// Bursts of devices as a stream.

#include <functional>
#include <memory>

#include "daemon/rpc/rpc.h"
#include "daemon/services/services.h"

namespace wasmburst::v1 {
class Burst;
class WatchBurstsRequest;
}  // namespace wasmburst::v1

namespace wb {

// As the caller sees it: jobs of tenants whose jobs it does not see have no names. Pure.
void BurstToProto(const KeptBurst& kept, const Caller& caller, wasmburst::v1::Burst* proto);

// Messages: BurstEvent. INVALID_ARGUMENT (device, resume_token), NOT_FOUND.
Result<std::unique_ptr<StreamSource>> WatchBursts(const ServiceContext& context,
                                                  const Caller& caller,
                                                  const wasmburst::v1::WatchBurstsRequest& request,
                                                  std::function<void()> wake);

}  // namespace wb
