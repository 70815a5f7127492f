#pragma once

// The methods of a service as a table of functions over messages: what the services are written
// in. grpc_service.cc is the only place that turns such a table into gRPC calls, so that every
// method parses, refuses, logs and ends its calls in the same way.

#include <google/protobuf/message.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/base/trace_context.h"
#include "daemon/identity/caller.h"
#include "daemon/process/turns.h"
#include "daemon/rpc/stream_pace.h"

namespace wb {

using google::protobuf::Message;
// Shared, so that a message of many parts may hold the arena that it lies in.
using MessagePtr = std::shared_ptr<Message>;

// Where a method runs: on the gRPC thread (only what answers at once, and whose request is short),
// on the pools that decode modules and prepare jobs, or on the one for calls that compile and may
// take seconds each.
enum class RunOn : uint8_t { kCaller, kPool, kCompilePool };

// True once the client of a call has gone or its deadline is over: work that takes long may stop.
using IsUnwanted = std::function<bool()>;

// What a handler knows of its call besides the request.
struct Call {
  Caller caller;             // who may call the method (access.def)
  IsUnwanted is_unwanted{};  // of unary calls
  TraceContext trace;
};

// What a server stream says. Next, Sent and Heartbeat are called by one thread at a time.
class StreamSource {
 public:
  struct Item {
    MessagePtr message;  // to be sent
    bool ended = false;  // the stream ends with `status`, after the message where there is one
    Status status;
    // Neither: nothing now; the source calls `wake` when there is.
  };
  virtual ~StreamSource() = default;
  virtual Item Next() = 0;
  virtual void Delivered() {}          // the stream ended with OK and the client took it all
  virtual MessagePtr Heartbeat() = 0;  // what to say when nothing was said for a while
  // It is not asked for so long after a message: what happens meanwhile comes together.
  virtual std::chrono::nanoseconds Rest() const { return {}; }
  // Of a stream that holds a place: a client that takes it more slowly loses the stream. The same
  // at all times.
  virtual std::optional<PaceRule> Pace() const { return std::nullopt; }
};

// Receives a client stream.
class StreamTarget {
 public:
  virtual ~StreamTarget() = default;
  virtual Status Add(const Message& message) = 0;  // on the upload pool, in order
  virtual Result<MessagePtr> Finish() = 0;         // on the pool for large requests, after the last
};

// Both ways at once: what it says, and what it is told. One thread at a time calls it.
class StreamSession : public StreamSource {
 public:
  virtual Status Add(const Message& message) = 0;  // in order; not ok: the stream ends so
  virtual Status HalfClosed() = 0;  // the client says no more: the stream ends with this
};

struct UnaryMethod {
  std::string path;  // "/wasmburst.v1.Jobs/GetJob"
  RunOn run_on = RunOn::kCaller;
  std::function<MessagePtr()> new_request;
  std::function<Result<MessagePtr>(const Message&, const Call&)> handle;
};

struct ServerStreamMethod {
  std::string path;
  std::function<MessagePtr()> new_request;
  // On the pool. `wake` may be called from any thread, also after the stream has ended, and with
  // locks held: it only posts.
  std::function<Result<std::unique_ptr<StreamSource>>(const Message&, const Call&,
                                                      std::function<void()> wake)>
      open;
};

struct ClientStreamMethod {
  std::string path;
  std::function<MessagePtr()> new_request;
  // On the gRPC thread.
  std::function<Result<std::unique_ptr<StreamTarget>>(const Caller&, Whose)> open;
};

struct SessionMethod {
  std::string path;
  std::function<MessagePtr()> new_request;
  // On the pool, with the first message, which Add() is then given too. `wake` as above.
  std::function<Result<std::unique_ptr<StreamSession>>(const Message&, const Caller&,
                                                       std::function<void()> wake)>
      open;
};

class MethodTable {
 public:
  explicit MethodTable(std::string service) : service_(std::move(service)) {}

  // Handler: Result<Response>(const Request&) or Result<Response>(const Request&, const Call&).
  template <typename Request, typename Handler>
  void AddUnary(const std::string& name, RunOn run_on, Handler handler) {
    unary.push_back(
        {Path(name), run_on, New<Request>, [handler](const Message& message, const Call& call) {
           const auto& request = static_cast<const Request&>(message);
           if constexpr (std::is_invocable_v<Handler, const Request&, const Call&>) {
             return Boxed(handler(request, call));
           } else {
             return Boxed(handler(request));
           }
         }});
  }

  // Opener: Result<std::unique_ptr<StreamSource>>(const Request&, const Call&,
  // std::function<void()>).
  template <typename Request, typename Opener>
  void AddServerStream(const std::string& name, Opener open) {
    server_streams.push_back(
        {Path(name), New<Request>,
         [open](const Message& request, const Call& call, std::function<void()> wake) {
           return open(static_cast<const Request&>(request), call, std::move(wake));
         }});
  }

  // Opener: Result<std::unique_ptr<StreamTarget>>(const Caller&, Whose).
  template <typename Request, typename Opener>
  void AddClientStream(const std::string& name, Opener open) {
    client_streams.push_back({Path(name), New<Request>, open});
  }

  // Opener: Result<std::unique_ptr<StreamSession>>(const Request&, const Caller&,
  // std::function<void()>).
  template <typename Request, typename Opener>
  void AddSession(const std::string& name, Opener open) {
    sessions.push_back(
        {Path(name), New<Request>,
         [open](const Message& request, const Caller& caller, std::function<void()> wake) {
           return open(static_cast<const Request&>(request), caller, std::move(wake));
         }});
  }

  const std::string& service() const { return service_; }

  std::vector<UnaryMethod> unary;
  std::vector<ServerStreamMethod> server_streams;
  std::vector<ClientStreamMethod> client_streams;
  std::vector<SessionMethod> sessions;

 private:
  std::string Path(const std::string& name) const { return "/" + service_ + "/" + name; }

  template <typename Request>
  static MessagePtr New() {
    return std::make_unique<Request>();
  }

  template <typename Response>
  static Result<MessagePtr> Boxed(Result<Response> response) {
    if (!response.ok()) return response.status();
    return MessagePtr(std::make_unique<Response>(std::move(response).value()));
  }

  std::string service_;
};

}  // namespace wb
