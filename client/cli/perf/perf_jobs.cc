#include "client/cli/perf/perf_jobs.h"

#include <algorithm>
#include <random>

#include "client/cli/program/wat.h"
#include "client/request_id.h"
#include "client/services/jobs.h"
#include "client/services/modules.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr int kLongestJobSeconds = 60;

// A number of its own makes a module that nobody has compiled before.
std::string ModuleText(uint64_t number) {
  return R"((module
  (func (export "number") (result i64) (i64.const )" +
         std::to_string(number) + R"())
  (func (export "one") (param $n i64) (result i64) (local.get $n))
  (func (export "work") (param $n i64) (result i64)
    (local $x i64)
    (local.set $x (i64.const 88172645463325252))
    (loop $next
      (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 13))))
      (local.set $x (i64.mul (local.get $x) (i64.const 2685821657736338717)))
      (local.set $n (i64.sub (local.get $n) (i64.const 1)))
      (br_if $next (i64.gt_s (local.get $n) (i64.const 0))))
    (local.get $x)))
)";
}

// An interrupt may come when the daemon has made something whose name is not here yet. Asked again,
// the daemon answers with that name.
template <typename Message>
bool IsCancelled(const Result<Message>& made) {
  return made.status().code() == Code::kCancelled;
}

template <typename Message>
void RememberOne(const Result<Message>& made, std::vector<std::string>* names) {
  if (made.ok()) names->push_back(made->name());
}

bool HasEnded(v1::Job::State state) {
  return state == v1::Job::SUCCEEDED || state == v1::Job::FAILED || state == v1::Job::CANCELLED;
}

}  // namespace

PerfJobs::~PerfJobs() {
  for (const std::string& job : jobs_) {
    (void)CancelJob(*cleaner_, job);
    v1::WatchJobRequest request;
    request.set_name(job);
    (void)WatchJob(*cleaner_, request, [](const v1::JobEvent&) { return true; });
    (void)DeleteJob(*cleaner_, job);
  }
  for (const std::string& module : modules_) (void)DeleteModule(*cleaner_, module);
}

Result<std::string> PerfJobs::PushFreshModule() {
  std::random_device random;
  const uint64_t number = (uint64_t{random()} << 31 ^ random()) & INT64_MAX;
  WB_ASSIGN(const std::string wasm, AssembleWat(ModuleText(number), "check.wat"));
  Result<v1::Module> module = PushModule(client_, wasm);
  if (IsCancelled(module)) RememberOne(PushModule(*cleaner_, wasm), &modules_);
  WB_TRY(module.status());
  modules_.push_back(module->name());
  return module->name();
}

Result<v1::Job> PerfJobs::Create(const Wanted& wanted) {
  v1::CreateJobRequest request;
  v1::Job* job = request.mutable_job();
  job->set_module(wanted.module);
  job->set_instances(wanted.instances);
  job->set_placement(wanted.placement);
  job->mutable_limits()->mutable_max_total_time()->set_seconds(kLongestJobSeconds);
  v1::CallStep* call = job->add_steps()->mutable_call();
  call->set_function(wanted.function);
  call->add_args()->mutable_constant()->set_i64(wanted.argument);
  request.set_request_id(NewRequestId());
  Result<v1::Job> created = CreateJob(client_, request);
  if (IsCancelled(created)) RememberOne(CreateJob(*cleaner_, request), &jobs_);
  WB_TRY(created.status());
  jobs_.push_back(created->name());
  return created;
}

Result<v1::Job> PerfJobs::AwaitEnd(const std::string& name) {
  v1::WatchJobRequest request;
  request.set_name(name);
  v1::Job last;
  WB_TRY(WatchJob(client_, request, [&last](const v1::JobEvent& event) {
    if (event.has_job()) last = event.job();
    return !HasEnded(last.state());
  }));
  if (last.has_error()) return Status(Reason::kInternal, last.error().message());
  if (last.counts().returned() == last.counts().instances()) return last;
  if (last.counts().expired() > 0) {
    return Status(Reason::kDeadlineExceeded,
                  "A job was not done within " + std::to_string(kLongestJobSeconds) + " s.");
  }
  return Status(Reason::kInternal, "A job ended as " + v1::Job::State_Name(last.state()) +
                                       ", with " + std::to_string(last.counts().returned()) +
                                       " of " + std::to_string(last.counts().instances()) +
                                       " instances returned.");
}

Result<v1::Job> PerfJobs::Run(const Wanted& wanted) {
  WB_ASSIGN(const v1::Job job, Create(wanted));
  return AwaitEnd(job.name());
}

void PerfJobs::Forget(const std::string& job) {
  if (DeleteJob(client_, job).ok())
    jobs_.erase(std::remove(jobs_.begin(), jobs_.end(), job), jobs_.end());
}

}  // namespace wb::cli
