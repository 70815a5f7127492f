#include "scheduler/base/helper_threads.h"

#include <algorithm>

namespace wb {

HelperThreads::HelperThreads(uint32_t helpers) {
  for (uint32_t i = 0; i < helpers; ++i) threads_.emplace_back([this] { RunHelper(); });
}

HelperThreads::~HelperThreads() {
  {
    MutexLock lock(mutex_);
    closing_ = true;
  }
  began_.NotifyAll();
  for (std::thread& thread : threads_) thread.join();
}

bool HelperThreads::Begin(const Part** work, size_t* part) {
  if (next_ == count_) return false;
  *work = work_;
  *part = next_++;
  return true;
}

void HelperThreads::Do(const Part& work, size_t part) {
  work(part);
  {
    MutexLock lock(mutex_);
    done_[part] = true;
  }
  done_one_.NotifyOne();
}

void HelperThreads::RunHelper() {
  for (;;) {
    const Part* work = nullptr;
    size_t part = 0;
    {
      MutexLock lock(mutex_);
      while (!closing_ && !Begin(&work, &part)) began_.Wait(mutex_);
      if (work == nullptr) return;
    }
    Do(*work, part);
  }
}

void HelperThreads::Run(size_t count, const Part& work, const Part& then) {
  {
    MutexLock lock(mutex_);
    work_ = &work;
    done_.assign(count, false);
    next_ = 0;
    count_ = count;
  }
  // No more are woken than find a part.
  for (size_t i = 1; i < std::min(count, threads_.size() + 1); ++i) began_.NotifyOne();
  for (size_t first = 0; first < count;) {  // not done yet, as far as this thread knows
    const Part* begun = nullptr;
    size_t part = 0;
    {
      MutexLock lock(mutex_);
      while (!done_[first] && !Begin(&begun, &part)) done_one_.Wait(mutex_);
    }
    if (begun != nullptr) {
      Do(*begun, part);
    } else {
      then(first++);
    }
  }
}

}  // namespace wb
