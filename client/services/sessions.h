#pragma once

// The service Sessions: instances that stay between calls (docs/sessions.md).

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "client/client.h"
#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/session.pb.h"

namespace wb {

Result<wasmburst::v1::Session> OpenSession(Client& client, const wasmburst::v1::Session& session);
Result<wasmburst::v1::Session> GetSession(Client& client, const std::string& name);
Result<wasmburst::v1::ListSessionsResponse> ListSessions(
    Client& client, const wasmburst::v1::ListSessionsRequest& request);
Status CloseSession(Client& client, const std::string& name);

// The job of the call: its results are read as any job's are. The request gets an id if it has
// none, so that it can be repeated. `wait`: JOB_RUNNING is not an answer, and the call begins as
// soon as the one before it has ended.
Result<wasmburst::v1::Job> CallSession(Client& client, wasmburst::v1::CallSessionRequest request,
                                       bool wait = false);

// Any number of bytes, in as many requests as they take.
Result<Bytes> ReadMemory(Client& client, wasmburst::v1::ReadMemoryRequest request);
// In one request, so that it is written whole or not at all: at most grpc.max_message_bytes.
Status WriteMemory(Client& client, const wasmburst::v1::WriteMemoryRequest& request);

}  // namespace wb
