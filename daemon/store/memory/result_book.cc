#include "daemon/store/memory/result_book.h"

#include <algorithm>
#include <utility>

#include "daemon/metrics/store_metrics.h"
#include "daemon/store/memory/result_positions.h"

namespace wb {

ResultBook::ResultBook(ResultLedger* ledger, JobTable* table, std::shared_ptr<StoreMetrics> metrics)
    : ledger_(*ledger), table_(*table), metrics_(std::move(metrics)), room_(ledger, table) {}

void ResultBook::Open(JobRecord* record) {
  const JobRequest& request = *record->info.request;
  std::function<void(uint64_t, uint64_t)> dropped;
  if (dropped_) {
    dropped = [this, id = record->info.id](uint64_t from, uint64_t before) {
      dropped_(id, from, before);
    };
  }
  record->results =
      std::make_unique<JobResults>(&ledger_, request.tenant, request.most_result_bytes,
                                   request.most_part_bytes, std::move(dropped), request.group);
}

const JobResults* ResultBook::Of(const std::string& id) const {
  const JobRecord* record = table_.Find(id);
  return record == nullptr ? nullptr : record->results.get();
}

JobResults* ResultBook::OfOpen(const std::string& id) {
  const JobRecord* record = table_.FindOpen(id);
  return record == nullptr ? nullptr : record->results.get();
}

void ResultBook::AddEnds(JobRecord* record, size_t end, uint64_t count) {
  record->info.counts.by_end[end] += count;
  if (metrics_ != nullptr && count > 0) metrics_->InstancesEnded(static_cast<End>(end), count);
}

// After results have come to the record.
void ResultBook::NoteArrival(JobRecord* record, uint64_t results) {
  JobCounts& counts = record->info.counts;
  counts.finished += results;
  counts.running -= std::min(counts.running, results);
  room_.MakeRoom(record->info.request->tenant);
  table_.NoteChanged(record);
}

void ResultBook::Append(const std::string& id, ResultBatch results) {
  JobRecord* record = results.empty() ? nullptr : table_.FindOpen(id);
  if (record == nullptr) return;
  for (size_t end = 0; end < kEnds; ++end) {
    AddEnds(record, end, results.count(static_cast<End>(end)));
  }
  const uint64_t count = results.size();
  record->results->Append(std::move(results));
  NoteArrival(record, count);
}

void ResultBook::Append(const std::string& id, const EndedRange& range) {
  JobRecord* record = range.count == 0 ? nullptr : table_.FindOpen(id);
  if (record == nullptr) return;
  AddEnds(record, static_cast<size_t>(range.end), range.count);
  record->results->Append(range);
  NoteArrival(record, range.count);
}

void ResultBook::Append(const std::string& id, const std::vector<StoredResults>& stored,
                        const JobCounts& counts) {
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

void ResultBook::Close(JobRecord* record, bool has_ended) {
  record->results->Release(UINT64_MAX);
  record->results->Narrow(UINT64_MAX);
  if (has_ended) ResultRoom::LetGiveWay(record);
}

Result<ResultRow> ResultBook::Read(const std::string& id, uint64_t position,
                                   ReadBound bound) const {
  WB_ASSIGN(const JobRecord* record, std::as_const(table_).Published(id));
  WB_TRY(CheckReadPosition(PlacesOf(*record), position));
  ResultRow row = record->results->Read(position, bound);
  row.last = IsTerminal(record->info.state) && row.available == 0;
  return row;
}

Result<ResultBook::Found> ResultBook::Find(const std::string& id, uint64_t position) const {
  WB_ASSIGN(const JobRecord* record, std::as_const(table_).Published(id));
  WB_TRY(CheckReadPosition(PlacesOf(*record), position));
  Found found;
  found.next = record->results->next();
  found.has_ended = IsTerminal(record->info.state);
  if (position < found.next) found.place = record->results->PlaceOf(position);
  return found;
}

Result<bool> ResultBook::Acknowledge(const std::string& id, uint64_t position) {
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

// In one step, so that its results do not give way before the listener is there.
Result<std::shared_ptr<void>> ResultBook::Subscribe(const std::string& id,
                                                    std::function<void()> changed) {
  WB_ASSIGN(JobRecord * record, table_.Published(id));
  record->results->KeepForReader();
  return record->listeners->Add(std::move(changed));
}

// The scheduler knows only that a job has no room; the results say why.
void ResultBook::NoteHeld(const JobRecord& record, JobInfo* info) const {
  room_.NoteHeldByResults(record, info);
  if (!info->held_by_results.empty()) info->waiting_for = info->held_by_results;
}

}  // namespace wb
