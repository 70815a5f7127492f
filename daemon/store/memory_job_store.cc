#include "daemon/store/memory_job_store.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/base/check.h"
#include "daemon/metrics/store_metrics.h"
#include "daemon/store/names.h"
#include "daemon/store/result_positions.h"

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

void SetForecast(const JobForecast& forecast, int64_t unix_ns, JobInfo* info) {
  info->instructions_per_second = forecast.instructions_per_second;
  info->eta.reset();
  if (!forecast.left) return;
  info->eta = {unix_ns + forecast.left->least.count(), unix_ns + forecast.left->most.count()};
}

}  // namespace

bool IsTerminal(JobState state) {
  return state == JobState::kSucceeded || state == JobState::kFailed ||
         state == JobState::kCancelled;
}

std::string JobStateName(JobState state) {
  switch (state) {
    case JobState::kQueued: return "queued";
    case JobState::kCompiling: return "compiling";
    case JobState::kRunning: return "running";
    case JobState::kCancelling: return "cancelling";
    case JobState::kSucceeded: return "succeeded";
    case JobState::kFailed: return "failed";
    case JobState::kCancelled: return "cancelled";
    case JobState::kCheckpointed: return "checkpointed";
  }
  return "queued";
}

// The lock of a method that may change jobs: their listeners are called after it.
class WB_THREAD_ATTRIBUTE(scoped_lockable) MemoryJobStore::Change {
 public:
  explicit Change(MemoryJobStore* store) WB_THREAD_ATTRIBUTE(acquire_capability(store->mutex_))
      : store_(*store) {
    store_.mutex_.Lock();
  }
  ~Change() WB_THREAD_ATTRIBUTE(release_capability()) {
    const std::vector<std::shared_ptr<JobListeners>> changed = store_.table_.TakeChanged();
    store_.mutex_.Unlock();
    for (const std::shared_ptr<JobListeners>& listeners : changed) listeners->Call();
  }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

 private:
  MemoryJobStore& store_;
};

MemoryJobStore::MemoryJobStore(const JobStoreLimits& limits, std::function<int64_t()> now,
                               std::shared_ptr<StoreMetrics> metrics)
    : limits_(limits),
      now_(now),
      metrics_(std::move(metrics)),
      ledger_(limits.results),
      requests_(limits.max_request_bytes, limits.max_input_bytes),
      table_(std::move(now)),
      room_(&ledger_, &table_) {}

Result<JobStore::Created> MemoryJobStore::Create(JobRequest request) {
  Change change(this);
  WB_ASSIGN(std::optional<JobInfo> first, table_.FindRepeated(request));
  if (first) return Created{std::move(*first), true};
  const size_t jobs = table_.records().size();
  if (jobs >= limits_.max_jobs && !ForgetOneEnded()) {
    return Status(Reason::kQueueFull,
                  "The daemon has [" + std::to_string(jobs) +
                      "] jobs that have not ended, the most that jobs.max_jobs allows.");
  }
  WB_TRY(requests_.Hold(request));
  return Created{Insert(table_.NewInfo(std::move(request))).info, false};
}

JobRecord& MemoryJobStore::Insert(JobInfo info) {
  JobRecord& record = table_.Insert(std::move(info));
  const JobRequest& request = *record.info.request;
  std::function<void(uint64_t, uint64_t)> dropped;
  if (observer_.dropped) {
    dropped = [this, id = record.info.id](uint64_t from, uint64_t before) {
      observer_.dropped(id, from, before);
    };
  }
  record.results =
      std::make_unique<JobResults>(&ledger_, request.tenant, request.most_result_bytes,
                                   request.most_part_bytes, std::move(dropped), request.group);
  return record;
}

JobInfo MemoryJobStore::Publish(const std::string& id) {
  MutexLock lock(mutex_);
  JobRecord* record = table_.Find(id);
  WB_CHECK(record != nullptr);
  record->published = true;
  if (metrics_ != nullptr) metrics_->Created(record->info.request->tenant);
  return record->info;
}

void MemoryJobStore::Discard(const std::string& id) {
  Change change(this);
  if (JobRecord* record = table_.Find(id)) Forget(record);
}

void MemoryJobStore::Forget(JobRecord* record) {
  const std::string id = record->info.id;
  requests_.Drop(*record);
  table_.Erase(id);
  if (observer_.forgotten) observer_.forgotten(id);
}

bool MemoryJobStore::ForgetOneEnded() {
  JobRecord* record = table_.FirstToForget();
  if (record != nullptr) Forget(record);
  return record != nullptr;
}

Result<JobInfo> MemoryJobStore::Get(const std::string& id) const {
  MutexLock lock(mutex_);
  WB_ASSIGN(const JobRecord* record, table_.Published(id));
  return InfoOf(*record);
}

