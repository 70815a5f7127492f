#pragma once

// HttpServer: answers GET on one listener, one request on a connection. Whatever clients send and
// however slowly they read, it holds no more than the bounds say, and no client waits for another.
//
// Threads: two of its own, one that accepts and one that reads and writes. The handler is called on
// the latter and must not block: it posts, and answers from any thread.

#include <chrono>
#include <functional>
#include <memory>

#include "compiler/base/status.h"
#include "daemon/config/config.h"
#include "daemon/monitoring/http_message.h"

namespace wb {

struct HttpLimits {
  size_t connections = 16;         // one more is told 503 and closed
  size_t request_bytes = 8 << 10;  // of the head; else 431
  std::chrono::nanoseconds connection_time = std::chrono::seconds(10);  // from its start to its end
  std::chrono::nanoseconds answer_time = std::chrono::seconds(5);       // of the handler; else 503
};

// Takes the answer once; later ones, and those of connections that are closed, have no effect.
// Any thread.
using HttpReply = std::function<void(HttpAnswer answer)>;
using HttpHandler = std::function<void(const HttpRequest& request, HttpReply reply)>;

class HttpServer {
 public:
  // IO_ERROR, CONFIG_INVALID (listener.h).
  static Result<std::unique_ptr<HttpServer>> Open(const ListenAddress& address,
                                                  const HttpLimits& limits, HttpHandler handler);
  ~HttpServer();  // closes all connections
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  const ListenAddress& address() const;  // with the real port

 private:
  class Connection;
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace wb
