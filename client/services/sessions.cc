#include "client/services/sessions.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <google/protobuf/empty.pb.h>

#include "client/connection.h"
#include "client/request_id.h"
#include "client/services/jobs.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr uint64_t kOnePart = 2 << 20;  // of memory, in one answer

// Until what uses the session has ended; CANCELLED.
Status AwaitFree(Client& client, const Status& busy) {
  std::string resource;
  for (const Detail& detail : busy.details()) {
    if (detail.key == "resource") resource = detail.value;
  }
  if (!resource.starts_with("jobs/")) {
    client.connection().Wait(std::chrono::milliseconds(20));
    return client.CheckGoesOn();
  }
  v1::WatchJobRequest request;
  request.set_name(resource);
  const Status watched = WatchJob(client, request, [](const v1::JobEvent&) { return true; });
  return watched.reason() == Reason::kNotFound ? Status() : watched;  // it was forgotten
}

}  // namespace

Result<v1::Session> OpenSession(Client& client, const v1::Session& session) {
  v1::OpenSessionRequest request;
  *request.mutable_session() = session;
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.sessions, &v1::Sessions::Stub::OpenSession, request);
}

Result<v1::Session> GetSession(Client& client, const std::string& name) {
  v1::GetSessionRequest request;
  request.set_name(name);
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.sessions, &v1::Sessions::Stub::GetSession, request);
}

Result<v1::ListSessionsResponse> ListSessions(Client& client,
                                              const v1::ListSessionsRequest& request) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.sessions, &v1::Sessions::Stub::ListSessions, request);
}

Status CloseSession(Client& client, const std::string& name) {
  v1::CloseSessionRequest request;
  request.set_name(name);
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.sessions, &v1::Sessions::Stub::CloseSession, request)
      .status();
}

Result<v1::Job> CallSession(Client& client, v1::CallSessionRequest request, bool wait) {
  if (request.request_id().empty()) request.set_request_id(NewRequestId());
  ClientConnection& connection = client.connection();
  for (;;) {
    Result<v1::Job> job =
        connection.Unary(*connection.sessions, &v1::Sessions::Stub::CallSession, request);
    if (!wait || job.status().reason() != Reason::kJobRunning) return job;
    WB_TRY(AwaitFree(client, job.status()));
  }
}

Result<Bytes> ReadMemory(Client& client, v1::ReadMemoryRequest request) {
  ClientConnection& connection = client.connection();
  uint64_t left = request.bytes();
  Bytes bytes;
  do {
    request.set_bytes(std::min(left, kOnePart));
    WB_ASSIGN(const v1::ReadMemoryResponse part,
              connection.Unary(*connection.sessions, &v1::Sessions::Stub::ReadMemory, request));
    bytes.insert(bytes.end(), part.data().begin(), part.data().end());
    left -= request.bytes();
    request.set_address(request.address() + request.bytes());
  } while (left > 0);
  return bytes;
}

Status WriteMemory(Client& client, const v1::WriteMemoryRequest& request) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.sessions, &v1::Sessions::Stub::WriteMemory, request).status();
}

}  // namespace wb
