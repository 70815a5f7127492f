#include "daemon/inspection/dump_keeper.h"

#include <algorithm>
#include <utility>

#include "daemon/process/log.h"
#include "daemon/store/names.h"
#include "scheduler/base/quoted.h"
#include "scheduler/job/forwarding_sink.h"

namespace wb {

// Between a job and its sink: it hears of traps. All results pass at once.
class KeepingSink : public ForwardingSink {
 public:
  KeepingSink(std::shared_ptr<DumpKeeper> keeper, JobInfo job,
              std::shared_ptr<const SentRequest> sent, std::shared_ptr<ResultSink> behind)
      : ForwardingSink(std::move(behind)),
        keeper_(std::move(keeper)),
        job_(std::move(job)),
        sent_(std::move(sent)),
        wants_(job_.request->dump_on_trap) {}

  void OnResults(ResultBatch results) override {
    if ((wants_ > 0 || !has_trapped_) && results.count(End::kTrapped) > 0) Note(results);
    ForwardingSink::OnResults(std::move(results));
  }
  void OnEnd(Status status, bool cancelled, const JobUsage& usage) override {
    keeper_->Ended(job_.id);
    ForwardingSink::OnEnd(std::move(status), cancelled, usage);
  }

 private:
  void Note(const ResultBatch& results) {
    has_trapped_ = true;
    std::vector<uint64_t> instances;
    for (size_t run = 0; run < results.runs().size() && instances.size() < wants_; ++run) {
      const ResultBatch::Run& rows = results.runs()[run];
      if (results.shapes()[rows.shape].common.end != End::kTrapped) continue;
      for (size_t row = rows.row; row < results.EndOf(run) && instances.size() < wants_; ++row) {
        instances.push_back(results.instances()[row]);
      }
    }
    wants_ -= instances.size();
    keeper_->Trapped(job_, sent_, std::move(instances));
  }

  const std::shared_ptr<DumpKeeper> keeper_;
  const JobInfo job_;
  const std::shared_ptr<const SentRequest> sent_;
  size_t wants_;  // dumps; calls come one at a time
  bool has_trapped_ = false;
};

DumpKeeper::DumpKeeper(Parts parts) : parts_(std::move(parts)) {}

DumpKeeper::~DumpKeeper() { work_.Close(); }

std::shared_ptr<ResultSink> DumpKeeper::Wrap(const JobInfo& job,
                                             const std::shared_ptr<const SentRequest>& sent,
                                             std::shared_ptr<ResultSink> sink) {
  // What a session's instances began with is gone by then.
  const bool is_call = !job.request->session.empty();
  if (sent == nullptr || job.request->host_calls != nullptr || is_call) return sink;
  {
    MutexLock lock(mutex_);
    open_[job.id] = sent;
  }
  if (job.request->dump_on_trap > 0) {
    work_.Post([this, id = job.id, tenant = job.request->tenant, sent] {
      KeepRequest(id, tenant, *sent);
    });
  }
  return std::make_shared<KeepingSink>(shared_from_this(), job, sent, std::move(sink));
}

void DumpKeeper::KeepRequest(const std::string& job, const std::string& tenant,
                             const SentRequest& sent) {
  const Status kept = parts_.files->Put(job, tenant, std::nullopt, AsBytes(sent.whole));
  if (kept.ok()) return;
  Log(LogLevel::kWarning, "request_not_kept", {{"job", JobName(job)}, {"error", kept.message()}});
}

void DumpKeeper::Trapped(const JobInfo& job, const std::shared_ptr<const SentRequest>& sent,
                         std::vector<uint64_t> instances) {
  work_.Post([this, job, sent, instances = std::move(instances)] {
    KeepRequest(job.id, job.request->tenant, *sent);
    {
      MutexLock lock(mutex_);
      for (const uint64_t instance : instances) wanted_.push_back({job, instance, sent});
    }
    MakeNext();
  });
}

// What it was given is in the files by then, or is not kept.
void DumpKeeper::Ended(const std::string& job) {
  work_.Post([this, job] {
    MutexLock lock(mutex_);
    open_.erase(job);
  });
}

void DumpKeeper::MakeNext() {
  Wanted wanted;
  {
    MutexLock lock(mutex_);
    if (is_making_ || wanted_.empty()) return;
    is_making_ = true;
    wanted = std::move(wanted_.front());
    wanted_.pop_front();
  }
  Inspector::Question question;
  question.is_patient = true;
  question.instance = wanted.instance;
  question.plan = [plan = parts_.plan, sent = wanted.sent] {
    return plan(Bytes(sent->whole.begin(), sent->whole.end()));
  };
  question.request =
      [most = parts_.inspector->limits().dump_bytes](const JobPlan&) -> Result<InspectionRequest> {
    InspectionRequest request;
    request.state = true;
    request.max_state_bytes = most;
    return request;
  };
  question.done = [weak = weak_from_this(), wanted](Result<InspectedInstance> answer) {
    if (const std::shared_ptr<DumpKeeper> keeper = weak.lock()) {
      keeper->Made(wanted, std::move(answer));
    }
  };
  Result<std::shared_ptr<void>> asked = parts_.inspector->Ask(std::move(question));
  MutexLock lock(mutex_);
  if (asked.ok()) question_ = std::move(asked).value();
}

// On the inspector's thread.
void DumpKeeper::Made(const Wanted& wanted, Result<InspectedInstance> answer) {
  const std::string& id = wanted.job.id;
  Result<Bytes> core =
      answer.ok() ? parts_.core(wanted.job, *answer) : Result<Bytes>(answer.status());
  Status kept = core.status();
  if (core.ok()) {
    kept = parts_.files->Put(id, wanted.job.request->tenant, wanted.instance, *core);
  }
  if (!kept.ok()) {
    Log(LogLevel::kWarning, "dump_not_kept",
        {{"job", JobName(id)},
         {"instance", std::to_string(wanted.instance)},
         {"error", kept.message()}});
  }
  {
    MutexLock lock(mutex_);
    is_making_ = false;
  }
  work_.Post([this] { MakeNext(); });
}

Result<Bytes> DumpKeeper::RequestOf(const std::string& job) const {
  {
    MutexLock lock(mutex_);
    const auto open = open_.find(job);
    if (open != open_.end()) {
      const std::string& whole = open->second->whole;
      return Bytes(whole.begin(), whole.end());
    }
  }
  Result<Bytes> kept = parts_.files->Get(job, std::nullopt);
  if (kept.ok() || kept.status().reason() != Reason::kNotFound) return kept;
  return Status(Reason::kNotFound,
                "What the job " + Quoted(JobName(job)) +
                    " was given is not there any more, and no instance of it can run again. It is "
                    "kept of a job with dump_on_trap, and of one with a short request of which an "
                    "instance trapped.",
                {{"resource", JobName(job)}});
}

Result<Bytes> DumpKeeper::DumpOf(const std::string& job, uint64_t instance) const {
  return parts_.files->Get(job, instance);
}

void DumpKeeper::Restore(const JobStore& store) {
  parts_.files->Restore([&store](const std::string& job) -> std::optional<std::string> {
    const Result<JobInfo> info = store.Get(job);
    if (!info.ok()) return std::nullopt;
    return info->request->tenant;
  });
}

void DumpKeeper::ForgetGone(const JobStore& store) {
  for (const std::string& job : parts_.files->Jobs()) {
    if (!store.Get(job).ok()) parts_.files->Forget(job);
  }
}

}  // namespace wb
