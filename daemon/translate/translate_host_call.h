#pragma once

// Host calls and their answers between protobuf and the scheduler.

#include <string>

#include "compiler/link/binding.h"
#include "scheduler/job/host_calls/host_call.h"
#include "wasmburst/v1/host_calls.pb.h"

namespace wb {

// INVALID_ARGUMENT names the field. Whether its arguments exist is seen when they are bound.
Result<CallBytes> CallBytesFromProto(const wasmburst::v1::CallBytes& proto,
                                     const std::string& field);
void CallBytesToProto(const CallBytes& bytes, wasmburst::v1::CallBytes* proto);

void HostCallToProto(const HostCall& call, const std::string& import,
                     wasmburst::v1::HostCall* proto);
// An answer that cannot be read is one that fails its call, with words.
HostAnswer HostAnswerFromProto(const wasmburst::v1::HostAnswer& proto);

}  // namespace wb
