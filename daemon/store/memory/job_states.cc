#include "daemon/store/memory/job_states.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "compiler/base/check.h"
#include "daemon/metrics/store_metrics.h"
#include "daemon/store/names.h"

namespace wb {
namespace {

using Moves = std::array<bool, kJobMoves>;

// In the order of JobState and of JobMove. A checkpointed job may leave as far as its state says;
// it leaves already, which is refused with words of its own.
constexpr std::array<Moves, kJobStates> kMoves = {{
    // cancel, leave, resume, follow, delete
    {true, true, false, true, false},    // queued
    {true, true, false, true, false},    // compiling
    {true, true, false, true, false},    // running
    {true, false, false, false, false},  // cancelling
    {false, false, false, false, true},  // succeeded
    {false, false, false, false, true},  // failed
    {false, false, false, false, true},  // cancelled
    {true, true, true, false, false},    // checkpointed
}};

JobState StateOfPhase(JobPhase phase) {
  switch (phase) {
    case JobPhase::kQueued: return JobState::kQueued;
    case JobPhase::kCompiling: return JobState::kCompiling;
    case JobPhase::kRunning: return JobState::kRunning;
    case JobPhase::kEnded: return JobState::kRunning;  // the end itself comes by Stop
  }
  return JobState::kQueued;
}

void SetForecast(const JobForecast& forecast, int64_t unix_ns, JobInfo* info) {
  info->instructions_per_second = forecast.instructions_per_second;
  info->eta.reset();
  if (!forecast.left) return;
  info->eta = {unix_ns + forecast.left->least.count(), unix_ns + forecast.left->most.count()};
}

Status HasEnded(const std::string& id) {
  return Status(Reason::kJobTerminal, "The job [" + JobName(id) + "] has already ended.",
                {{"resource", JobName(id)}});
}

}  // namespace

bool MayMove(JobState state, JobMove move) {
  return kMoves[static_cast<size_t>(state)][static_cast<size_t>(move)];
}

JobStates::JobStates(JobTable* table, std::function<int64_t()> now,
                     std::shared_ptr<StoreMetrics> metrics)
    : table_(*table), now_(std::move(now)), metrics_(std::move(metrics)) {}

JobInfo JobStates::Publish(const std::string& id) {
  JobRecord* record = table_.Find(id);
  WB_CHECK(record != nullptr);
  record->published = true;
  if (metrics_ != nullptr) metrics_->Created(record->info.request->tenant);
  return record->info;
}

Result<JobInfo> JobStates::Cancel(const std::string& id) {
  WB_ASSIGN(JobRecord * record, table_.Published(id));
  if (!MayMove(record->info.state, JobMove::kCancel)) return HasEnded(id);
  table_.SetState(record, JobState::kCancelling, now_());
  record->leaving = false;
  table_.NoteChanged(record);
  return record->info;
}

Status JobStates::Leave(const std::string& id) {
  WB_ASSIGN(JobRecord * record, table_.Published(id));
  if (!MayMove(record->info.state, JobMove::kLeave)) return HasEnded(id);
  if (record->leaving) {
    return Status(Reason::kInvalidArgument,
                  "The job [" + JobName(id) + "] is checkpointed already. Resume it first.",
                  {{"field", "name"}});
  }
  record->leaving = true;
  return {};
}

void JobStates::StayOn(const std::string& id) {
  if (JobRecord* record = table_.FindOpen(id)) record->leaving = false;
}

bool JobStates::IsLeaving(const std::string& id) const {
  const JobRecord* record = table_.Find(id);
  return record != nullptr && record->leaving;
}

Result<JobInfo> JobStates::Resume(const std::string& id, std::optional<Placement> placement) {
  WB_ASSIGN(JobRecord * record, table_.Published(id));
  JobInfo& info = record->info;
  if (!MayMove(info.state, JobMove::kResume)) {
    return Status(Reason::kInvalidArgument,
                  "The job [" + JobName(id) + "] is " + JobStateName(info.state) +
                      "; only a job that is checkpointed can be resumed.",
                  {{"field", "name"}});
  }
  if (placement && *placement != info.request->placement) {
    JobRequest request = *info.request;
    request.placement = *placement;
    info.request = std::make_shared<const JobRequest>(std::move(request));
  }
  record->leaving = false;
  table_.SetState(record, JobState::kQueued, now_());
  table_.NoteChanged(record);
  return info;
}

Result<JobRecord*> JobStates::Deletable(const std::string& id) {
  WB_ASSIGN(JobRecord * record, table_.Published(id));
  if (MayMove(record->info.state, JobMove::kDelete)) return record;
  return Status(Reason::kJobRunning, "The job [" + JobName(id) + "] has not ended.",
                {{"resource", JobName(id)}});
}

// A job that an earlier daemon has begun does not start again.
void JobStates::Enter(JobRecord* record, JobState state, int64_t unix_ns) {
  const std::vector<JobStateChange>& history = record->info.history;
  const auto ran = [](const JobStateChange& change) { return change.state == JobState::kRunning; };
  const bool starts =
      state == JobState::kRunning && std::none_of(history.begin(), history.end(), ran);
  const std::chrono::nanoseconds age(history.empty() ? 0 : unix_ns - history.front().unix_ns);
  table_.SetState(record, state, unix_ns);
  if (metrics_ == nullptr) return;
  if (starts) metrics_->Started(age);
  if (IsTerminal(state)) metrics_->Ended(record->info.request->tenant, JobStateName(state), age);
}

void JobStates::SetProgress(const std::string& id, const JobProgress& progress) {
  JobRecord* record = table_.FindOpen(id);
  if (record == nullptr) return;
  JobInfo& info = record->info;
  if (MayMove(info.state, JobMove::kFollow)) Enter(record, StateOfPhase(progress.phase), now_());
  info.waiting_for = progress.waiting_for;
  info.device = progress.device;
  info.placement_reason = progress.placement_reason;
  info.counts.running = progress.running;
  info.usage = progress.usage;
  SetForecast(progress.forecast, now_(), &info);
  table_.NoteChanged(record);
}

void JobStates::Stop(JobRecord* record, JobEnding ending, const JobUsage& usage, int64_t unix_ns) {
  Enter(record, ending.state, unix_ns);
  JobInfo& info = record->info;
  info.error = std::move(ending.error);
  info.usage = usage;
  SetForecast({}, unix_ns, &info);
  info.counts.running = 0;
  info.waiting_for.clear();
}

}  // namespace wb
