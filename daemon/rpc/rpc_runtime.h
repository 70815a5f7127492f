#pragma once

// What all services of a server share: the pools, the heartbeat, the access log.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "compiler/base/trace_context.h"
#include "daemon/identity/origin.h"

namespace wb {

// Whether a process is an engine host of this daemon. Any thread.
using IsHost = std::function<bool(int64_t process)>;

class Authenticator;
class WorkerPool;

// What is logged of a call, once, at its end.
struct AccessLine {
  std::string path;
  std::string peer;
  std::string caller;  // its name; "": it was refused before it had one
  Status status;
  std::chrono::nanoseconds duration{};
  uint64_t messages = 0;  // sent on a stream
  TraceContext trace;
};

// An open stream, as the heartbeat sees it.
class OpenStream {
 public:
  virtual ~OpenStream() = default;
  virtual void Tick(std::chrono::steady_clock::time_point now) = 0;
};

// The threads that calls run on. Each kind of work has its own, so that none waits behind another:
// results go on while requests of megabytes are parsed, and jobs begin while modules are compiled
// for a look at their text. In each, connections take turns.
struct RpcPools {
  WorkerPool* prepare = nullptr;  // parse requests, prepare jobs, open streams
  WorkerPool* large = nullptr;    // the same for requests of over kLargeRequest
  WorkerPool* upload = nullptr;   // the parts of uploads
  WorkerPool* stream = nullptr;   // what open streams say
  WorkerPool* compile = nullptr;  // RunOn::kCompilePool
};

// Parsing and preparing a longer request may take tenths of a second, and many times its memory.
inline constexpr size_t kLargeRequest = 256 << 10;
// gRPC's own threads parse no more than this.
inline constexpr size_t kSmallRequest = 16 << 10;

// Shared by all services of a server; outlives it.
class RpcRuntime {
 public:
  // `authenticator` outlives the runtime.
  RpcRuntime(const RpcPools& pools, std::chrono::nanoseconds heartbeat,
             std::function<void(const AccessLine&)> log, const Authenticator* authenticator,
             std::function<void(const std::string& path)> started = {})
      : pools_(pools),
        heartbeat_(heartbeat),
        log_(std::move(log)),
        authenticator_(authenticator),
        started_(std::move(started)) {}

  void Tick();  // lets every open stream see whether a heartbeat is due
  void Register(std::weak_ptr<OpenStream> stream);
  const RpcPools& pools() const { return pools_; }
  std::chrono::nanoseconds heartbeat() const { return heartbeat_; }
  void Log(const AccessLine& line) const { log_(line); }
  const Authenticator& authenticator() const { return *authenticator_; }
  void NoteStart(const std::string& path) const {
    if (started_) started_(path);
  }

 private:
  const RpcPools pools_;
  const std::chrono::nanoseconds heartbeat_;
  const std::function<void(const AccessLine&)> log_;
  const Authenticator* const authenticator_;
  const std::function<void(const std::string&)> started_;
  Mutex mutex_;
  std::vector<std::weak_ptr<OpenStream>> streams_ WB_GUARDED_BY(mutex_);
};

// What all calls of one gRPC server share: where its connections come from is the same for all.
struct Endpoint {
  RpcRuntime* runtime = nullptr;
  Origin origin;
};

}  // namespace wb
