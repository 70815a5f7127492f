#include "daemon/store/memory_job_store.h"

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"
#include "daemon/store/names.h"

namespace wb {
namespace {

JobState StateOfPhase(JobPhase phase) {
  switch (phase) {
    case JobPhase::kQueued: return JobState::kQueued;
    case JobPhase::kCompiling: return JobState::kCompiling;
    case JobPhase::kRunning: return JobState::kRunning;
    case JobPhase::kEnded: return JobState::kRunning;  // the end itself comes by SetEnd
  }
  return JobState::kQueued;
}

}  // namespace

Status MemoryJobStore::NoSuchJob(const std::string& id) {
  return Status(Reason::kNotFound, "There is no job [" + JobName(id) + "].",
                {{"resource_type", "job"}, {"resource", JobName(id)}});
}

bool IsTerminal(JobState state) {
  return state == JobState::kSucceeded || state == JobState::kFailed ||
         state == JobState::kCancelled;
}

MemoryJobStore::MemoryJobStore(const JobStoreLimits& limits, std::function<int64_t()> now)
    : limits_(limits),
      now_(std::move(now)),
      ledger_(limits.results),
      requests_(limits.max_request_bytes, RequestWords()),
      inputs_(limits.max_input_bytes, InputWords()),
      random_(std::random_device{}()) {}

MemoryJobStore::~MemoryJobStore() = default;

std::string MemoryJobStore::NewId() {
  // Never earlier than the last one, so that ids sort by creation whatever the clock does.
  uint64_t ms = std::max(static_cast<uint64_t>(now_()) / 1'000'000, last_ms_ + 1);
  last_ms_ = ms;
  return MakeJobId(ms, static_cast<uint16_t>(random_()), random_());
}

MemoryJobStore::Record* MemoryJobStore::Find(const std::string& id) {
  auto at = jobs_.find(id);
  return at == jobs_.end() ? nullptr : &at->second;
}

const MemoryJobStore::Record* MemoryJobStore::Find(const std::string& id) const {
  auto at = jobs_.find(id);
  return at == jobs_.end() ? nullptr : &at->second;
}

void MemoryJobStore::Changed(Record* record) {
  ++record->info.version;
  std::lock_guard lock(record->listeners->mutex);
  for (const auto& call : record->listeners->calls) call();
}

bool MemoryJobStore::HasListeners(const Record& record) {
  std::lock_guard lock(record.listeners->mutex);
  return !record.listeners->calls.empty();
}

void MemoryJobStore::SetState(Record* record, JobState state) {
  if (record->info.state == state) return;
  record->info.state = state;
  record->info.history.push_back({state, now_()});
}

JobInfo MemoryJobStore::Publish(const std::string& id) {
  std::lock_guard lock(mutex_);
  Record* record = Find(id);
  WB_CHECK(record != nullptr);
  record->published = true;
  return record->info;
}

void MemoryJobStore::Discard(const std::string& id) {
  std::lock_guard lock(mutex_);
  auto at = jobs_.find(id);
  if (at != jobs_.end()) Erase(at);
}

void MemoryJobStore::Erase(std::map<std::string, Record>::iterator at) {
  Record& record = at->second;
  by_request_id_.erase(record.info.request->request_id);
  if (!IsTerminal(record.info.state)) DropRequest(*record.info.request);
  kept_request_bytes_ -= record.kept_request_bytes;
  Changed(&record);
  jobs_.erase(at);
}

Result<JobInfo> MemoryJobStore::Get(const std::string& id) const {
  std::lock_guard lock(mutex_);
  const Record* record = Find(id);
  if (record == nullptr || !record->published) return NoSuchJob(id);
  return InfoOf(*record);
}

// The scheduler knows only that a job has no room; the results say why.
JobInfo MemoryJobStore::InfoOf(const Record& record) const {
  JobInfo info = record.info;
  NoteHeldByResults(record, &info);
  if (!info.held_by_results.empty()) info.waiting_for = info.held_by_results;
  return info;
}

JobPage MemoryJobStore::List(uint32_t states, const std::string& after, size_t limit) const {
  std::lock_guard lock(mutex_);
  JobPage page;
  auto at = after.empty() ? jobs_.end() : jobs_.lower_bound(after);
  while (at != jobs_.begin()) {
    --at;
    const Record& record = at->second;
    if (!record.published || (states >> static_cast<uint32_t>(record.info.state) & 1) == 0) {
      continue;
    }
    if (page.jobs.size() == limit) {
      page.more = true;
      break;
    }
    page.jobs.push_back(InfoOf(record));
  }
  return page;
}

Result<JobInfo> MemoryJobStore::MarkCancelling(const std::string& id) {
  std::lock_guard lock(mutex_);
  Record* record = Find(id);
  if (record == nullptr || !record->published) return NoSuchJob(id);
  if (IsTerminal(record->info.state)) {
    return Status(Reason::kJobTerminal, "The job [" + JobName(id) + "] has already ended.",
                  {{"resource", JobName(id)}});
  }
  SetState(record, JobState::kCancelling);
  Changed(record);
  return record->info;
}

Status MemoryJobStore::Delete(const std::string& id) {
  std::lock_guard lock(mutex_);
  auto at = jobs_.find(id);
  if (at == jobs_.end() || !at->second.published) return NoSuchJob(id);
  if (!IsTerminal(at->second.info.state)) {
    return Status(Reason::kJobRunning, "The job [" + JobName(id) + "] has not ended.",
                  {{"resource", JobName(id)}});
  }
  Erase(at);
  return {};
}

void MemoryJobStore::SetProgress(const std::string& id, const JobProgress& progress) {
  std::lock_guard lock(mutex_);
  Record* record = Find(id);
  if (record == nullptr || IsTerminal(record->info.state)) return;
  if (record->info.state != JobState::kCancelling) SetState(record, StateOfPhase(progress.phase));
  record->info.waiting_for = progress.waiting_for;
  record->info.device = progress.device;
  record->info.placement_reason = progress.placement_reason;
  record->info.counts.running = progress.running;
  record->info.usage = progress.usage;
  Changed(record);
}

void MemoryJobStore::SetEnd(const std::string& id, Status status, bool cancelled,
                            const JobUsage& usage) {
  std::lock_guard lock(mutex_);
  Record* record = Find(id);
  if (record == nullptr || IsTerminal(record->info.state)) return;
  uint64_t lost = record->info.counts.by_end[static_cast<size_t>(End::kFailed)];
  if (status.ok() && !cancelled && lost > 0) {
    status = Status(Reason::kDeviceLost,
                    "For [" + std::to_string(lost) + "] instances no engine could give a result.");
  }
  JobState state = cancelled ? JobState::kCancelled : JobState::kSucceeded;
  if (!status.ok()) state = JobState::kFailed;
  SetState(record, state);
  record->results->Release(UINT64_MAX);
  LetGiveWay(record);
  record->info.error = std::move(status);
  record->info.usage = usage;
  record->info.counts.running = 0;
  record->info.waiting_for.clear();
  record->info.expire_unix_ns = now_() + limits_.ttl_ns;
  KeepShownOfRequest(record);
  Changed(record);
  ForgetBeyondBound();
}

Result<std::shared_ptr<void>> MemoryJobStore::Subscribe(const std::string& id,
                                                        std::function<void()> changed) {
  std::lock_guard lock(mutex_);
  Record* record = Find(id);
  if (record == nullptr || !record->published) return NoSuchJob(id);
  std::shared_ptr<Listeners> listeners = record->listeners;
  record->results->KeepForReader();
  std::lock_guard listeners_lock(listeners->mutex);
  auto at = listeners->calls.insert(listeners->calls.end(), std::move(changed));
  return std::shared_ptr<void>(nullptr, [listeners, at](void*) {
    std::lock_guard handle_lock(listeners->mutex);
    listeners->calls.erase(at);
  });
}

void MemoryJobStore::Expire() {
  std::lock_guard lock(mutex_);
  int64_t now = now_();
  for (auto at = jobs_.begin(); at != jobs_.end();) {
    auto here = at++;
    LetGiveWay(&here->second);
    const JobInfo& info = here->second.info;
    if (IsTerminal(info.state) && info.expire_unix_ns <= now) Erase(here);
  }
}

uint64_t MemoryJobStore::job_count() const {
  std::lock_guard lock(mutex_);
  return jobs_.size();
}

uint64_t MemoryJobStore::request_bytes() const {
  std::lock_guard lock(mutex_);
  return requests_.bytes() + kept_request_bytes_;
}

uint64_t MemoryJobStore::result_bytes() const {
  std::lock_guard lock(mutex_);
  return ledger_.bytes();
}

}  // namespace wb
