#pragma once

// DumpFiles: what the daemon keeps of jobs so that their instances can be looked at: dumps, and
// what the job was given. Files FOLDER/JOB/INSTANCE-DIGEST and FOLDER/JOB/request-DIGEST; without a
// folder the same in memory. A file is there whole or not at all, and its digest is checked when it
// is read.
//
// A tenant may hold half of what the others leave of the bound, as with requests (RequestLedger).
//
// Threads: any.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/digest.h"
#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "daemon/store/request_ledger.h"

namespace wb {

class DumpFiles {
 public:
  struct Limits {
    uint64_t total_bytes = 0;
    uint64_t job_bytes = 0;
  };
  // `folder`: made if it is missing; empty: in memory. IO_ERROR.
  static Result<std::unique_ptr<DumpFiles>> Open(const std::string& folder, const Limits& limits);

  // What an earlier daemon left, for the jobs that are still there; that of others is removed.
  // `tenant_of`: nullopt: there is no such job. Once, before all else.
  using TenantOf = std::function<std::optional<std::string>(const std::string& job)>;
  void Restore(const TenantOf& tenant_of);

  // Of an instance; without one, what the job was given. What is there already stays. QUEUE_FULL,
  // LIMIT_TOO_HIGH: a bound; NOSPACE, IO_ERROR.
  Status Put(const std::string& job, const std::string& tenant, std::optional<uint64_t> instance,
             ByteView bytes);
  // NOT_FOUND; BLOB_CORRUPT: it is damaged, and is not served; IO_ERROR.
  Result<Bytes> Get(const std::string& job, std::optional<uint64_t> instance) const;
  bool Has(const std::string& job, std::optional<uint64_t> instance) const;
  void Forget(const std::string& job);

  std::vector<std::string> Jobs() const;
  uint64_t bytes() const;

 private:
  struct Entry {
    Digest digest;
    uint64_t size = 0;
    Bytes bytes;  // without a folder
  };
  struct Job {
    std::string tenant;
    uint64_t bytes = 0;
    std::map<std::string, Entry> entries;  // by instance, or "request"
  };

  DumpFiles(std::string folder, const Limits& limits);
  std::string FolderOf(const std::string& job) const { return folder_ + "/" + job; }
  std::string PathOf(const std::string& job, const std::string& name, const Digest& digest) const;
  Status Reserve(const std::string& job, const std::string& tenant, uint64_t bytes)
      WB_REQUIRES(mutex_);
  void GiveBack(const std::string& job, uint64_t bytes) WB_REQUIRES(mutex_);
  Status Write(const std::string& job, const std::string& name, const Digest& digest,
               ByteView bytes) const;
  void RestoreJob(const std::string& job, const std::string& tenant);

  const std::string folder_;
  const Limits limits_;
  mutable Mutex mutex_;
  RequestLedger ledger_ WB_GUARDED_BY(mutex_);
  std::map<std::string, Job> jobs_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
