#pragma once

// JobRequests: what the requests of the store's jobs hold in memory: of jobs that have not ended
// all of it (request_ledger.h), of ended jobs what is shown again. Pure; its owner locks.

#include <cstdint>

#include "daemon/store/memory/job_record.h"
#include "daemon/store/request_ledger.h"

namespace wb {

// What the refusals of its two bounds say.
LedgerWords RequestWords();
LedgerWords InputWords();

class JobRequests {
 public:
  // An eighth of `max_request_bytes` is for ended jobs.
  JobRequests(uint64_t max_request_bytes, uint64_t max_input_bytes);

  Status Hold(const JobRequest& request);  // QUEUE_FULL, and nothing is held
  // Of a job that ends: its columns and module go with the scheduler's job; what is shown again
  // stays.
  void KeepShown(JobRecord* record);
  void Drop(const JobRecord& record);  // it is forgotten, whether or not it has ended

  bool IsOver() const { return kept_bytes_ > max_request_bytes_ / 8; }  // ended jobs must go
  uint64_t bytes() const { return requests_.bytes() + kept_bytes_; }

 private:
  void DropOpen(const JobRequest& request);

  const uint64_t max_request_bytes_;
  RequestLedger requests_;
  RequestLedger inputs_;
  uint64_t kept_bytes_ = 0;  // of ended jobs
};

}  // namespace wb
