#pragma once

// HelperThreads: a few threads that share out one piece of work at a time with the thread that owns
// it.
//
// Threads: all methods from the owner.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "compiler/base/mutex.h"

namespace wb {

class HelperThreads {
 public:
  explicit HelperThreads(uint32_t helpers);  // threads beside the owner's
  ~HelperThreads();
  HelperThreads(const HelperThreads&) = delete;
  HelperThreads& operator=(const HelperThreads&) = delete;

  // Calls work(i) for every i below `count`, on any thread of the helpers, and then(i) on this one,
  // in ascending order, each once its work is done. Blocks until all of it is.
  using Part = std::function<void(size_t)>;
  void Run(size_t count, const Part& work, const Part& then);

 private:
  void RunHelper();
  // Begins the next part, whose work stays valid until it is done. False: there is none.
  bool Begin(const Part** work, size_t* part) WB_REQUIRES(mutex_);
  void Do(const Part& work, size_t part);

  Mutex mutex_;
  CondVar began_;                                     // a piece of work: for the helpers
  CondVar done_one_;                                  // a part of it: for the owner
  const Part* work_ WB_GUARDED_BY(mutex_) = nullptr;  // null between two pieces of work
  size_t count_ WB_GUARDED_BY(mutex_) = 0;
  size_t next_ WB_GUARDED_BY(mutex_) = 0;  // the first part not begun
  std::vector<bool> done_ WB_GUARDED_BY(mutex_);
  bool closing_ WB_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace wb
