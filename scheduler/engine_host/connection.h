#pragma once

// EngineConnection: the daemon's end of the line to an engine host. Requests go out, and each reply
// goes to the caller that waits for it. When the host dies, hangs or sends nonsense, all calls that
// wait and all later ones get DEVICE_LOST.
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
#include "scheduler/devices/compile/private_folder.h"
#include "scheduler/devices/started_device.h"
#include "scheduler/engine_host/channel.h"
#include "scheduler/engine_host/engine.pb.h"
#include "scheduler/engine_host/host_isolation.h"
#include "scheduler/engine_host/host_process.h"
#include "scheduler/engine_host/silence.h"

namespace wb {

class EngineConnection {
 public:
  struct Plan {
    std::string program;
    std::string name;  // for messages
    int niceness = 0;
    std::chrono::milliseconds max_silence{10000};  // a host that is not heard for longer is killed
    uint32_t max_message_bytes = Channel::kMaxMessageBytes;
    HostIsolation isolation = {};  // a host that compiles gets a folder of its own
  };
  // Starts the host. `on_lost` is called once, from a thread of the connection, when the line ends
  // in another way than by the destructor. That is before any call returns because of it. IO_ERROR,
  // MACHINE_FAULT.
  static Result<std::shared_ptr<EngineConnection>> Start(const Plan& plan,
                                                         std::function<void()> on_lost);
  ~EngineConnection();
  EngineConnection(const EngineConnection&) = delete;
  EngineConnection& operator=(const EngineConnection&) = delete;

  // Sends the request under a new id and waits for its reply. Errors: the host's own; DEVICE_LOST,
  // also when there is no reply within `patience`, and the host is then killed; LIMIT_TOO_HIGH
  // where the request, or its reply, is longer than a message may be, and the host goes on.
  Result<wasmburst::engine::Reply> Call(wasmburst::engine::Request request,
                                        std::chrono::nanoseconds patience, int fd = -1);
  // The two halves of Call, for requests that take long. Ask returns the id under which the reply
  // will come.
  Result<uint64_t> Ask(wasmburst::engine::Request request, int fd = -1);
  // AwaitReply waits for the reply. Each id is awaited once.
  Result<wasmburst::engine::Reply> AwaitReply(uint64_t id, std::chrono::nanoseconds patience);
  void Tell(const wasmburst::engine::Request& request);  // without a reply; may be lost

  void Kill();
  int64_t pid() const { return process_->pid(); }
  std::shared_ptr<const ShownSilence> silence() const { return shown_silence_; }

 private:
  using Reply = wasmburst::engine::Reply;
  EngineConnection(const Plan& plan, UniqueFd socket, std::optional<PrivateFolder> folder,
                   std::unique_ptr<HostProcess> process, std::function<void()> on_lost);
  void Listen();
  void Watch();
  void Send(const wasmburst::engine::Request& request, int fd);
  void RecordWhy(std::string why);
  // How the process has ended, which may take a moment to be known; `otherwise` if it runs on.
  std::string EndOfProcess(std::string otherwise) const;
  Status Lost() const WB_REQUIRES(mutex_);
  std::optional<Reply> TakeReply(uint64_t id, std::chrono::steady_clock::time_point until);

  const std::string name_;
  Channel channel_;
  const std::optional<PrivateFolder> folder_;  // ends after the host, which cannot remove it
  const std::unique_ptr<HostProcess> process_;
  const std::function<void()> on_lost_;

  Mutex mutex_;
  CondVar answered_;
  uint64_t next_id_ WB_GUARDED_BY(mutex_) = 1;
  std::map<uint64_t, std::optional<Reply>> calls_ WB_GUARDED_BY(mutex_);
  bool lost_ WB_GUARDED_BY(mutex_) = false;
  bool closing_ WB_GUARDED_BY(mutex_) = false;
  bool hung_ WB_GUARDED_BY(mutex_) = false;
  std::string why_ WB_GUARDED_BY(mutex_);  // the line ends, in words; the first reason stays
  CondVar over_;                           // lost_ or closing_

  Silence silence_;  // of the watcher
  const std::shared_ptr<ShownSilence> shown_silence_ = std::make_shared<ShownSilence>();
  std::thread listener_;
  std::thread watcher_;
};

}  // namespace wb
