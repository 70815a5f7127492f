#pragma once

// The methods of a service as a table of functions over messages: what the services are written
// in. grpc_service.cc is the only place that turns such a table into gRPC calls, so that every
// method parses, refuses, logs and ends its calls in the same way.

#include <google/protobuf/message.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/status.h"

namespace wb {

using google::protobuf::Message;
// Shared, so that a message of many parts may hold the arena that it lies in.
using MessagePtr = std::shared_ptr<Message>;

// Where a method runs: on the gRPC thread (only what answers at once), on the pool that decodes
// modules and prepares jobs, or on the one for calls that compile and may take seconds each.
enum class RunOn : uint8_t { kCaller, kPool, kCompilePool };

// What a server stream says. Next, Sent and Heartbeat are called by one thread at a time.
class StreamSource {
 public:
  struct Item {
    MessagePtr message;  // to be sent, or
    bool ended = false;  // the stream ends with `status`, or
    Status status;       // neither: nothing now; the source calls `wake` when there is
  };
  virtual ~StreamSource() = default;
  virtual Item Next() = 0;
  virtual void Delivered() {}          // the stream ended with OK and the client took it all
  virtual MessagePtr Heartbeat() = 0;  // what to say when nothing was said for a while
};

// Receives a client stream.
class StreamTarget {
 public:
  virtual ~StreamTarget() = default;
  virtual Status Add(const Message& message) = 0;  // on the gRPC thread, in order
  virtual Result<MessagePtr> Finish() = 0;         // on the pool, after the last
};

struct UnaryMethod {
  std::string path;  // "/wasmburst.v1.Jobs/GetJob"
  RunOn run_on = RunOn::kCaller;
  std::function<MessagePtr()> new_request;
  std::function<Result<MessagePtr>(const Message&)> handle;
};

struct ServerStreamMethod {
  std::string path;
  std::function<MessagePtr()> new_request;
  // On the pool. `wake` may be called from any thread, also after the stream has ended, and with
  // locks held: it only posts.
  std::function<Result<std::unique_ptr<StreamSource>>(const Message&, std::function<void()> wake)>
      open;
};

struct ClientStreamMethod {
  std::string path;
  std::function<MessagePtr()> new_request;
  std::function<Result<std::unique_ptr<StreamTarget>>()> open;  // on the gRPC thread
};

class MethodTable {
 public:
  explicit MethodTable(std::string service) : service_(std::move(service)) {}

  // Handler: Result<Response>(const Request&).
  template <typename Request, typename Handler>
  void AddUnary(const std::string& name, RunOn run_on, Handler handler) {
    unary.push_back({Path(name), run_on, New<Request>, [handler](const Message& request) {
                       return Boxed(handler(static_cast<const Request&>(request)));
                     }});
  }

  // Opener: Result<std::unique_ptr<StreamSource>>(const Request&, std::function<void()>).
  template <typename Request, typename Opener>
  void AddServerStream(const std::string& name, Opener open) {
    server_streams.push_back(
        {Path(name), New<Request>, [open](const Message& request, std::function<void()> wake) {
           return open(static_cast<const Request&>(request), std::move(wake));
         }});
  }

  template <typename Request, typename Opener>
  void AddClientStream(const std::string& name, Opener open) {
    client_streams.push_back({Path(name), New<Request>, open});
  }

  const std::string& service() const { return service_; }

  std::vector<UnaryMethod> unary;
  std::vector<ServerStreamMethod> server_streams;
  std::vector<ClientStreamMethod> client_streams;

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
