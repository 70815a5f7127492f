#pragma once

// Sessions -> protobuf, and the job that a call of one is.

#include "daemon/sessions/session_table.h"
#include "wasmburst/v1/session.pb.h"

namespace wb {

void SessionToProto(const SessionInfo& session, bool running, wasmburst::v1::Session* proto);

// A job of the session's instances, without steps and columns.
wasmburst::v1::Job JobOfSession(const wasmburst::v1::Session& session);

// That of a call. INVALID_ARGUMENT: its limits have what a call cannot change.
Result<wasmburst::v1::Job> JobOfCall(const wasmburst::v1::Session& session,
                                     const wasmburst::v1::CallSessionRequest& request);

}  // namespace wb
