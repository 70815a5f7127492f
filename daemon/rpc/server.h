#pragma once

// The gRPC server: listeners, services, health, reflection. main.cc and tests start it.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "daemon/rpc/rpc.h"
#include "daemon/rpc/rpc_runtime.h"

namespace wb {

struct Config;

class Server {
 public:
  // Opens the listeners of the configuration; the services are not served before Serve.
  // CONFIG_INVALID, IO_ERROR.
  static Result<std::unique_ptr<Server>> Open(const Config& config);
  ~Server();  // as Shutdown without patience

  std::vector<std::string> addresses() const;  // with real ports

  // Serves the tables. `runtime` outlives the server.
  Status Serve(std::vector<MethodTable> tables, RpcRuntime* runtime);
  void SetHealth(bool serving);  // of every service and of the whole
  // Takes no new connections and calls; those under way may end until `patience` is over.
  void Shutdown(std::chrono::nanoseconds patience);

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace wb
