#include "daemon/cluster/cluster_job_store.h"

#include <algorithm>
#include <map>
#include <utility>

#include "daemon/database/result_block.h"
#include "daemon/metrics/store_metrics.h"
#include "daemon/process/log.h"
#include "daemon/store/names.h"

namespace wb {
namespace {

// Of a block that is read: all that a block of results has. Of a long range more are read the next
// time.
constexpr uint64_t kMostRead = 8192;
// An ended job that somebody begins to read gives no results away for so long.
constexpr std::chrono::seconds kReads{30};
// A job's instances begin in so many ranges, and in as many as there are hosts: they claim at the
// same moment.
constexpr uint64_t kLeastRanges = 16;
constexpr uint64_t kMostRanges = 1024;

bool StaysHere(const JobRequest& request) {
  return request.host_calls != nullptr || !request.session.empty();
}

Status NotShared(const std::string& id) {
  return Status(Reason::kInvalidArgument,
                "The job [" + JobName(id) +
                    "] is run by several daemons; checkpoints are of jobs that one daemon runs.",
                {{"field", "name"}});
}

}  // namespace

ClusterJobStore::ClusterJobStore(std::shared_ptr<SharedStore> store, const JobStoreLimits& limits,
                                 SharedJobs::ReadShown read_shown, std::function<int64_t()> now,
                                 std::shared_ptr<StoreMetrics> metrics)
    : store_(std::move(store)),
      limits_(limits),
      now_(now),
      metrics_(metrics),
      jobs_(std::move(read_shown)),
      results_(&store_->jobs(), &jobs_, limits.results),
      local_(limits, std::move(now), metrics) {}

Status ClusterJobStore::Refresh(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    WB_ASSIGN(const std::optional<SharedJob> job, store_->jobs().Find(id));
    if (!job) {
      jobs_.Erase(id);
      continue;
    }
    const Status shown = jobs_.Put(*job);
    if (shown.ok()) continue;
    Log(LogLevel::kError, "job_damaged", {{"job", id}, {"error", shown.message()}});
  }
  return {};
}

Status ClusterJobStore::RefreshAll() {
  const std::vector<std::string> known = jobs_.Ids();
  WB_ASSIGN(const auto versions, store_->jobs().Versions());
  std::vector<std::string> changed;
  std::map<std::string, uint64_t> there(versions.begin(), versions.end());
  for (const auto& [id, version] : there) {
    if (jobs_.VersionOf(id) < version) changed.push_back(id);
  }
  for (const std::string& id : known) {
    if (!there.contains(id)) changed.push_back(id);
  }
  return Refresh(changed);
}

Status ClusterJobStore::Look(const std::string& id) const {
  if (jobs_.VersionOf(id) > 0) return {};
  WB_ASSIGN(const std::optional<SharedJob> job, store_->jobs().Find(id));
  if (!job) return NoSuchJob(id);
  return jobs_.Put(*job);
}

Status ClusterJobStore::LookBehind(const std::string& id, uint64_t position, bool anew) const {
  const auto places = jobs_.PlacesFor(id);
  if (!places) return Look(id);
  const auto& [known, has_ended] = *places;
  if (has_ended || position < known.next || (position == known.next && !anew)) return {};
  WB_ASSIGN(const std::optional<SharedJob> job, store_->jobs().Find(id));
  return job ? jobs_.Put(*job) : NoSuchJob(id);
}

Result<JobStore::Created> ClusterJobStore::Create(JobRequest request) {
  return StaysHere(request) ? local_.Create(std::move(request)) : CreateShared(std::move(request));
}

// The oldest of the ended ones goes for it.
Status ClusterJobStore::MakePlace() {
  JobStoreFigures figures;
  jobs_.AddTo(&figures);
  if (figures.jobs < limits_.max_jobs) return {};
  std::string oldest;
  for (const std::string& id : jobs_.Ids()) {
    const auto places = jobs_.PlacesFor(id);
    if (!places || !places->second) continue;
    oldest = id;
    break;
  }
  if (oldest.empty()) {
    return Status(Reason::kQueueFull,
                  "The daemons have [" + std::to_string(figures.jobs) +
                      "] jobs that have not ended, the most that jobs.max_jobs allows.");
  }
  WB_TRY(store_->jobs().Forget(oldest));
  return Refresh({oldest});
}

