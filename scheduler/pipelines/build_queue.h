#pragma once

// BuildQueue: threads that run builds of a device, in the order of BuildTurns. Threads: any.

#include <cstdint>
#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/base/clock.h"
#include "scheduler/pipelines/build_turns.h"

namespace wb {

class BuildQueue {
 public:
  // `clock` outlives this.
  BuildQueue(Clock& clock, uint32_t threads);
  ~BuildQueue();  // Close()
  BuildQueue(const BuildQueue&) = delete;
  BuildQueue& operator=(const BuildQueue&) = delete;

  // The number is for Share(). After Close() the build is dropped.
  uint64_t Post(const FairShare& share, std::function<void()> build);
  // Another tenant waits for it too. No effect on one that is under way or over.
  void Share(uint64_t build, const FairShare& share);

  // Ends what runs, drops what waits, joins the threads. Not from a thread of the queue.
  void Close();

 private:
  void Run();

  Clock& clock_;
  Mutex mutex_;
  CondVar changed_;
  BuildTurns turns_ WB_GUARDED_BY(mutex_);
  std::map<uint64_t, std::function<void()>> waiting_ WB_GUARDED_BY(mutex_);
  uint64_t next_ WB_GUARDED_BY(mutex_) = 1;
  bool closed_ WB_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace wb
