#pragma once

// LiveConfig: the configuration in force. Some settings change while the daemon runs (reload.def);
// who looks at several of them keeps what Get gave, which does not change.
//
// Threads: any.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/config/config.h"

namespace wb {

// The running configuration with those settings of the one read that may change.
struct Reloaded {
  Config config;
  std::vector<std::string> changed;      // "limits.fuel"
  std::vector<std::string> for_restart;  // differ, and hold from the next start on
};
Reloaded Reload(const Config& running, const Config& read);

class LiveConfig {
 public:
  explicit LiveConfig(Config config) : config_(std::make_shared<const Config>(std::move(config))) {}
  std::shared_ptr<const Config> Get() const {
    MutexLock lock(mutex_);
    return config_;
  }
  void Set(Config config) {
    auto next = std::make_shared<const Config>(std::move(config));
    MutexLock lock(mutex_);
    config_ = std::move(next);
  }

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const Config> config_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
