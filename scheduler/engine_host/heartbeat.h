#pragma once

// Heartbeat: reports to the daemon that this engine host lives. It has a thread of its own, since
// launches, compiles and calls into a driver may take long, and the reading thread waits for those
// calls.

#include <string>
#include <thread>

#include "compiler/base/mutex.h"
#include "scheduler/engine_host/channel.h"

namespace wb {

class Heartbeat {
 public:
  // The channel outlives it.
  explicit Heartbeat(Channel& channel);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  void Run();
  bool AwaitNext();  // false: it is to end

  Channel& channel_;
  const std::string beat_;
  Mutex mutex_;
  CondVar ending_changed_;
  bool ending_ WB_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace wb
