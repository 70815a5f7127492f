#include "daemon/store/durable/durable_job_store.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "daemon/database/result_block.h"
#include "daemon/metrics/store_metrics.h"
#include "daemon/process/fail_point.h"
#include "daemon/process/log.h"
#include "daemon/store/durable/instance_text.h"
#include "daemon/store/durable/merge_results.h"

namespace wb {
namespace {

// Of a block that is read; more of a long range are read the next time.
constexpr uint64_t kMostRead = 4096;

ResultLimits MemoryLimits(uint64_t max_bytes) {
  ResultLimits limits;
  limits.max_bytes = max_bytes;
  limits.max_job_bytes = max_bytes / 4;
  return limits;
}

JobEvent EventOf(JobEventKind kind, const std::string& id) {
  JobEvent event;
  event.kind = kind;
  event.id = id;
  return event;
}

// A job that has ended is shown with what it lost to others.
void NoteResults(const std::vector<BlockHead>& blocks, LoadedJob* job) {
  job->oldest = job->record.totals.counts.finished;
  for (const BlockHead& block : blocks) {
    if (block.bytes == 0) continue;
    if (job->results.empty()) job->oldest = block.first;
    job->results.push_back({block.count, 0, block.bytes, 0});
  }
  if (IsTerminal(job->record.info.state)) job->record.info.results_dropped = job->oldest;
}

}  // namespace

DurableJobStore::DurableJobStore(std::unique_ptr<DurableStore> store, const Limits& limits,
                                 std::function<int64_t()> now,
                                 std::shared_ptr<StoreMetrics> metrics,
                                 std::shared_ptr<DiskAlarm> alarm)
    : store_(std::move(store)),
      limits_(limits),
      now_(now),
      metrics_(metrics),
      alarm_(std::move(alarm)),
      book_(limits.jobs, std::move(now), std::move(metrics)),
      cache_(limits.max_memory_bytes / 4),
      // A short job may have ended before it is published.
      changes_([this](const std::string& id) { return book_.Known(id); }),
      ledger_(MemoryLimits(limits.max_memory_bytes)),
      commits_([this](std::vector<JobEvent>* events) { Commit(events); }) {
  MemoryJobStore::Observer observer;
  observer.forgotten = [this](const std::string& id) {
    commits_.Post(EventOf(JobEventKind::kForgotten, id));
  };
  observer.dropped = [this](const std::string& id, uint64_t from, uint64_t before) {
    JobEvent event = EventOf(JobEventKind::kDropped, id);
    event.from = from;
    event.before = before;
    commits_.Post(std::move(event));
  };
  book_.Observe(std::move(observer));
}

void DurableJobStore::Listen(StoreListener listener) {
  const MutexLock lock(listener_mutex_);
  listener_ = std::move(listener);
}

void DurableJobStore::Suspend() { suspended_ = true; }

Status DurableJobStore::Load(const std::function<void(LoadedJob)>& visit) {
  return store_->LoadJobs([&visit](JobRow row, std::vector<BlockHead> blocks) -> Status {
    Result<DurableRecord> record = DecodeRecord(row.record);
    if (!record.ok()) {
      Log(LogLevel::kError, "job_damaged", {{"job", row.id}, {"error", record.status().message()}});
      return {};
    }
    LoadedJob job;
    job.record = std::move(record).value();
    job.record.info.id = row.id;
    job.sent = {std::move(row.request), std::move(row.shown)};
    NoteResults(blocks, &job);
    // Of an ended job nobody asks; there may be hundreds of millions.
    for (const BlockHead& block : blocks) {
      if (!row.ended) WB_TRY(AddInstances(block.instances, &job.finished));
    }
    visit(std::move(job));
    return {};
  });
}

Result<JobInfo> DurableJobStore::Restore(const LoadedJob& job, JobRequest request) {
  DurableRecord record = job.record;
  const bool ended = IsTerminal(record.info.state);
  request.sent = nullptr;
  request.request_id = record.request_id;
  request.body = record.body;
  JobInfo info = record.info;
  const bool is_left = info.state == JobState::kCheckpointed;
  if (info.state != JobState::kCancelling && !is_left && !ended) info.state = JobState::kQueued;
  if (!ended) info.waiting_for.clear();
  info.counts = record.totals.counts;
  info.request = std::make_shared<const JobRequest>(std::move(request));
  WB_ASSIGN(JobInfo restored, book_.Restore(std::move(info), job.oldest, job.results));
  if (ended) return restored;
  if (!is_left) OpenJob(restored, record.info.usage);
  JobEvent event = EventOf(JobEventKind::kRestored, restored.id);
  if (!is_left) ++record.attempt;
  event.record = std::move(record);
  commits_.Post(std::move(event));
  return restored;
}

void DurableJobStore::OpenJob(const JobInfo& job, const JobUsage& before) {
  const MutexLock lock(mutex_);
  Open& open = open_[job.id];
  open.number = job.number;
  open.memory =
      std::make_unique<ResultAccount>(&ledger_, job.request->tenant, job.request->most_result_bytes,
                                      job.request->most_part_bytes, job.request->group);
  open.before = before;
}

void DurableJobStore::CloseJob(const std::string& id) {
  const MutexLock lock(mutex_);
  open_.erase(id);
}

Result<JobStore::Created> DurableJobStore::Create(JobRequest request) {
  JobEvent event = EventOf(JobEventKind::kCreated, "");
  event.sent = std::exchange(request.sent, nullptr);
  if (event.sent == nullptr) event.sent = std::make_shared<const SentRequest>();
  WB_ASSIGN(Created created, book_.Create(std::move(request)));
  if (created.existed) return created;
  event.id = created.job.id;
  event.record.info = created.job;
  event.record.body = created.job.request->body;
  event.record.request_id = created.job.request->request_id;
  OpenJob(created.job, {});
  Status committed = alarm_ == nullptr ? Status() : alarm_->Admit();
  if (committed.ok()) committed = commits_.Flush(std::move(event));
  if (committed.ok()) return created;
  CloseJob(created.job.id);
  book_.Discard(created.job.id);
  return committed;
}

Result<JobInfo> DurableJobStore::MarkCancelling(const std::string& id) {
  WB_ASSIGN(JobInfo job, book_.MarkCancelling(id));
  // Where the disk does not take it the job is cancelled all the same.
  (void)commits_.Flush(EventOf(JobEventKind::kCancelled, id));
  return job;
}

// Its results of before are read and stored; what comes is counted anew.
Result<JobInfo> DurableJobStore::MarkResumed(const std::string& id,
                                             std::optional<Placement> placement) {
  WB_ASSIGN(JobInfo job, book_.MarkResumed(id, placement));
  OpenJob(job, job.usage);
  JobEvent event = EventOf(JobEventKind::kResumed, id);
  event.placement = placement;
  (void)commits_.Flush(std::move(event));
  return job;
}

Status DurableJobStore::Delete(const std::string& id) {
  WB_TRY(book_.Delete(id));
  (void)commits_.Flush(EventOf(JobEventKind::kNothing, id));
  return {};
}

Result<std::string> DurableJobStore::KeptRequest(const std::string& id) const {
  WB_TRY(book_.Get(id).status());
  WB_ASSIGN(std::string request, store_->ReadRequest(id));
  if (request.empty()) return RequestIsGone(id);
  return request;
}

uint64_t DurableJobStore::Room(const std::string& id) const {
  const uint64_t on_disk = book_.Room(id);
  const MutexLock lock(mutex_);
  const auto at = open_.find(id);
  return at == open_.end() ? 0 : std::min(on_disk, at->second.memory->Room());
}

uint64_t DurableJobStore::Reserve(const std::string& id, uint64_t instances) {
  const uint64_t on_disk = book_.Reserve(id, instances);
  uint64_t granted = 0;
  {
    const MutexLock lock(mutex_);
    const auto at = open_.find(id);
    if (at != open_.end()) granted = at->second.memory->Reserve(on_disk);
  }
  if (granted < on_disk) book_.Release(id, on_disk - granted);
  return granted;
}

void DurableJobStore::Release(const std::string& id, uint64_t instances) {
  book_.Release(id, instances);
  const MutexLock lock(mutex_);
  const auto at = open_.find(id);
  if (at != open_.end()) at->second.memory->Release(instances);
}

uint64_t DurableJobStore::WholeRoom(const std::string& id) const {
  const uint64_t on_disk = book_.WholeRoom(id);
  const MutexLock lock(mutex_);
  const auto at = open_.find(id);
  return at == open_.end() ? 0 : std::min(on_disk, at->second.memory->WholeRoom());
}

uint64_t DurableJobStore::Widen(const std::string& id, uint64_t instances) {
  const uint64_t on_disk = book_.Widen(id, instances);
  uint64_t granted = 0;
  {
    const MutexLock lock(mutex_);
    const auto at = open_.find(id);
    if (at != open_.end()) granted = at->second.memory->Widen(on_disk);
  }
  if (granted < on_disk) book_.Narrow(id, on_disk - granted);
  return granted;
}

void DurableJobStore::Narrow(const std::string& id, uint64_t instances) {
  book_.Narrow(id, instances);
  const MutexLock lock(mutex_);
  const auto at = open_.find(id);
  if (at != open_.end()) at->second.memory->Narrow(instances);
}

void DurableJobStore::AppendResults(const std::string& id, ResultBatch results) {
  if (results.empty()) return;
  JobEvent event = EventOf(JobEventKind::kResults, id);
  event.totals.Add(results);
  results.Fit();
  event.results = std::make_shared<ResultBatch>(std::move(results));
  commits_.Post(std::move(event));
}

void DurableJobStore::AppendEnded(const std::string& id, const EndedRange& range) {
  if (range.count == 0) return;
  JobEvent event = EventOf(JobEventKind::kRange, id);
  event.totals.Add(range);
  event.range = range;
  commits_.Post(std::move(event));
}

// The scheduler's figures are of this daemon; the fuel of earlier ones is in them.
JobUsage DurableJobStore::WholeUsage(const std::string& id, JobUsage usage) const {
  const MutexLock lock(mutex_);
  const auto at = open_.find(id);
  if (at == open_.end()) return usage;
  const JobUsage& before = at->second.before;
  usage.bursts += before.bursts;
  usage.lost_states += before.lost_states;
  usage.device_time += before.device_time;
  usage.quick_compile_time += before.quick_compile_time;
  usage.full_compile_time += before.full_compile_time;
  usage.lane_fuel.Add(before.lane_fuel);
  if (before.joules) usage.joules = usage.joules.value_or(0) + *before.joules;
  return usage;
}

void DurableJobStore::SetProgress(const std::string& id, const JobProgress& progress) {
  JobProgress whole = progress;
  whole.usage = WholeUsage(id, progress.usage);
  book_.SetProgress(id, whole);
}

void DurableJobStore::SetEnd(const std::string& id, Status status, bool cancelled,
                             const JobUsage& usage) {
  const bool leaving = book_.IsLeaving(id);
  if (cancelled && suspended_ && !leaving) {
    const Result<JobInfo> job = book_.Known(id);
    if (job.ok() && job->state != JobState::kCancelling) return;  // it goes on in the next daemon
  }
  JobEvent event = EventOf(JobEventKind::kEnded, id);
  event.error = std::move(status);
  event.cancelled = cancelled;
  event.leaving = leaving;
  event.usage = WholeUsage(id, usage);
  event.unix_ns = now_();
  event.expire_unix_ns = event.unix_ns + limits_.jobs.ttl_ns;
  commits_.Post(std::move(event));
}

// The store tidies up after each commit, also where nothing happens.
void DurableJobStore::Expire() {
  book_.Expire();
  commits_.Post(EventOf(JobEventKind::kNothing, ""));
}

void DurableJobStore::Commit(std::vector<JobEvent>* events) {
  MergeResults(events);
  const JobChanges::Built built = changes_.Build(*events);
  // Once it has failed, the disk must take something before all is well again.
  const bool has_nothing = built.change.empty() && !is_failing_;
  const Status committed = has_nothing ? Status() : CommitTimed(built.change);
  if (!committed.ok()) return Refuse(committed, events);
  if (is_failing_.exchange(false)) Log(LogLevel::kWarning, "store_works_again", {});
  changes_.Accept();
  for (size_t i = 0; i < events->size(); ++i) {
    const JobEvent& event = (*events)[i];
    Show(event, built.stored[i]);
    FailPoint(FailPlace::kCommitShown);
    if (event.committed != nullptr) event.committed->set_value({});
  }
  events->clear();
  store_->Tidy();
}

Status DurableJobStore::CommitTimed(const StoreChange& change) {
  const auto start = std::chrono::steady_clock::now();
  Status committed = store_->Commit(change);
  const auto took = std::chrono::steady_clock::now() - start;
  if (metrics_ != nullptr) metrics_->Committed(took, committed.ok());
  if (alarm_ != nullptr) alarm_->NoteCommit(committed);
  return committed;
}

// New jobs are refused, and whoever waits for anything else goes on. What has happened to jobs is
// kept, and tried again.
void DurableJobStore::Refuse(const Status& why, std::vector<JobEvent>* events) {
  if (!is_failing_.exchange(true)) {
    Log(LogLevel::kError, "store_fails", {{"error", why.message()}});
  }
  for (JobEvent& event : *events) {
    if (event.committed == nullptr) continue;
    event.committed->set_value(event.kind == JobEventKind::kCreated ? why : Status());
    event.committed = nullptr;
  }
  std::erase_if(*events, [](const JobEvent& event) {
    return event.kind == JobEventKind::kCreated || event.kind == JobEventKind::kNothing;
  });
}

void DurableJobStore::Show(const JobEvent& event, const StoredEvent& stored) {
  switch (event.kind) {
    case JobEventKind::kResults:
    case JobEventKind::kRange: return ShowResults(event, stored);
    case JobEventKind::kEnded:
      CloseJob(event.id);
      return book_.SetEndAt(event.id, event.error, event.cancelled, event.usage, event.unix_ns);
    case JobEventKind::kForgotten: return CloseJob(event.id);
    default: return;
  }
}

void DurableJobStore::ShowResults(const JobEvent& event, const StoredEvent& stored) {
  size_t from = 0;
  for (size_t i = 0; event.results != nullptr && i < stored.blocks.size(); ++i) {
    const size_t to = from + stored.blocks[i].count;
    const uint64_t bytes =
        event.results->held_bytes() * stored.blocks[i].count / event.results->size();
    cache_.Put(event.id, stored.firsts[i], {event.results, from, to}, bytes);
    from = to;
  }
  const JobId grown = FreeMemory(event);
  book_.AppendStored(event.id, stored.blocks, stored.counts);
  if (grown == 0) return;
  const MutexLock lock(listener_mutex_);
  if (listener_.room_came) listener_.room_came(grown);
}

JobId DurableJobStore::FreeMemory(const JobEvent& event) {
  const MutexLock lock(mutex_);
  const auto at = open_.find(event.id);
  if (at == open_.end() || event.results == nullptr) return 0;
  ResultAccount& memory = *at->second.memory;
  const bool was_full = memory.Room() == 0 || memory.WholeRoom() == 0;
  const uint64_t held = event.results->held_bytes();
  memory.Arrive(event.results->size(), held, event.results->largest());
  memory.MakeSpare(held);
  memory.DropSpare(held);
  return was_full ? at->second.number : 0;
}

Result<ResultCache::Part> DurableJobStore::PartAt(const std::string& id,
                                                  const StoredPlace& place) const {
  ResultCache::Part part = cache_.Get(id, place.first);
  if (part.results != nullptr) {
    part.from += place.skip;
    return part;
  }
  WB_ASSIGN(const BlockRow block, store_->ReadBlock(id, place.first));
  WB_ASSIGN(BlockRows rows, ReadResultBlock(block.data, place.skip, kMostRead));
  part.from = rows.from;
  part.to = rows.results.size();
  part.results = std::make_shared<const ResultBatch>(std::move(rows.results));
  return part;
}

Result<ResultRow> DurableJobStore::Read(const std::string& id, uint64_t position,
                                        ReadBound bound) const {
  ResultRow row;
  row.next = position;
  size_t bytes = 0;
  while (true) {
    WB_ASSIGN(const MemoryJobStore::Found found, book_.Find(id, row.next));
    row.available = found.next - row.next;
    row.last = found.has_ended && row.available == 0;
    if (row.available == 0 || bytes >= bound.bytes) return row;
    Result<ResultCache::Part> part = PartAt(id, found.place);
    if (!part.ok()) {
      // They may have been dropped meanwhile; then this says so.
      WB_TRY(book_.Find(id, row.next).status());
      return part.status();
    }
    const size_t end =
        part->results->Fitting(part->from, part->to, bound.bytes - bytes, bound.form, &bytes);
    row.next += end - part->from;
    row.slices.push_back({part->results, part->from, end});
  }
}

}  // namespace wb
