#pragma once

// EngineConnection: the daemon's end of the line to an engine host: requests out, replies in, each
// to the caller that waits for it. When the host dies, hangs or talks nonsense, everything that
// waits and everything after it gets DEVICE_LOST.
//
// Threads: all methods from any thread.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "scheduler/engine_host/channel.h"
#include "scheduler/engine_host/engine.pb.h"
#include "scheduler/engine_host/host_process.h"

namespace wb {

class EngineConnection {
 public:
  // Starts the host; `name` is for messages. `on_lost` is called once, from a thread of the
  // connection, when the line ends other than by the destructor; before any call ends for that.
  static Result<std::shared_ptr<EngineConnection>> Start(const std::string& program,
                                                         const std::string& name, int niceness,
                                                         std::function<void()> on_lost);
  ~EngineConnection();
  EngineConnection(const EngineConnection&) = delete;
  EngineConnection& operator=(const EngineConnection&) = delete;

  // Sends the request under a new id and waits for its reply. The host's error; DEVICE_LOST, also
  // when there is no reply in `patience`: then the host is killed.
  Result<wasmburst::engine::Reply> Call(wasmburst::engine::Request request,
                                        std::chrono::nanoseconds patience, int fd = -1);
  // The two halves of Call, for what takes long: the id under which the reply will come ...
  Result<uint64_t> Ask(wasmburst::engine::Request request, int fd = -1);
  // ... and the reply itself. Each id is awaited once.
  Result<wasmburst::engine::Reply> AwaitReply(uint64_t id, std::chrono::nanoseconds patience);
  void Tell(const wasmburst::engine::Request& request);  // without a reply; may be lost

  void Kill();
  int64_t pid() const { return process_->pid(); }

 private:
  using Reply = wasmburst::engine::Reply;
  EngineConnection(std::string name, UniqueFd socket, std::unique_ptr<HostProcess> process,
                   std::function<void()> on_lost);
  void Listen();
  Status Lost() const;
  std::optional<Reply> TakeReply(uint64_t id, std::chrono::steady_clock::time_point until);

  const std::string name_;
  Channel channel_;
  const std::unique_ptr<HostProcess> process_;
  const std::function<void()> on_lost_;

  Mutex mutex_;
  CondVar answered_;
  uint64_t next_id_ WB_GUARDED_BY(mutex_) = 1;
  std::map<uint64_t, std::optional<Reply>> calls_ WB_GUARDED_BY(mutex_);
  bool lost_ WB_GUARDED_BY(mutex_) = false;
  bool closing_ WB_GUARDED_BY(mutex_) = false;

  std::thread listener_;
};

}  // namespace wb
