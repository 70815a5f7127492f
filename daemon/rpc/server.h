#pragma once

// The server: listeners, services, health, reflection. main.cc and tests start it.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "daemon/rpc/rpc.h"
#include "daemon/rpc/rpc_runtime.h"
#include "daemon/rpc/tls_files.h"

namespace grpc {
class Channel;
}

namespace wb {

struct Config;

class Server {
 public:
  // Opens the listeners of the configuration, or takes those that the service manager opened; the
  // services are not served before Serve. CONFIG_INVALID (certificates too), IO_ERROR.
  static Result<std::unique_ptr<Server>> Open(const Config& config);
  ~Server();  // as Shutdown without patience

  std::vector<std::string> addresses() const;  // with real ports

  // Serves the tables. `runtime` outlives the server. A method without a rule (access.def) stops
  // the process. Hosts, which run strangers' modules as the daemon's user, are no callers; empty:
  // there are none.
  Status Serve(std::vector<MethodTable> tables, RpcRuntime* runtime, IsHost is_host = {});
  // After Serve: makes connections for calls from within the process, as if they came from there;
  // any thread. Shutdown ends the calls, and null is made after it. INTERNAL.
  using Connector = std::function<std::shared_ptr<grpc::Channel>()>;
  Result<Connector> Inside(Origin origin);
  // For connections that come from now on; no effect without a tls:// listener.
  void SetTls(const TlsFiles& tls);
  void SetHealth(bool serving);  // of every service and of the whole
  // Takes no new connections and calls; those under way may end until `patience` is over.
  void Shutdown(std::chrono::nanoseconds patience);

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace wb