Result<JobStore::Created> ClusterJobStore::Repeated(const std::string& id,
                                                    const JobRequest& request) {
  WB_TRY(Refresh({id}));
  WB_ASSIGN(JobInfo first, Get(id));
  if (first.request->body != request.body) return RequestIdReused(request.request_id, id);
  return Created{std::move(first), true, true};
}

Result<JobStore::Created> ClusterJobStore::CreateShared(JobRequest request) {
  if (!request.request_id.empty()) {
    WB_ASSIGN(const std::optional<std::string> first,
              store_->jobs().FindRequest(request.tenant, request.request_id));
    if (first) return Repeated(*first, request);
  }
  if (admit_) WB_TRY(admit_(request));
  WB_TRY(MakePlace());
  NewSharedJob job;
  {
    const MutexLock lock(mutex_);
    job.row.id = ids_.New(now_());
  }
  if (request.sent != nullptr) {
    job.row.request = request.sent->whole;
    job.row.shown = request.sent->shown;
  }
  DurableRecord record;
  record.info.history.push_back({JobState::kQueued, now_()});
  record.body = request.body;
  record.request_id = request.request_id;
  job.row.record = EncodeRecord(record);
  job.tenant = request.tenant;
  job.request_key = request.request_id;
  job.state = static_cast<uint32_t>(JobState::kQueued);
  job.instances = request.instances;
  job.ranges = std::clamp<uint64_t>(hosts_, kLeastRanges, kMostRanges);
  job.group = request.group;
  WB_ASSIGN(const std::string id, store_->jobs().Create(job));
  if (id != job.row.id) return Repeated(id, request);
  WB_TRY(Refresh({id}));
  if (metrics_ != nullptr) metrics_->Created(request.tenant);
  WB_ASSIGN(JobInfo made, Get(id));
  return Created{std::move(made), false, true};
}

Result<JobInfo> ClusterJobStore::Get(const std::string& id) const {
  if (IsLocal(id)) return local_.Get(id);
  WB_TRY(Look(id));
  std::optional<JobInfo> job = jobs_.Get(id);
  if (!job) return NoSuchJob(id);
  std::vector<JobInfo> one = {*std::move(job)};
  results_.NoteHeld(&one);
  return std::move(one[0]);
}

// Both are in the order of their ids.
JobPage ClusterJobStore::List(const JobFilter& filter, const std::string& after,
                              size_t limit) const {
  JobPage shared = jobs_.List(filter, after, limit);
  results_.NoteHeld(&shared.jobs);
  JobPage local = local_.List(filter, after, limit);
  JobPage page;
  page.jobs.resize(shared.jobs.size() + local.jobs.size());
  std::merge(std::make_move_iterator(shared.jobs.begin()),
             std::make_move_iterator(shared.jobs.end()),
             std::make_move_iterator(local.jobs.begin()), std::make_move_iterator(local.jobs.end()),
             page.jobs.begin(), [](const JobInfo& a, const JobInfo& b) { return a.id > b.id; });
  page.more = shared.more || local.more || page.jobs.size() > limit;
  if (page.jobs.size() > limit) page.jobs.resize(limit);
  return page;
}

Result<JobInfo> ClusterJobStore::MarkCancelling(const std::string& id) {
  if (IsLocal(id)) return local_.MarkCancelling(id);
  WB_TRY(Look(id));
  WB_TRY(
      store_->jobs().Change(id, [this](const SharedJob& job) { return AfterCancel(job, Time()); }));
  WB_TRY(Refresh({id}));
  return Get(id);
}

Result<JobInfo> ClusterJobStore::MarkLeaving(const std::string& id) {
  if (IsLocal(id)) return local_.MarkLeaving(id);
  WB_TRY(Look(id));
  return NotShared(id);
}

