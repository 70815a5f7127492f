#pragma once

// SharedJobs: the jobs of a SharedStore as this daemon has heard of them last. What it shows of a
// job may be some milliseconds old, and never goes back.
//
// Threads: any; has a lock of its own. Listeners are called without it, from the thread that
// brought the news.

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/cluster/shared_forecast.h"
#include "daemon/cluster/shared_room.h"
#include "daemon/database/shared_store.h"
#include "daemon/store/job_listeners.h"
#include "daemon/store/job_store.h"
#include "daemon/store/memory/result_positions.h"

namespace wb {

class SharedJobs {
 public:
  // What is shown of a request, of its bytes (JobRow::shown). IO_ERROR.
  using ReadShown = std::function<Result<JobRequest>(const std::string& shown)>;
  explicit SharedJobs(ReadShown read) : read_(std::move(read)) {}

  // A job as the store has it; what is older than what is known changes nothing. IO_ERROR: it is
  // damaged, and not shown.
  Status Put(const SharedJob& job);
  void Erase(const std::string& id);

  std::optional<JobInfo> Get(const std::string& id) const;
  // Where the job's results lie, and whether it has ended.
  std::optional<std::pair<ResultPlaces, bool>> PlacesFor(const std::string& id) const;
  JobPage List(const JobFilter& filter, const std::string& after, size_t limit) const;
  // As JobStore::Subscribe; nullopt: the job is not known.
  std::optional<std::shared_ptr<void>> Subscribe(const std::string& id,
                                                 std::function<void()> changed);

  uint64_t VersionOf(const std::string& id) const;  // 0: it is not known
  uint64_t BytesOf(const std::string& id) const;    // of its results
  std::vector<std::string> Ids() const;             // ascending: by age
  void AddTo(JobStoreFigures* figures) const;
  // What is newer of jobs that have not ended, by id.
  using Newer = std::map<std::string, JobHolding>;
  // Results of all jobs. `has_open`: those that `newer` lacks have no open instance.
  void AddTo(SharedRoom* room, const Newer& newer, bool has_open) const;
  std::optional<JobHolding> HoldingOf(const std::string& id) const;
  // Ended jobs of a tenant that have results, with their bytes; by age.
  std::vector<std::pair<std::string, uint64_t>> EndedOf(const std::string& tenant) const;
  // The few jobs that have not ended and hold most results, of this tenant or of all; bytes first.
  using Holders = std::vector<std::pair<uint64_t, std::string>>;
  Holders LargestOf(const std::string* tenant) const;
  // Whether results of all, or of the tenant, take more than half of what they may.
  bool IsHalfFull(const ResultLimits& limits, const std::string& tenant) const;
  std::vector<std::string> Followed() const;  // ended ones that clients of this host read

 private:
  struct Entry {
    JobInfo info;
    SharedForecast forecast;
    ResultPlaces places;
    uint64_t bytes = 0;
    bool is_ended() const { return IsTerminal(info.state); }
    JobHolding Holding() const;
    std::shared_ptr<JobListeners> listeners = std::make_shared<JobListeners>();
  };
  Result<std::shared_ptr<const JobRequest>> RequestOf(const SharedJob& job) const;

  // Of a tenant's jobs.
  struct Bytes {
    uint64_t kept = 0;   // of those that have not ended
    uint64_t spare = 0;  // of those that have
  };
  void Count(const std::string& id, const Entry& entry) WB_REQUIRES(mutex_);
  void Uncount(const std::string& id, const Entry& entry) WB_REQUIRES(mutex_);

  const ReadShown read_;
  mutable Mutex mutex_;
  std::map<std::string, Entry> jobs_ WB_GUARDED_BY(mutex_);
  std::map<std::string, Bytes> tenants_ WB_GUARDED_BY(mutex_);
  std::set<std::string> active_ WB_GUARDED_BY(mutex_);  // that have not ended
  JobId last_number_ WB_GUARDED_BY(mutex_) = kFirstNumber;

  // The scheduler knows the numbers of none of them: it runs their chunks.
  static constexpr JobId kFirstNumber = JobId{1} << 61;
};

}  // namespace wb
