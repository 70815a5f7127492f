#pragma once

// StateFiles: states of instances (state_form.h) that outlive their scheduler: files
// FOLDER/JOB/INSTANCE; without a folder the same in memory. A file is there whole or not at all,
// and a newer state of an instance takes the place of the older one.
//
// A tenant may hold half of what the others leave of the bound, as with requests (RequestLedger).
//
// Threads: any. No lock is held while a file is written or read.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "daemon/store/request_ledger.h"
#include "scheduler/base/disk_calls.h"

namespace wb {

class StateFiles {
 public:
  struct Limits {
    uint64_t total_bytes = 0;
    uint64_t job_bytes = 0;
  };
  // `folder`: made if it is missing; empty: in memory. The disk outlives it. IO_ERROR.
  static Result<std::unique_ptr<StateFiles>> Open(const std::string& folder, const Limits& limits,
                                                  const DiskCalls& disk = SystemDisk());

  // What an earlier daemon left of this job counts for the tenant. Before the job's first Put.
  void Adopt(const std::string& job, const std::string& tenant);
  // Removes what is left of jobs that are not adopted.
  void RemoveOthers();

  // On the disk when it returns. QUEUE_FULL, LIMIT_TOO_HIGH: a bound; NOSPACE, IO_ERROR.
  Status Put(const std::string& job, const std::string& tenant, uint64_t instance, ByteView bytes);
  // NOT_FOUND, IO_ERROR.
  Result<Bytes> Get(const std::string& job, uint64_t instance) const;
  // Its first bytes, at most so many.
  Result<Bytes> Begin(const std::string& job, uint64_t instance, size_t most) const;
  void Forget(const std::string& job);

  std::vector<uint64_t> InstancesOf(const std::string& job) const;  // ascending
  uint64_t BytesOf(const std::string& job) const;
  std::vector<std::string> Jobs() const;
  uint64_t bytes() const;

 private:
  struct Entry {
    uint64_t size = 0;
    Bytes bytes;  // without a folder
  };
  struct Job {
    std::string tenant;
    uint64_t bytes = 0;
    std::map<uint64_t, Entry> entries;
  };

  StateFiles(std::string folder, const Limits& limits, const DiskCalls& disk);
  std::string FolderOf(const std::string& job) const { return folder_ + "/" + job; }
  std::string PathOf(const std::string& job, uint64_t instance) const;
  Status Reserve(const std::string& job, const std::string& tenant, uint64_t bytes)
      WB_REQUIRES(mutex_);
  void GiveBack(const std::string& job, const std::string& tenant, uint64_t bytes)
      WB_REQUIRES(mutex_);
  void Keep(const std::string& job, const std::string& tenant, uint64_t instance, Entry entry)
      WB_REQUIRES(mutex_);
  Status Write(const std::string& job, uint64_t instance, ByteView bytes) const;

  const std::string folder_;
  const Limits limits_;
  const DiskCalls& disk_;
  mutable Mutex mutex_;
  RequestLedger ledger_ WB_GUARDED_BY(mutex_);
  std::map<std::string, Job> jobs_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
