#pragma once

// SessionTable: the sessions that are open, and why others are not any more. It knows no RPC and no
// clock: times are given, in nanoseconds of Unix time. Threads: any.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "compiler/compiler.h"
#include "scheduler/job/resident/resident_instances.h"
#include "wasmburst/v1/session.pb.h"

namespace wb {

// Lowers a module, as a device runs it.
using SessionModules = std::function<Result<std::shared_ptr<const LoweredModule>>(
    std::shared_ptr<const Module> module)>;

// What stays the same of a session.
struct SessionTerms {
  wasmburst::v1::Session session;  // as its caller asked, with limits as applied; no output fields
  std::string tenant;
  std::shared_ptr<const Module> module;  // all of it, linked
  std::shared_ptr<ResidentInstances> residents;
  int64_t idle_ns = 0;
};

// A session at one moment.
struct SessionInfo {
  std::string id;
  std::shared_ptr<const SessionTerms> terms;
  int64_t create_unix_ns = 0;
  int64_t used_unix_ns = 0;
  uint64_t calls = 0;
  std::string job;         // id of the last call's; empty: there was none
  std::string request_id;  // of that call; empty: it had none
};

class SessionTable {
 public:
  // Whether the job with this id goes on. Called without the lock.
  using GoesOn = std::function<bool(const std::string& job)>;
  SessionTable(uint64_t most_of_tenant, GoesOn goes_on);

  // QUEUE_FULL, with the numbers: the tenant has as many open as it may have.
  Result<SessionInfo> Open(SessionTerms terms, int64_t now);
  // NOT_FOUND: it was never there, or is no more, and why if that is known. Of another tenant:
  // never there. `tenant` unset: of any.
  Result<SessionInfo> Get(const std::string& id, const std::optional<std::string>& tenant) const;
  // Newest first, those older than the id `after` ("" is none).
  std::vector<SessionInfo> List(const std::optional<std::string>& tenant, const std::string& after,
                                size_t limit) const;
  // It is gone from now on, as it was. NOT_FOUND.
  Result<SessionInfo> Close(const std::string& id, const std::string& why);

  // JOB_RUNNING: a call of it is under way.
  Status CheckFree(const SessionInfo& session) const;
  // From here to Called() or Release() no call begins otherwise, and nothing is written.
  // JOB_RUNNING; NOT_FOUND.
  Status Take(const std::string& id);
  // False: it was closed meanwhile.
  bool Called(const std::string& id, const std::string& job, const std::string& request_id,
              int64_t now);
  void Release(const std::string& id, int64_t now);
  void Touched(const std::string& id, int64_t now);  // it was used

  bool IsRunning(const SessionInfo& session) const;
  // Closes those that were unused for too long. Their names and idle times.
  std::vector<SessionInfo> CloseIdle(int64_t now);
  uint64_t size() const;
  uint64_t bytes() const;  // of their instances' states

 private:
  struct Entry {
    SessionInfo info;
    bool taken = false;
  };
  SessionInfo Remove(std::map<std::string, Entry>::iterator at, std::string why)
      WB_REQUIRES(mutex_);
  Status NotThere(const std::string& id, const std::optional<std::string>& tenant) const
      WB_REQUIRES(mutex_);

  struct Gone {
    std::string id;
    std::string tenant;
    std::string why;
  };

  const uint64_t most_of_tenant_;
  const GoesOn goes_on_;
  mutable Mutex mutex_;
  std::mt19937_64 random_ WB_GUARDED_BY(mutex_);
  uint64_t last_ms_ WB_GUARDED_BY(mutex_) = 0;  // of an id
  std::map<std::string, Entry> open_ WB_GUARDED_BY(mutex_);
  std::deque<Gone> gone_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