Result<JobInfo> MemoryJobStore::Known(const std::string& id) const {
  MutexLock lock(mutex_);
  WB_ASSIGN(const JobRecord* record, table_.Known(id));
  return InfoOf(*record);
}

// The scheduler knows only that a job has no room; the results say why.
JobInfo MemoryJobStore::InfoOf(const JobRecord& record) const {
  JobInfo info = record.info;
  room_.NoteHeldByResults(record, &info);
  if (!info.held_by_results.empty()) info.waiting_for = info.held_by_results;
  return info;
}

namespace {

bool IsIn(const JobFilter& filter, const JobRecord& record) {
  const JobInfo& info = record.info;
  return record.published && (filter.states >> static_cast<uint32_t>(info.state) & 1) != 0 &&
         (!filter.tenant || info.request->tenant == *filter.tenant);
}

}  // namespace

JobPage MemoryJobStore::List(const JobFilter& filter, const std::string& after,
                             size_t limit) const {
  MutexLock lock(mutex_);
  const JobRecords& records = table_.records();
  JobPage page;
  auto at = after.empty() ? records.end() : records.lower_bound(after);
  while (at != records.begin()) {
    --at;
    const JobRecord& record = at->second;
    if (!IsIn(filter, record)) continue;
    if (page.jobs.size() == limit) {
      page.more = true;
      break;
    }
    page.jobs.push_back(InfoOf(record));
  }
  return page;
}

Result<JobInfo> MemoryJobStore::MarkCancelling(const std::string& id) {
  Change change(this);
  WB_ASSIGN(JobRecord * record, table_.Published(id));
  if (IsTerminal(record->info.state)) {
    return Status(Reason::kJobTerminal, "The job [" + JobName(id) + "] has already ended.",
                  {{"resource", JobName(id)}});
  }
  table_.SetState(record, JobState::kCancelling);
  record->leaving = false;
  table_.NoteChanged(record);
  return record->info;
}

Result<JobInfo> MemoryJobStore::MarkLeaving(const std::string& id) {
  MutexLock lock(mutex_);
  WB_ASSIGN(JobRecord * record, table_.Published(id));
  if (IsTerminal(record->info.state) || record->info.state == JobState::kCancelling) {
    return Status(Reason::kJobTerminal, "The job [" + JobName(id) + "] has already ended.",
                  {{"resource", JobName(id)}});
  }
  if (record->leaving) {
    return Status(Reason::kInvalidArgument,
                  "The job [" + JobName(id) + "] is checkpointed already. Resume it first.",
                  {{"field", "name"}});
  }
  record->leaving = true;
  return InfoOf(*record);
}

void MemoryJobStore::StayOn(const std::string& id) {
  MutexLock lock(mutex_);
  if (JobRecord* record = table_.FindOpen(id)) record->leaving = false;
}

bool MemoryJobStore::IsLeaving(const std::string& id) const {
  MutexLock lock(mutex_);
  const auto at = table_.records().find(id);
  return at != table_.records().end() && at->second.leaving;
}

