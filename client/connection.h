#pragma once

// A Client's connection: how calls are tried again, interrupted, and streams resumed. Any thread.

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "client/client_options.h"
#include "client/grpc_status.h"
#include "client/transport.h"
#include "compiler/base/mutex.h"
#include "wasmburst/v1/admin.grpc.pb.h"
#include "wasmburst/v1/inputs.grpc.pb.h"
#include "wasmburst/v1/inspection.grpc.pb.h"
#include "wasmburst/v1/jobs.grpc.pb.h"
#include "wasmburst/v1/modules.grpc.pb.h"
#include "wasmburst/v1/profiles.grpc.pb.h"
#include "wasmburst/v1/session.grpc.pb.h"
#include "wasmburst/v1/tenants.grpc.pb.h"

namespace wb {

struct ClientConnection {
  static constexpr std::chrono::nanoseconds kLongestPause = std::chrono::seconds(5);

  ClientConnection(std::string at, ClientOptions how, ClientTransport by)
      : address(std::move(at)),
        options(std::move(how)),
        transport(std::move(by)),
        channel(transport.OpenChannel()),
        modules(wasmburst::v1::Modules::NewStub(channel)),
        inputs(wasmburst::v1::Inputs::NewStub(channel)),
        jobs(wasmburst::v1::Jobs::NewStub(channel)),
        admin(wasmburst::v1::Admin::NewStub(channel)),
        tenants(wasmburst::v1::Tenants::NewStub(channel)),
        inspection(wasmburst::v1::Inspection::NewStub(channel)),
        profiles(wasmburst::v1::Profiles::NewStub(channel)),
        sessions(wasmburst::v1::Sessions::NewStub(channel)) {}

  const std::string address;
  const ClientOptions options;
  const ClientTransport transport;
  const std::shared_ptr<grpc::Channel> channel;
  const std::unique_ptr<wasmburst::v1::Modules::Stub> modules;
  const std::unique_ptr<wasmburst::v1::Inputs::Stub> inputs;
  const std::unique_ptr<wasmburst::v1::Jobs::Stub> jobs;
  const std::unique_ptr<wasmburst::v1::Admin::Stub> admin;
  const std::unique_ptr<wasmburst::v1::Tenants::Stub> tenants;
  const std::unique_ptr<wasmburst::v1::Inspection::Stub> inspection;
  const std::unique_ptr<wasmburst::v1::Profiles::Stub> profiles;
  const std::unique_ptr<wasmburst::v1::Sessions::Stub> sessions;

  Mutex mutex;
  CondVar interrupt;
  std::set<grpc::ClientContext*> contexts WB_GUARDED_BY(mutex);  // of calls under way
  bool interrupted WB_GUARDED_BY(mutex) = false;

  // Registers a context for Interrupt while it is in scope, and says who calls: gRPC's own
  // credentials of calls are refused by channels without TLS, Unix sockets included.
  class Call {
   public:
    explicit Call(ClientConnection* connection) : connection_(connection) {
      const std::string& token = connection_->options.token;
      if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
      const std::string& traceparent = connection_->options.traceparent;
      if (!traceparent.empty()) context.AddMetadata("traceparent", traceparent);
      MutexLock lock(connection_->mutex);
      connection_->contexts.insert(&context);
      if (connection_->interrupted) context.TryCancel();
    }
    ~Call() {
      MutexLock lock(connection_->mutex);
      connection_->contexts.erase(&context);
    }
    grpc::ClientContext context;

   private:
    ClientConnection* const connection_;
  };

  std::chrono::nanoseconds Pause(int attempt) const {
    std::chrono::nanoseconds pause = options.first_pause;
    for (int i = 1; i < attempt && pause < kLongestPause; ++i) pause *= 2;
    return std::min(pause, kLongestPause);
  }

  // False: interrupted.
  bool Wait(std::chrono::nanoseconds pause) {
    const auto until = std::chrono::steady_clock::now() + pause;
    MutexLock lock(mutex);
    while (!interrupted) {
      if (!interrupt.WaitUntil(mutex, until)) return !interrupted;
    }
    return false;
  }

  // For work between calls that takes long. CANCELLED: interrupted.
  Status CheckGoesOn() {
    MutexLock lock(mutex);
    return interrupted ? Status(Reason::kCancelled, "Interrupted.") : Status();
  }

