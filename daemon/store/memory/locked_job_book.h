#pragma once

// LockedJobBook: a JobBook under one lock. Listeners of what has changed are called once the lock
// is released. The book's observer is called with it.
//
// Threads: every method from any thread. What it is given must not call it again.

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/store/memory/job_book.h"

namespace wb {

class LockedJobBook {
 public:
  // As JobBook's.
  LockedJobBook(const JobStoreLimits& limits, std::function<int64_t()> now,
                std::shared_ptr<StoreMetrics> metrics)
      : book_(limits, std::move(now), std::move(metrics)) {}

  // `look` is called with the book, and what it returns is returned.
  template <typename Look>
  auto Read(Look look) const {
    const MutexLock lock(mutex_);
    return look(book_);
  }
  // The same for what may change jobs.
  template <typename Edit>
  auto Change(Edit edit) {
    const Calling lock(this);
    return edit(book_);
  }

 private:
  // The lock, and the calls after it.
  class WB_THREAD_ATTRIBUTE(scoped_lockable) Calling {
   public:
    explicit Calling(LockedJobBook* book) WB_THREAD_ATTRIBUTE(acquire_capability(book->mutex_))
        : book_(*book) {
      book_.mutex_.Lock();
    }
    ~Calling() WB_THREAD_ATTRIBUTE(release_capability()) {
      const std::vector<std::shared_ptr<JobListeners>> changed = book_.book_.TakeChanged();
      book_.mutex_.Unlock();
      for (const std::shared_ptr<JobListeners>& listeners : changed) listeners->Call();
    }
    Calling(const Calling&) = delete;
    Calling& operator=(const Calling&) = delete;

   private:
    LockedJobBook& book_;
  };

  mutable Mutex mutex_;
  JobBook book_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
