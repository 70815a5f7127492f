#pragma once

// JobTable: the jobs of the store in memory, by id and by request id, and those that changed since
// listeners were last called. Pure; its owner locks.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/base/status.h"
#include "daemon/store/job_ids.h"
#include "daemon/store/memory/job_record.h"

namespace wb {

class JobTable {
 public:
  explicit JobTable(std::function<int64_t()> now);

  // The job that the same request made before, if it came before. REQUEST_ID_REUSED, UNAVAILABLE.
  Result<std::optional<JobInfo>> FindRepeated(const JobRequest& request) const;
  JobInfo NewInfo(JobRequest request);  // of a queued job, with a new id
  // Not published, with a new number.
  JobRecord& Insert(JobInfo info);
  void Erase(const std::string& id);

  JobRecord* Find(const std::string& id);                       // nullptr: there is none
  JobRecord* FindOpen(const std::string& id);                   // that has not ended; nullptr
  Result<const JobRecord*> Known(const std::string& id) const;  // published or not; NOT_FOUND
  Result<JobRecord*> Published(const std::string& id);          // NOT_FOUND
  Result<const JobRecord*> Published(const std::string& id) const;

  // An ended job of the tenant that has most of them: one whose results were acknowledged, or else
  // the oldest. nullptr: no job has ended.
  JobRecord* FirstToForget();

  void SetState(JobRecord* record, JobState state, int64_t unix_ns);
  const std::array<uint64_t, kJobStates>& by_state() const { return by_state_; }
  void NoteChanged(JobRecord* record);
  // The listeners of what changed since the last call, to be called without the owner's lock.
  std::vector<std::shared_ptr<JobListeners>> TakeChanged();

  JobRecords& records() { return records_; }
  const JobRecords& records() const { return records_; }

 private:
  const std::function<int64_t()> now_;
  JobRecords records_;
  std::array<uint64_t, kJobStates> by_state_{};                 // how many of them
  std::unordered_map<std::string, std::string> by_request_id_;  // and tenant
  std::vector<std::shared_ptr<JobListeners>> changed_;
  JobId next_number_ = 1;
  JobIds ids_;
};

}  // namespace wb