Result<JobInfo> MemoryJobStore::MarkResumed(const std::string& id,
                                            std::optional<Placement> placement) {
  Change change(this);
  WB_ASSIGN(JobRecord * record, table_.Published(id));
  JobInfo& info = record->info;
  if (info.state != JobState::kCheckpointed) {
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
  table_.SetState(record, JobState::kQueued);
  table_.NoteChanged(record);
  return info;
}

Status MemoryJobStore::Delete(const std::string& id) {
  Change change(this);
  WB_ASSIGN(JobRecord * record, table_.Published(id));
  if (!IsTerminal(record->info.state)) {
    return Status(Reason::kJobRunning, "The job [" + JobName(id) + "] has not ended.",
                  {{"resource", JobName(id)}});
  }
  Forget(record);
  return {};
}

uint64_t MemoryJobStore::Room(const std::string& id) const {
  MutexLock lock(mutex_);
  const auto at = table_.records().find(id);
  return at == table_.records().end() ? 0 : at->second.results->Room();
}

uint64_t MemoryJobStore::Reserve(const std::string& id, uint64_t instances) {
  MutexLock lock(mutex_);
  JobRecord* record = table_.FindOpen(id);
  return record == nullptr ? 0 : record->results->Reserve(instances);
}

void MemoryJobStore::Release(const std::string& id, uint64_t instances) {
  MutexLock lock(mutex_);
  if (JobRecord* record = table_.FindOpen(id)) record->results->Release(instances);
}

uint64_t MemoryJobStore::WholeRoom(const std::string& id) const {
  MutexLock lock(mutex_);
  const auto at = table_.records().find(id);
  return at == table_.records().end() ? 0 : at->second.results->WholeRoom();
}

uint64_t MemoryJobStore::Widen(const std::string& id, uint64_t instances) {
  MutexLock lock(mutex_);
  JobRecord* record = table_.FindOpen(id);
  return record == nullptr ? 0 : record->results->Widen(instances);
}

void MemoryJobStore::Narrow(const std::string& id, uint64_t instances) {
  MutexLock lock(mutex_);
  if (JobRecord* record = table_.FindOpen(id)) record->results->Narrow(instances);
}

void MemoryJobStore::AddEnds(JobRecord* record, size_t end, uint64_t count) {
  record->info.counts.by_end[end] += count;
  if (metrics_ != nullptr && count > 0) metrics_->InstancesEnded(static_cast<End>(end), count);
}

// A job that an earlier daemon has begun does not start again.
void MemoryJobStore::NoteState(JobRecord* record, JobState state, int64_t unix_ns) {
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

// After results have come to the record.
void MemoryJobStore::NoteArrival(JobRecord* record, uint64_t results) {
  JobCounts& counts = record->info.counts;
  counts.finished += results;
  counts.running -= std::min(counts.running, results);
  room_.MakeRoom(record->info.request->tenant);
  table_.NoteChanged(record);
}

void MemoryJobStore::AppendResults(const std::string& id, ResultBatch results) {
  if (results.empty()) return;
  Change change(this);
  JobRecord* record = table_.FindOpen(id);
  if (record == nullptr) return;
  for (size_t end = 0; end < kEnds; ++end) {
    AddEnds(record, end, results.count(static_cast<End>(end)));
  }
  const uint64_t count = results.size();
  record->results->Append(std::move(results));
  NoteArrival(record, count);
}

void MemoryJobStore::AppendEnded(const std::string& id, const EndedRange& range) {
  Change change(this);
  JobRecord* record = table_.FindOpen(id);
  if (record == nullptr || range.count == 0) return;
  AddEnds(record, static_cast<size_t>(range.end), range.count);
  record->results->Append(range);
  NoteArrival(record, range.count);
}

void MemoryJobStore::SetProgress(const std::string& id, const JobProgress& progress) {
  Change change(this);
  JobRecord* record = table_.FindOpen(id);
  if (record == nullptr) return;
  const JobState state = record->info.state;
  if (state != JobState::kCancelling && state != JobState::kCheckpointed) {
    NoteState(record, StateOfPhase(progress.phase), now_());
  }
  record->info.waiting_for = progress.waiting_for;
  record->info.device = progress.device;
  record->info.placement_reason = progress.placement_reason;
  record->info.counts.running = progress.running;
  record->info.usage = progress.usage;
  SetForecast(progress.forecast, now_(), &record->info);
  table_.NoteChanged(record);
}

JobEnding EndingOf(Status status, bool cancelled, bool leaving, const JobCounts& counts) {
  const uint64_t lost = counts.by_end[static_cast<size_t>(End::kFailed)];
  if (status.ok() && !cancelled && lost > 0) {
    status = Status(Reason::kDeviceLost,
                    "For [" + std::to_string(lost) + "] instances no engine could give a result.");
  }
  const JobState stopped = leaving ? JobState::kCheckpointed : JobState::kCancelled;
  const JobState good = cancelled ? stopped : JobState::kSucceeded;
  const JobState state = status.ok() ? good : JobState::kFailed;
  return {state, std::move(status)};
}

void MemoryJobStore::SetEnd(const std::string& id, Status status, bool cancelled,
                            const JobUsage& usage) {
  SetEndAt(id, std::move(status), cancelled, usage, now_());
}

// No scheduler has the job any more.
void MemoryJobStore::NoteStopped(JobRecord* record, JobEnding ending, const JobUsage& usage,
                                 int64_t unix_ns) {
  NoteState(record, ending.state, unix_ns);
  record->results->Release(UINT64_MAX);
  record->results->Narrow(UINT64_MAX);
  record->info.error = std::move(ending.error);
  record->info.usage = usage;
  SetForecast({}, unix_ns, &record->info);
  record->info.counts.running = 0;
  record->info.waiting_for.clear();
}

void MemoryJobStore::SetEndAt(const std::string& id, Status status, bool cancelled,
                              const JobUsage& usage, int64_t unix_ns) {
  Change change(this);
  JobRecord* record = table_.FindOpen(id);
  if (record == nullptr) return;
  JobEnding ending = EndingOf(std::move(status), cancelled, record->leaving, record->info.counts);
  const bool has_ended = IsTerminal(ending.state);
  NoteStopped(record, std::move(ending), usage, unix_ns);
  if (!has_ended) return table_.NoteChanged(record);
  ResultRoom::LetGiveWay(record);
  record->info.expire_unix_ns = unix_ns + limits_.ttl_ns;
  requests_.KeepShown(record);
  table_.NoteChanged(record);
  // `record` may be one of those that go.
  while (requests_.IsOver() && ForgetOneEnded()) {
  }
}

Result<std::string> MemoryJobStore::KeptRequest(const std::string& id) const {
  MutexLock lock(mutex_);
  WB_ASSIGN(const JobRecord* record, table_.Published(id));
  const std::shared_ptr<const SentRequest>& sent = record->info.request->sent;
  if (sent == nullptr || sent->whole.empty()) return RequestIsGone(id);
  return sent->whole;
}

Result<ResultRow> MemoryJobStore::Read(const std::string& id, uint64_t position,
                                       ReadBound bound) const {
  MutexLock lock(mutex_);
  WB_ASSIGN(const JobRecord* record, table_.Published(id));
  WB_TRY(CheckReadPosition(PlacesOf(*record), position));
  ResultRow row = record->results->Read(position, bound);
  row.last = IsTerminal(record->info.state) && row.available == 0;
  return row;
}

Result<bool> MemoryJobStore::Acknowledge(const std::string& id, uint64_t position) {
  MutexLock lock(mutex_);
  WB_ASSIGN(JobRecord * record, table_.Published(id));
  WB_TRY(CheckAcknowledgedPosition(PlacesOf(*record), position));
  JobResults& results = *record->results;
  const uint64_t before = results.Room();
  const uint64_t whole_before = results.WholeRoom();
  results.Acknowledge(position);
  ResultRoom::LetGiveWay(record);
  const bool has_more = results.Room() > before || results.WholeRoom() > whole_before;
  return !IsTerminal(record->info.state) && has_more;
}

// Under the lock, so that its results do not give way before the listener is there.
Result<std::shared_ptr<void>> MemoryJobStore::Subscribe(const std::string& id,
                                                        std::function<void()> changed) {
  MutexLock lock(mutex_);
  WB_ASSIGN(JobRecord * record, table_.Published(id));
  record->results->KeepForReader();
  return record->listeners->Add(std::move(changed));
}

void MemoryJobStore::Expire() {
  Change change(this);
  const int64_t now = now_();
  JobRecords& records = table_.records();
  for (auto at = records.begin(); at != records.end();) {
    JobRecord* record = &(at++)->second;
    ResultRoom::LetGiveWay(record);
    if (IsTerminal(record->info.state) && record->info.expire_unix_ns <= now) Forget(record);
  }
}

void MemoryJobStore::Observe(Observer observer) { observer_ = std::move(observer); }

Result<JobInfo> MemoryJobStore::Restore(JobInfo info, uint64_t oldest,
                                        const std::vector<StoredResults>& before) {
  Change change(this);
  WB_TRY(requests_.Hold(*info.request));
  JobRecord& record = Insert(std::move(info));
  record.published = true;
  record.results->BeginAt(oldest);
  for (const StoredResults& stored : before) record.results->Append(stored);
  record.leaving = record.info.state == JobState::kCheckpointed;
  if (IsTerminal(record.info.state)) {
    ResultRoom::LetGiveWay(&record);
    requests_.KeepShown(&record);
  }
  return record.info;
}

void MemoryJobStore::AppendStored(const std::string& id, const std::vector<StoredResults>& stored,
                                  const JobCounts& counts) {
  Change change(this);
  JobRecord* record = table_.FindOpen(id);
  if (record == nullptr) return;
  uint64_t count = 0;
  for (const StoredResults& results : stored) {
    record->results->Append(results);
    count += results.count;
  }
  for (size_t end = 0; end < kEnds; ++end) {
    AddEnds(record, end, counts.by_end[end] - record->info.counts.by_end[end]);
  }
  NoteArrival(record, count);
}

Result<MemoryJobStore::Found> MemoryJobStore::Find(const std::string& id, uint64_t position) const {
  MutexLock lock(mutex_);
  WB_ASSIGN(const JobRecord* record, table_.Published(id));
  WB_TRY(CheckReadPosition(PlacesOf(*record), position));
  Found found;
  found.next = record->results->next();
  found.has_ended = IsTerminal(record->info.state);
  if (position < found.next) found.place = record->results->PlaceOf(position);
  return found;
}

JobStoreFigures MemoryJobStore::Figures() const {
  MutexLock lock(mutex_);
  return {table_.records().size(), ledger_.bytes(), requests_.bytes(), table_.by_state()};
}

}  // namespace wb
