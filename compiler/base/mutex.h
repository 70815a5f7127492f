#pragma once

// Mutex, MutexLock and CondVar: the standard ones, with clang's thread-safety annotations, so that
// a member read without its lock does not compile (-Wthread-safety; g++ ignores them).

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define WB_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define WB_THREAD_ATTRIBUTE(x)
#endif
#define WB_GUARDED_BY(mutex) WB_THREAD_ATTRIBUTE(guarded_by(mutex))
#define WB_REQUIRES(...) WB_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define WB_EXCLUDES(...) WB_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))

namespace wb {

class WB_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
 public:
  void Lock() WB_THREAD_ATTRIBUTE(acquire_capability()) { mutex_.lock(); }
  bool TryLock() WB_THREAD_ATTRIBUTE(try_acquire_capability(true)) { return mutex_.try_lock(); }
  void Unlock() WB_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

class WB_THREAD_ATTRIBUTE(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) WB_THREAD_ATTRIBUTE(acquire_capability(mutex)) : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() WB_THREAD_ATTRIBUTE(release_capability()) { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// A wait may end without cause: callers test in a loop what they wait for.
class CondVar {
 public:
  void Wait(Mutex& mutex) WB_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  // False: the time is over.
  bool WaitUntil(Mutex& mutex, std::chrono::steady_clock::time_point until) WB_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    const std::cv_status status = condition_.wait_until(lock, until);
    lock.release();
    return status == std::cv_status::no_timeout;
  }
  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace wb
