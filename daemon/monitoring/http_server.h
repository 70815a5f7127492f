#pragma once

// HttpServer: answers requests on one listener, one on a connection. Whatever clients send and
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
  // Requests with a body (POST). 0: a body is not looked at.
  size_t body_bytes = 0;           // of one; else 413
  size_t bodies_bytes = 64 << 20;  // of all connections together; else 503
  std::chrono::nanoseconds call_time = std::chrono::minutes(2);  // as answer_time
};

// An answer in parts may take as long as it likes; each part must be taken in connection_time.
// Takes the answer once; later ones, and those of connections that are closed, have no effect.
// Any thread.
using HttpReply = std::function<void(HttpAnswer answer)>;
using HttpHandler = std::function<void(HttpRequest request, HttpReply reply)>;

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
