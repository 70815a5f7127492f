#include "daemon/store/durable/durable_job_store.h"

#include <chrono>
#include <utility>

#include "daemon/database/result_block.h"
#include "daemon/metrics/store_metrics.h"
#include "daemon/process/fail_point.h"
#include "daemon/process/log.h"
#include "daemon/store/durable/durable_sink.h"
#include "daemon/store/durable/instance_text.h"
#include "daemon/store/durable/merge_results.h"

namespace wb {
namespace {

// Of a block that is read; more of a long range are read the next time.
constexpr uint64_t kMostRead = 4096;

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
    : BookedJobStore(limits.jobs, std::move(now), metrics),
      store_(std::move(store)),
      ttl_ns_(limits.jobs.ttl_ns),
      metrics_(std::move(metrics)),
      alarm_(std::move(alarm)),
      cache_(limits.max_memory_bytes / 4),
      // A short job may have ended before it is published.
      changes_([this](const std::string& id) {
        return book_.Read([&](const JobBook& book) { return book.Known(id); });
      }),
      open_(limits.max_memory_bytes),
      commits_([this](std::vector<JobEvent>* events) { Commit(events); }) {
  JobBook::Observer observer;
  observer.forgotten = [this](const std::string& id) {
    commits_.Post(EventOf(JobEventKind::kForgotten, id));
  };
  observer.dropped = [this](const std::string& id, uint64_t from, uint64_t before) {
    JobEvent event = EventOf(JobEventKind::kDropped, id);
    event.from = from;
    event.before = before;
    commits_.Post(std::move(event));
  };
  book_.Change([&](JobBook& book) { book.Observe(std::move(observer)); });
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
  WB_ASSIGN(JobInfo restored, book_.Change([&](JobBook& book) {
    return book.Restore(std::move(info), job.oldest, job.results);
  }));
  if (ended) return restored;
  if (!is_left) open_.Add(restored, record.info.usage);
  JobEvent event = EventOf(JobEventKind::kRestored, restored.id);
  if (!is_left) ++record.attempt;
  event.record = std::move(record);
  commits_.Post(std::move(event));
  return restored;
}

Result<JobStore::Created> DurableJobStore::Create(JobRequest request) {
  JobEvent event = EventOf(JobEventKind::kCreated, "");
  event.sent = std::exchange(request.sent, nullptr);
  if (event.sent == nullptr) event.sent = std::make_shared<const SentRequest>();
  WB_ASSIGN(Created created,
            book_.Change([&](JobBook& book) { return book.Create(std::move(request)); }));
  if (created.existed) return created;
  event.id = created.job.id;
  event.record.info = created.job;
  event.record.body = created.job.request->body;
  event.record.request_id = created.job.request->request_id;
  open_.Add(created.job, {});
  Status committed = alarm_ == nullptr ? Status() : alarm_->Admit();
  if (committed.ok()) committed = commits_.Flush(std::move(event));
  if (committed.ok()) return created;
  open_.Erase(created.job.id);
  Discard(created.job.id);
  return committed;
}

Result<JobInfo> DurableJobStore::MarkCancelling(const std::string& id) {
  WB_ASSIGN(JobInfo job, book_.Change([&](JobBook& book) { return book.states().Cancel(id); }));
  // Where the disk does not take it the job is cancelled all the same.
  (void)commits_.Flush(EventOf(JobEventKind::kCancelled, id));
  return job;
}

// Its results of before are read and stored; what comes is counted anew.
Result<JobInfo> DurableJobStore::MarkResumed(const std::string& id,
                                             std::optional<Placement> placement) {
  WB_ASSIGN(JobInfo job,
            book_.Change([&](JobBook& book) { return book.states().Resume(id, placement); }));
  open_.Add(job, job.usage);
  JobEvent event = EventOf(JobEventKind::kResumed, id);
  event.placement = placement;
  (void)commits_.Flush(std::move(event));
  return job;
}

Status DurableJobStore::Delete(const std::string& id) {
  WB_TRY(book_.Change([&](JobBook& book) { return book.Delete(id); }));
  (void)commits_.Flush(EventOf(JobEventKind::kNothing, id));
  return {};
}

Result<std::string> DurableJobStore::KeptRequest(const std::string& id) const {
  WB_TRY(Get(id).status());
  WB_ASSIGN(std::string request, store_->ReadRequest(id));
  if (request.empty()) return RequestIsGone(id);
  return request;
}

std::shared_ptr<ResultSink> DurableJobStore::SinkOf(const std::string& id) {
  return std::make_shared<DurableSink>(
      DurableSink::Parts{&book_, &open_, &commits_, &suspended_, ttl_ns_}, id);
}

// The store tidies up after each commit, also where nothing happens.
void DurableJobStore::Expire() {
  book_.Change([](JobBook& book) { book.Expire(); });
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
      open_.Erase(event.id);
      return book_.Change([&](JobBook& book) {
        book.End(event.id, event.error, event.cancelled, event.usage, event.unix_ns);
      });
    case JobEventKind::kForgotten: return open_.Erase(event.id);
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
  const JobId grown = event.results == nullptr ? 0 : open_.Free(event.id, *event.results);
  book_.Change(
      [&](JobBook& book) { book.results().Append(event.id, stored.blocks, stored.counts); });
  if (grown == 0) return;
  const MutexLock lock(listener_mutex_);
  if (listener_.room_came) listener_.room_came(grown);
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

Result<ResultBook::Found> DurableJobStore::Find(const std::string& id, uint64_t position) const {
  return book_.Read([&](const JobBook& book) { return book.results().Find(id, position); });
}

Result<ResultRow> DurableJobStore::Read(const std::string& id, uint64_t position,
                                        ReadBound bound) const {
  ResultRow row;
  row.next = position;
  size_t bytes = 0;
  while (true) {
    WB_ASSIGN(const ResultBook::Found found, Find(id, row.next));
    row.available = found.next - row.next;
    row.last = found.has_ended && row.available == 0;
    if (row.available == 0 || bytes >= bound.bytes) return row;
    Result<ResultCache::Part> part = PartAt(id, found.place);
    if (!part.ok()) {
      // They may have been dropped meanwhile; then this says so.
      WB_TRY(Find(id, row.next).status());
      return part.status();
    }
    const size_t end =
        part->results->Fitting(part->from, part->to, bound.bytes - bytes, bound.form, &bytes);
    row.next += end - part->from;
    row.slices.push_back({part->results, part->from, end});
  }
}

}  // namespace wb