Result<JobInfo> ClusterJobStore::MarkResumed(const std::string& id,
                                             std::optional<Placement> placement) {
  if (IsLocal(id)) return local_.MarkResumed(id, placement);
  WB_TRY(Look(id));
  return NotShared(id);
}

Status ClusterJobStore::Delete(const std::string& id) {
  if (IsLocal(id)) return local_.Delete(id);
  WB_TRY(Refresh({id}));
  WB_ASSIGN(const JobInfo job, Get(id));
  if (!IsTerminal(job.state)) {
    return Status(Reason::kJobRunning, "The job [" + JobName(id) + "] has not ended.",
                  {{"resource", JobName(id)}});
  }
  WB_TRY(store_->jobs().Forget(id));
  return Refresh({id});
}

Result<std::string> ClusterJobStore::KeptRequest(const std::string& id) const {
  if (IsLocal(id)) return local_.KeptRequest(id);
  WB_TRY(Look(id));
  WB_ASSIGN(std::string request, store_->jobs().ReadRequest(id));
  if (request.empty()) return RequestIsGone(id);
  return request;
}

Result<ResultRow> ClusterJobStore::Read(const std::string& id, uint64_t position,
                                        ReadBound bound) const {
  if (IsLocal(id)) return local_.Read(id, position, bound);
  WB_TRY(LookBehind(id, position, bound.anew));
  ResultRow row;
  row.next = position;
  size_t bytes = 0;
  while (true) {
    const auto places = jobs_.PlacesFor(id);
    if (!places) return NoSuchJob(id);
    WB_TRY(CheckReadPosition(places->first, row.next));
    row.available = places->first.next - row.next;
    row.last = places->second && row.available == 0;
    if (row.available == 0 || bytes >= bound.bytes) return row;
    WB_ASSIGN(const BlockRow block, store_->jobs().ReadBlock(id, row.next));
    WB_ASSIGN(BlockRows rows, ReadResultBlock(block.data, row.next - block.first, kMostRead));
    const auto results = std::make_shared<const ResultBatch>(std::move(rows.results));
    const size_t end =
        results->Fitting(rows.from, results->size(), bound.bytes - bytes, bound.form, &bytes);
    row.next += end - rows.from;
    row.slices.push_back({results, rows.from, end});
  }
}

// Results that were acknowledged make room where half of it is taken.
Result<bool> ClusterJobStore::Acknowledge(const std::string& id, uint64_t position) {
  if (IsLocal(id)) return local_.Acknowledge(id, position);
  WB_TRY(Look(id));
  const auto places = jobs_.PlacesFor(id);
  if (!places) return NoSuchJob(id);
  WB_TRY(CheckAcknowledgedPosition(places->first, position));
  const std::optional<JobHolding> held = jobs_.HoldingOf(id);
  if (!held || !results_.MustGo(id, held->tenant)) return false;
  WB_TRY(store_->jobs().Drop(id, position));
  WB_TRY(Refresh({id}));
  return false;
}

Result<std::shared_ptr<void>> ClusterJobStore::Subscribe(const std::string& id,
                                                         std::function<void()> changed) {
  if (IsLocal(id)) return local_.Subscribe(id, std::move(changed));
  WB_TRY(Look(id));
  std::optional<std::shared_ptr<void>> handle = jobs_.Subscribe(id, std::move(changed));
  if (!handle) return NoSuchJob(id);
  const auto places = jobs_.PlacesFor(id);
  // Until this host says so again (ClusterMember).
  if (places && places->second) (void)store_->jobs().NoteReaders({id}, kReads);
  return *std::move(handle);
}

void ClusterJobStore::Expire() {
  local_.Expire();
  const Result<uint64_t> forgotten = store_->jobs().ForgetExpired();
  if (forgotten.ok() && *forgotten > 0) (void)RefreshAll();
  store_->Tidy();
}

JobStoreFigures ClusterJobStore::Figures() const {
  JobStoreFigures figures = local_.Figures();
  jobs_.AddTo(&figures);
  return figures;
}

}  // namespace wb
