// The results of MemoryJobStore's jobs: what makes room for what, and what is said of it.

#include <algorithm>
#include <utility>
#include <vector>

#include "daemon/store/memory_job_store.h"
#include "daemon/store/names.h"

namespace wb {
namespace {

Status BeyondLast(const std::string& id) {
  return Status(Reason::kInvalidArgument,
                "The cursor lies beyond the last result of the job [" + JobName(id) + "].",
                {{"field", "cursor"}});
}

constexpr size_t kJobsNamed = 3;

std::string InMiB(uint64_t bytes) {
  return std::to_string((bytes + (uint64_t{1} << 20) - 1) >> 20) + " MiB";
}

}  // namespace

uint64_t MemoryJobStore::Room(const std::string& id) const {
  std::lock_guard lock(mutex_);
  const Record* record = Find(id);
  return record == nullptr ? 0 : record->results->Room();
}

MemoryJobStore::Record* MemoryJobStore::FindOpen(const std::string& id) {
  Record* record = Find(id);
  return record == nullptr || IsTerminal(record->info.state) ? nullptr : record;
}

uint64_t MemoryJobStore::Reserve(const std::string& id, uint64_t instances) {
  std::lock_guard lock(mutex_);
  Record* record = FindOpen(id);
  return record == nullptr ? 0 : record->results->Reserve(instances);
}

void MemoryJobStore::Release(const std::string& id, uint64_t instances) {
  std::lock_guard lock(mutex_);
  if (Record* record = FindOpen(id)) record->results->Release(instances);
}

// The jobs of the tenant, or of all, that hold most results, as a clause; empty: there are none.
std::string MemoryJobStore::HoldMost(const std::string* tenant) const {
  std::vector<std::pair<uint64_t, std::string>> jobs;
  for (const auto& [id, record] : jobs_) {
    const uint64_t kept = record.results->account().kept();
    if (kept > 0 && (tenant == nullptr || record.info.request->tenant == *tenant)) {
      jobs.emplace_back(kept, id);
    }
  }
  std::sort(jobs.rbegin(), jobs.rend());
  std::string words;
  for (size_t i = 0; i < std::min(jobs.size(), kJobsNamed); ++i) {
    words += (i == 0 ? "; most of them are those of [" : ", [") + JobName(jobs[i].second) + "]";
  }
  return words;
}

void MemoryJobStore::NoteHeldByResults(const Record& record, JobInfo* info) const {
  const ResultAccount& account = record.results->account();
  const bool may_start = info->state == JobState::kRunning || info->state == JobState::kQueued;
  const bool has_more = info->counts.finished + account.reserved() < info->request->instances;
  // What runs takes the room: the job does not wait.
  if (!may_start || !has_more || account.reserved() > 0 || account.Room() > 0) return;
  const std::string& tenant = account.tenant();
  const ResultLimits& limits = limits_.results;
  const ResultBound bound = account.Tightest();
  info->held_by_others = bound != ResultBound::kJob;
  switch (bound) {
    case ResultBound::kJob:
      info->held_by_results =
          "its reader: [" +
          std::to_string(record.results->next() - record.results->acknowledged()) +
          "] of its results have not been acknowledged, and results hold [" +
          InMiB(account.kept()) + "] of the [" + InMiB(limits.max_job_bytes) +
          "] that results.max_job_bytes allows";
      break;
    case ResultBound::kTenant:
      info->held_by_results = "readers of its tenant: results of the tenant [" + tenant +
                              "] that were not acknowledged hold [" +
                              InMiB(ledger_.kept_of(tenant)) + "] of the [" +
                              InMiB(limits.TenantBytes()) +
                              "] that results.max_tenant_bytes allows" + HoldMost(&tenant);
      break;
    case ResultBound::kAll:
      info->held_by_results =
          "readers of other jobs: results that were not acknowledged leave no room of the [" +
          InMiB(limits.max_bytes) + "] that results.max_total_bytes allows" + HoldMost(nullptr);
      break;
  }
}

// Drops spare results of the tenant while `is_over`: acknowledged ones first.
void MemoryJobStore::DropSpare(const std::string& tenant, const std::function<bool()>& is_over) {
  for (const bool acknowledged : {true, false}) {
    for (auto& [id, record] : jobs_) {
      if (!is_over()) return;
      JobResults& results = *record.results;
      if (record.info.request->tenant != tenant) continue;
      const bool may = acknowledged || results.gives_way();
      const bool dropped =
          may && (acknowledged ? results.DropAcknowledged(is_over) : results.DropAll());
      if (!dropped || !IsTerminal(record.info.state)) continue;
      record.info.results_dropped = results.oldest();
      Changed(&record);
    }
  }
}

// Results of an ended job give way to others once a client has them all or no client reads them.
void MemoryJobStore::LetGiveWay(Record* record) {
  if (!IsTerminal(record->info.state)) return;
  if (record->results->is_read() || !HasListeners(*record)) record->results->GiveWay();
}

void MemoryJobStore::MakeRoom(const std::string& tenant) {
  const bool is_short = ledger_.IsOver() || ledger_.Free(tenant, 0) == 0;
  if (is_short) {
    for (auto& [id, record] : jobs_) LetGiveWay(&record);
  }
  if (ledger_.IsTenantOver(tenant)) {
    DropSpare(tenant, [this, &tenant] { return ledger_.IsTenantOver(tenant); });
  }
  while (ledger_.IsOver()) {
    const std::optional<std::string> most = ledger_.MostSpare();
    if (!most) return;
    DropSpare(*most, [this, &most] { return ledger_.IsOver() && ledger_.MostSpare() == most; });
  }
}

// After results have come to the record.
void MemoryJobStore::NoteArrival(Record* record, uint64_t results) {
  JobCounts& counts = record->info.counts;
  counts.finished += results;
  counts.running -= std::min(counts.running, results);
  MakeRoom(record->info.request->tenant);
  Changed(record);
}

void MemoryJobStore::AppendResults(const std::string& id, ResultBatch results) {
  if (results.empty()) return;
  std::lock_guard lock(mutex_);
  Record* record = FindOpen(id);
  if (record == nullptr) return;
  for (size_t end = 0; end < kEnds; ++end) {
    record->info.counts.by_end[end] += results.count(static_cast<End>(end));
  }
  const uint64_t count = results.size();
  record->results->Append(std::move(results));
  NoteArrival(record, count);
}

void MemoryJobStore::AppendEnded(const std::string& id, const EndedRange& range) {
  std::lock_guard lock(mutex_);
  Record* record = FindOpen(id);
  if (record == nullptr || range.count == 0) return;
  record->info.counts.by_end[static_cast<size_t>(range.end)] += range.count;
  record->results->Append(range);
  NoteArrival(record, range.count);
}

// That of a cursor: its results are held, or to come next.
Status MemoryJobStore::CheckPosition(const std::string& id, const Record& record,
                                     uint64_t position) {
  const uint64_t oldest = record.results->oldest();
  if (position > record.results->next()) return BeyondLast(id);
  if (position >= oldest) return {};
  return Status(Reason::kCursorExpired,
                std::string("The results after this cursor have been dropped ") +
                    (record.info.results_dropped > 0
                         ? "to make room for results of other jobs (results.max_total_bytes)"
                         : "since a reader acknowledged them") +
                    "; the oldest cursor is [" + MakeCursor(id, oldest) + "].",
                {{"oldest_cursor", MakeCursor(id, oldest)}});
}

Result<ResultRow> MemoryJobStore::Read(const std::string& id, uint64_t position,
                                       size_t max_bytes) const {
  std::lock_guard lock(mutex_);
  const Record* record = Find(id);
  if (record == nullptr || !record->published) return NoSuchJob(id);
  WB_TRY(CheckPosition(id, *record, position));
  ResultRow row = record->results->Read(position, max_bytes);
  row.last = IsTerminal(record->info.state) && row.available == 0;
  return row;
}

Result<bool> MemoryJobStore::Acknowledge(const std::string& id, uint64_t position) {
  std::lock_guard lock(mutex_);
  Record* record = Find(id);
  if (record == nullptr || !record->published) return NoSuchJob(id);
  if (position > record->results->next()) return BeyondLast(id);
  const uint64_t before = record->results->Room();
  record->results->Acknowledge(position);
  LetGiveWay(record);
  return !IsTerminal(record->info.state) && record->results->Room() > before;
}

}  // namespace wb
