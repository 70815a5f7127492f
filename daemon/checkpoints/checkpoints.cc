#include "daemon/checkpoints/checkpoints.h"

#include <atomic>
#include <utility>
#include <vector>

#include "daemon/checkpoints/state_form.h"
#include "daemon/process/log.h"
#include "daemon/store/names.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

// Read from its file whenever the instance gets a seat.
class FileState final : public GivenState {
 public:
  FileState(std::shared_ptr<const StateFiles> files, std::string job, const StateHead& head)
      : GivenState(head.needs, head.fuel),
        files_(std::move(files)),
        job_(std::move(job)),
        instance_(head.instance),
        body_(head.body) {}
  Result<MovedLaneRef> Read() const override {
    WB_ASSIGN(const Bytes bytes, files_->Get(job_, instance_));
    WB_ASSIGN(MovedLaneRef state, DecodeState(bytes));
    WB_ASSIGN(const FoundHead found, DecodeStateHead(bytes));
    if (found.head.body == body_) return state;
    return Status(Reason::kBlobCorrupt, "Another state has taken the place of the instance's.");
  }

 private:
  const std::shared_ptr<const StateFiles> files_;
  const std::string job_;
  const uint64_t instance_;
  const Digest body_;
};

// Of what the job can go on with it.
Result<StateHead> UsableHead(const StateFiles& files, const JobInfo& job, uint64_t instance,
                             const std::string& compiler) {
  WB_ASSIGN(const Bytes begin, files.Begin(job.id, instance, kLongestStateHead + 64));
  WB_ASSIGN(FoundHead found, DecodeStateHead(begin));
  const StateHead& head = found.head;
  if (head.compiler != compiler) {
    return Status(Reason::kBlobCorrupt, "The state is of the version " + Quoted(head.compiler) +
                                            "; this is " + Quoted(compiler) + ".");
  }
  if (head.instance != instance || head.module != job.request->module) {
    return Status(Reason::kBlobCorrupt, "The state is of another instance or module.");
  }
  return head;
}

}  // namespace

class Checkpoints::Keeper final : public StateKeeper {
 public:
  // `owner`: null where the daemon ends.
  Keeper(const Parts& parts, const JobInfo& job, Checkpoints* owner, SteadyTime until)
      : files_(parts.files),
        compiler_(parts.compiler),
        job_(job.id),
        request_(job.request),
        owner_(owner),
        until_(until) {}

  Status Keep(const LeavingState& leaving) override {
    if (std::chrono::steady_clock::now() >= until_) {
      return Status(Reason::kDeadlineExceeded, "The daemon ends.");
    }
    const Bytes bytes = EncodeState(leaving, compiler_, request_->module);
    Status put = files_->Put(job_, request_->tenant, leaving.instance, bytes);
    if (!put.ok()) LogOnce(put);
    return put;
  }
  void OnLeft(const JobBefore& before) override {
    if (owner_ != nullptr) owner_->RememberLeft(job_, before);
  }

 private:
  void LogOnce(const Status& why) {
    if (has_failed_.exchange(true)) return;
    Log(LogLevel::kWarning, "state_not_kept", {{"job", job_}, {"error", why.message()}});
  }

  const std::shared_ptr<StateFiles> files_;
  const std::string compiler_;
  const std::string job_;
  const std::shared_ptr<const JobRequest> request_;
  Checkpoints* const owner_;
  const SteadyTime until_;
  std::atomic<bool> has_failed_{false};
};

Result<JobInfo> Checkpoints::Checkpoint(const std::string& id) {
  WB_ASSIGN(JobInfo job, parts_.store->Get(id));
  if (job.request->host_calls != nullptr) {
    return Status(Reason::kInvalidArgument,
                  "The caller of the job [" + JobName(id) +
                      "] answers its host calls, so that it cannot be checkpointed. Let it end, or "
                      "cancel it.",
                  {{"field", "name"}});
  }
  if (!job.request->session.empty()) {
    return Status(Reason::kInvalidArgument,
                  "The job [" + JobName(id) +
                      "] is a call of a session, which keeps what its instances come to. Let it "
                      "end, or cancel it.",
                  {{"field", "name"}});
  }
  // A job whose request is not kept could not go on.
  if (!IsTerminal(job.state)) WB_TRY(parts_.store->KeptRequest(id).status());
  WB_ASSIGN(job, parts_.store->MarkLeaving(id));
  const Status asked = parts_.scheduler->Checkpoint(
      job.number, std::make_shared<Keeper>(parts_, job, this, SteadyTime::max()));
  if (asked.ok() || asked.reason() == Reason::kNotFound) return parts_.store->Get(id);
  parts_.store->StayOn(id);
  return asked;
}

std::optional<JobBefore> Checkpoints::LeftOf(const std::string& id) const {
  const MutexLock lock(mutex_);
  const auto left = left_.find(id);
  if (left == left_.end()) return std::nullopt;
  return left->second;
}

void Checkpoints::RememberLeft(const std::string& id, JobBefore before) {
  const MutexLock lock(mutex_);
  left_[id] = std::move(before);
}

void Checkpoints::Resumed(const std::string& id) {
  const MutexLock lock(mutex_);
  left_.erase(id);
}

std::shared_ptr<const JobBefore> Checkpoints::BeginOf(const JobInfo& job, JobBefore before) const {
  auto begin = std::make_shared<JobBefore>(std::move(before));
  for (const uint64_t instance : parts_.files->InstancesOf(job.id)) {
    if (begin->finished.Contains(instance) || instance >= job.request->instances) continue;
    Result<StateHead> head = UsableHead(*parts_.files, job, instance, parts_.compiler);
    if (head.ok() && begin->midway.empty()) begin->midway_planned = head->planned;
    if (head.ok() && head->planned == begin->midway_planned) {
      begin->midway.push_back(
          {instance, head->attempt, std::make_shared<FileState>(parts_.files, job.id, *head)});
      continue;
    }
    ++begin->lost_states;
    if (begin->lost_states > 1) continue;
    Log(LogLevel::kWarning, "state_lost",
        {{"job", job.id},
         {"instance", std::to_string(instance)},
         {"error", head.ok() ? "It is of another plan." : head.status().message()}});
  }
  return begin;
}

Scheduler::KeeperOf Checkpoints::KeepersUntil(SteadyTime until) const {
  std::map<JobId, JobInfo> jobs;
  for (JobInfo& job : parts_.store->List(ActiveJobs(), "", SIZE_MAX).jobs) {
    jobs.emplace(job.number, std::move(job));
  }
  return [parts = parts_, jobs = std::move(jobs), until](JobId number) -> StateKeeperRef {
    const auto job = jobs.find(number);
    if (job == jobs.end()) return nullptr;
    return std::make_shared<Keeper>(parts, job->second, nullptr, until);
  };
}

void Checkpoints::Tick() {
  for (const std::string& id : parts_.files->Jobs()) {
    const Result<JobInfo> job = parts_.store->Get(id);
    const bool stays =
        job.ok() ? !IsTerminal(job->state) : job.status().reason() != Reason::kNotFound;
    if (!stays) parts_.files->Forget(id);
  }
  std::vector<std::string> left;
  {
    const MutexLock lock(mutex_);
    for (const auto& [id, before] : left_) left.push_back(id);
  }
  for (const std::string& id : left) {
    const Result<JobInfo> job = parts_.store->Get(id);
    if (!job.ok() || IsTerminal(job->state)) Resumed(id);
  }
}

}  // namespace wb