  // Ends all calls under way and to come.
  void Interrupt() {
    MutexLock lock(mutex);
    interrupted = true;
    interrupt.NotifyAll();
    for (grpc::ClientContext* context : contexts) context->TryCancel();
  }

  // What a failure is reported as. Whether gRPC could not even connect is not known for sure, so a
  // handshake is tried; a daemon's own error has details. `is_last`: it is not tried again.
  struct Failure {
    Status status;
    bool is_final = false;
  };
  Failure FailureOf(const grpc::Status& status, bool is_last) {
    const bool is_silent = status.error_code() == grpc::StatusCode::UNAVAILABLE &&
                           status.error_details().empty() && CheckGoesOn().ok();
    if (is_silent && (is_last || transport.is_tls())) {
      const Status trouble = transport.FindTrouble();
      if (!trouble.ok()) return {trouble, is_last || trouble.code() == Code::kUnauthenticated};
    }
    return {FromGrpc(status, address), is_last};
  }

  template <typename CallOnce>
  Status Retry(CallOnce call) {
    return Retry(std::move(call), options.timeout);
  }

  // How long to wait before the next try; nullopt: there is none. A refusal that may pass soon has
  // done nothing, so that any call may be made again.
  std::optional<std::chrono::nanoseconds> PauseAfter(const grpc::Status& status,
                                                     int attempt) const {
    if (attempt >= options.attempts) return std::nullopt;
    const auto asked = RetryAfter(status);
    const bool is_short = asked && *asked <= kLongestPause;
    const bool is_refusal = options.retries_refusals && is_short &&
                            status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED;
    if (!is_refusal && status.error_code() != grpc::StatusCode::UNAVAILABLE) return std::nullopt;
    return std::max(Pause(attempt), is_refusal ? *asked : std::chrono::nanoseconds(0));
  }

  // Runs `call` until it gives something that does not pass, or no attempt or `time` is left.
  template <typename CallOnce>
  Status Retry(CallOnce call, std::chrono::nanoseconds time) {
    auto deadline = std::chrono::system_clock::now() +
                    std::chrono::duration_cast<std::chrono::microseconds>(time);
    for (int attempt = 1;; ++attempt) {
      Call one(this);
      one.context.set_deadline(deadline);
      grpc::Status status = call(&one.context);
      if (status.ok()) return {};
      const auto pause = PauseAfter(status, attempt);
      const bool again = pause && std::chrono::system_clock::now() + *pause < deadline;
      const Failure failure = FailureOf(status, !again);
      if (failure.is_final || !Wait(*pause)) return failure.status;
    }
  }

  template <typename Response, typename Stub, typename Request>
  Result<Response> Unary(Stub& stub,
                         grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                      Response*),
                         const Request& request) {
    Response response;
    WB_TRY(Retry([&](grpc::ClientContext* context) {
      response.Clear();
      return (stub.*method)(context, request, &response);
    }));
    return response;
  }

  // A job whose results fill their limit waits for it. Tried once; the next one says more, and a
  // daemon that is gone shows on the stream.
  void Acknowledge(const std::string& job, const std::string& cursor) {
    wasmburst::v1::AcknowledgeResultsRequest request;
    request.set_name(job);
    request.set_cursor(cursor);
    wasmburst::v1::AcknowledgeResultsResponse response;
    Call one(this);
    one.context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(5));
    (void)jobs->AcknowledgeResults(&one.context, request, &response);
  }

  // Reads a stream that `open` starts, reopening it after a break. `take` handles a message and
  // says whether to go on. A heartbeat gives no attempts back, unless the stream has lasted a
  // while.
  template <typename Message, typename Open, typename Take>
  Status Stream(Open open, Take take) {
    for (int attempt = 1;; ++attempt) {
      Call one(this);
      const auto opened = std::chrono::steady_clock::now();
      auto reader = open(&one.context);
      Message message;
      while (reader->Read(&message)) {
        const bool lasts = std::chrono::steady_clock::now() - opened > kLongestPause;
        if (lasts || !message.heartbeat()) attempt = 1;
        if (!take(message)) {
          one.context.TryCancel();
          while (reader->Read(&message)) {
          }
          reader->Finish();
          return {};
        }
      }
      grpc::Status status = reader->Finish();
      if (status.ok()) return {};
      const auto pause = PauseAfter(status, attempt);
      const Failure failure = FailureOf(status, !pause);
      if (failure.is_final || !Wait(*pause)) return failure.status;
    }
  }
};

}  // namespace wb
