#pragma once

// GroupCommit: one thread that makes events durable, as many as have come at a time: while one
// transaction is being flushed, the next one gathers.
//
// Threads: Post and Flush from any; the function is called from the thread alone.

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/store/durable/job_changes.h"

namespace wb {

class GroupCommit {
 public:
  // Commits what it can; what it leaves in `events` comes again after a second, in front of what
  // came meanwhile.
  using Commit = std::function<void(std::vector<JobEvent>* events)>;
  explicit GroupCommit(Commit commit);
  ~GroupCommit();  // commits what was posted, if it can at once
  GroupCommit(const GroupCommit&) = delete;
  GroupCommit& operator=(const GroupCommit&) = delete;

  void Post(JobEvent event);  // never blocks
  // Posts the event and waits until it and all before it are durable, or could not be made so.
  Status Flush(JobEvent event);

 private:
  void Run();
  // Waits for events; false: there are none, and it stops.
  bool Take(std::vector<JobEvent>* events);

  const Commit commit_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<JobEvent> posted_ WB_GUARDED_BY(mutex_);
  bool urgent_ WB_GUARDED_BY(mutex_) = false;  // one of these is
  bool stopping_ WB_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace wb
