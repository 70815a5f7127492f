#pragma once

// DumpKeeper: what is kept of jobs for those who look at their instances later. It hears of traps
// as results come, makes the dumps that a job asked for (dump_on_trap), one at a time, and keeps
// what the job was given:
//   of a job with dump_on_trap from its beginning on,
//   of another from its first trap on, if its request is short (prepare_job.h).
// Dumps that were not made when the daemon ends are made when somebody asks for them.
//
// Threads: any.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/inspection/dump_files.h"
#include "daemon/store/job_store.h"
#include "scheduler/base/work_queue.h"
#include "scheduler/trace/inspector.h"

namespace wb {

class DumpKeeper : public std::enable_shared_from_this<DumpKeeper> {
 public:
  // A longer request of a job without dump_on_trap is not kept.
  // The job as it was given, to run an instance of it again. On the inspector's thread.
  using PlanOf = std::function<Result<JobPlan>(const Bytes& request)>;
  using MakeCore = std::function<Result<Bytes>(const JobInfo& job, const InspectedInstance&)>;
  struct Parts {
    std::unique_ptr<DumpFiles> files;
    Inspector* inspector = nullptr;  // outlives it
    PlanOf plan;
    MakeCore core;
  };
  explicit DumpKeeper(Parts parts);
  ~DumpKeeper();

  // JobIntake::WrapSink.
  std::shared_ptr<ResultSink> Wrap(const JobInfo& job,
                                   const std::shared_ptr<const SentRequest>& sent,
                                   std::shared_ptr<ResultSink> sink);
  // What the job was given. NOT_FOUND says why it is not there.
  Result<Bytes> RequestOf(const std::string& job) const;
  // A dump that was kept. NOT_FOUND; BLOB_CORRUPT; IO_ERROR.
  Result<Bytes> DumpOf(const std::string& job, uint64_t instance) const;

  void Restore(const JobStore& store);     // what an earlier daemon left
  void ForgetGone(const JobStore& store);  // now and then
  DumpFiles& files() { return *parts_.files; }

 private:
  friend class KeepingSink;
  struct Wanted {
    JobInfo job;
    uint64_t instance = 0;
    std::shared_ptr<const SentRequest> sent;
  };

  // From a job's sink: these have trapped.
  void Trapped(const JobInfo& job, const std::shared_ptr<const SentRequest>& sent,
               std::vector<uint64_t> instances);
  void Ended(const std::string& job);
  void KeepRequest(const std::string& job, const std::string& tenant, const SentRequest& sent);
  void MakeNext();
  void Made(const Wanted& wanted, Result<InspectedInstance> answer);

  Parts parts_;
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<const SentRequest>> open_ WB_GUARDED_BY(mutex_);
  std::deque<Wanted> wanted_ WB_GUARDED_BY(mutex_);
  bool is_making_ WB_GUARDED_BY(mutex_) = false;
  std::shared_ptr<void> question_ WB_GUARDED_BY(mutex_);
  WorkQueue work_{1};  // last: its thread uses all above
};

}  // namespace wb
