#pragma once

// Bridge: calls of HTTP as calls of the daemon's own services, over a connection within the
// process. So a call of the page is authenticated, bounded, counted and logged as every other.
//
// As in gRPC-Web the HTTP status says whether the bridge took the call; how it ended is in the
// body:
// {"message":...} or {"error":...}, of a stream a line for each message and at its end
// {"end":true} or {"error":...}.
//
// Threads: Call comes on the HTTP server's thread and does not block; JSON is read and written on
// threads of the bridge.

#include <grpcpp/channel.h>

#include <functional>
#include <memory>
#include <string_view>

#include "daemon/monitoring/http_server.h"
#include "daemon/process/worker_pool.h"

namespace wb {

// What paths of calls begin with.
inline constexpr std::string_view kCallPath = "/api/";

class Bridge {
 public:
  // Makes a connection, and a new one where that was lost; null: there is none now.
  using Connect = std::function<std::shared_ptr<grpc::Channel>()>;
  explicit Bridge(Connect connect);
  ~Bridge();  // calls under way end by themselves: their clients have gone

  // Of the path "/api/wasmburst.v1.SERVICE/METHOD", whose origin is checked. `?rest_ms=N`: at least
  // so long between two messages of a stream. The headers authorization and traceparent go with it.
  void Call(HttpRequest request, const HttpReply& reply);

  // What calls share, also with those that end after the bridge.
  struct Shared;

 private:
  const std::shared_ptr<Shared> shared_;
};

}  // namespace wb
