#pragma once

// JobListeners: what is to be called after a change of one job.
//
// Threads: any. Has a lock of its own, since a handle may outlive the store. No lock is held while
// the functions run.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "compiler/base/mutex.h"

namespace wb {

class JobListeners : public std::enable_shared_from_this<JobListeners> {
 public:
  // Until the handle is dropped; a call that is under way then still ends.
  std::shared_ptr<void> Add(std::function<void()> call);
  bool any() const { return count_.load() > 0; }
  void Call();

 private:
  using Calls = std::vector<std::pair<uint64_t, std::function<void()>>>;
  void Remove(uint64_t number);

  Mutex mutex_;
  uint64_t last_number_ WB_GUARDED_BY(mutex_) = 0;
  // Replaced as a whole, so that it can be read without the lock.
  std::shared_ptr<const Calls> calls_ WB_GUARDED_BY(mutex_) = std::make_shared<const Calls>();
  // Of `calls_`: for the store, which asks with its own lock held.
  std::atomic<size_t> count_{0};
};

}  // namespace wb
