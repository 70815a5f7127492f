// The results of MemoryJobStore: room, dropping, reading.

#include <algorithm>
#include <utility>
#include <variant>

#include "daemon/memory_job_store.h"
#include "daemon/names.h"

namespace wb {
namespace {

Status BeyondLast(const std::string& id) {
  return Status(Reason::kInvalidArgument,
                "The cursor lies beyond the last result of the job [" + JobName(id) + "].",
                {{"field", "cursor"}});
}

// What a result holds beside its outputs: its record, a few values, a name.
constexpr uint64_t kPlainResult = 256;

std::string InMiB(uint64_t bytes) {
  return std::to_string((bytes + (uint64_t{1} << 20) - 1) >> 20) + " MiB";
}

// The most that the first result of a job may hold, by what its program may read: constant lengths,
// or else its limit of outputs.
uint64_t MostOfOne(const JobRequest& request) {
  uint64_t outputs = 0;
  for (const Step& step : request.steps) {
    const auto* read = std::get_if<ReadStep>(&step);
    if (read == nullptr) continue;
    const bool constant = read->length.source == Operand::Source::kConstant;
    outputs += constant ? static_cast<uint32_t>(read->length.value.words[0])
                        : uint64_t{request.limits.max_output_bytes};
  }
  outputs = std::min<uint64_t>(outputs, request.limits.max_output_bytes);
  return kPlainResult + sizeof(StepResult) * request.steps.size() + outputs;
}

}  // namespace

uint64_t MemoryJobStore::FreeOf(const Record& record) const {
  return ledger_.Free(record.info.request->tenant, record.bytes);
}

uint64_t MemoryJobStore::RoomOf(const Record& record) const {
  const uint64_t free = FreeOf(record);
  // A job that its reader holds up goes on when there is room for many: a launch costs the same for
  // few. Once the reader has caught up its results take half of the limit.
  const uint64_t most = limits_.results.max_job_bytes;
  if (record.bytes > most / 2 && free < most / 8) return 0;
  const uint64_t each =
      record.next == 0 ? MostOfOne(*record.info.request) : record.all_bytes / record.next + 1;
  uint64_t fitting = free / each;
  // One result may be larger than a job's bound: a job that holds none starts one instance all the
  // same, or it would wait for ever.
  if (fitting == 0 && free >= most) fitting = 1;
  return fitting - std::min(record.info.counts.running, fitting);
}

uint64_t MemoryJobStore::Room(const std::string& id) const {
  std::lock_guard lock(mutex_);
  const Record* record = Find(id);
  return record == nullptr ? 0 : RoomOf(*record);
}

std::string MemoryJobStore::HeldByResults(const Record& record) const {
  const JobInfo& info = record.info;
  const bool may_start = info.state == JobState::kRunning || info.state == JobState::kQueued;
  const bool has_more = info.counts.finished + info.counts.running < info.request->instances;
  // What runs takes the room: the job does not wait.
  if (!may_start || !has_more || info.counts.running > 0 || RoomOf(record) > 0) return "";
  const std::string& tenant = info.request->tenant;
  const std::string unread = std::to_string(record.next - record.acknowledged);
  switch (ledger_.Tightest(tenant, record.bytes)) {
    case ResultBound::kJob:
      return "its reader: [" + unread +
             "] of its results have not been acknowledged, and results hold [" +
             InMiB(record.bytes) + "] of the [" + InMiB(limits_.results.max_job_bytes) +
             "] that results.max_job_bytes allows";
    case ResultBound::kTenant:
      return "readers of its tenant: results of the tenant [" + tenant +
             "] that were not acknowledged hold [" + InMiB(ledger_.active_of(tenant)) +
             "] of the [" + InMiB(limits_.results.TenantBytes()) +
             "] that results.max_tenant_bytes allows";
    case ResultBound::kAll: break;
  }
  return "readers of other jobs: results that were not acknowledged hold [" +
         InMiB(ledger_.bytes()) + "] of the [" + InMiB(limits_.results.max_bytes) +
         "] that results.max_total_bytes allows";
}

// Drops what its readers have when the job is short of room.
void MemoryJobStore::DropAcknowledged(Record* record) {
  const bool is_short = RoomOf(*record) == 0;
  while (is_short && !record->batches.empty()) {
    const Batch& oldest = record->batches.front();
    if (oldest.first + oldest.results->size() > record->acknowledged) break;
    record->bytes -= oldest.bytes;
    ledger_.Remove(record->info.request->tenant, oldest.bytes);
    record->batches.pop_front();
  }
}

// Drops results of the tenant's ended jobs while `is_over`: those acknowledged to the end first.
void MemoryJobStore::DropEnded(const std::string& tenant, const std::function<bool()>& is_over) {
  for (const bool acknowledged : {true, false}) {
    for (auto& [id, record] : jobs_) {
      if (!is_over()) return;
      const bool is_read = record.acknowledged >= record.next;
      if (!record.gives_way || record.bytes == 0 || is_read != acknowledged ||
          record.info.request->tenant != tenant) {
        continue;
      }
      ledger_.RemoveEnded(tenant, record.bytes);
      record.bytes = 0;
      record.info.results_dropped = record.next;
      record.batches.clear();
      Changed(&record);
    }
  }
}

// Results of an ended job give way to others once a client has them all or no client reads them.
void MemoryJobStore::LetGiveWay(Record* record) {
  if (!IsTerminal(record->info.state) || record->gives_way) return;
  if (record->acknowledged < record->next && HasListeners(*record)) return;
  record->gives_way = true;
  ledger_.End(record->info.request->tenant, record->bytes);
}

// A client reads them again.
void MemoryJobStore::KeepForReader(Record* record) {
  if (!record->gives_way || record->acknowledged >= record->next) return;
  record->gives_way = false;
  ledger_.RemoveEnded(record->info.request->tenant, record->bytes);
  ledger_.Add(record->info.request->tenant, record->bytes);
}

void MemoryJobStore::MakeRoom(const std::string& tenant) {
  const bool is_short = ledger_.IsOver() || ledger_.Free(tenant, 0) == 0;
  if (is_short) {
    for (auto& [id, record] : jobs_) LetGiveWay(&record);
  }
  if (ledger_.IsTenantOver(tenant)) {
    DropEnded(tenant, [this, &tenant] { return ledger_.IsTenantOver(tenant); });
  }
  while (ledger_.IsOver()) {
    const std::optional<std::string> most = ledger_.MostEnded();
    if (!most) return;
    DropEnded(*most, [this, &most] { return ledger_.IsOver() && ledger_.MostEnded() == most; });
  }
}

void MemoryJobStore::AppendResults(const std::string& id, ResultBatch results) {
  if (results.empty()) return;
  std::lock_guard lock(mutex_);
  Record* record = Find(id);
  if (record == nullptr || IsTerminal(record->info.state)) return;
  Batch batch;
  batch.first = record->next;
  batch.bytes = results.held_bytes();
  for (size_t end = 0; end < kEnds; ++end) {
    record->info.counts.by_end[end] += results.count(static_cast<End>(end));
  }
  record->next += results.size();
  record->info.counts.finished += results.size();
  record->info.counts.running -= std::min<uint64_t>(record->info.counts.running, results.size());
  record->bytes += batch.bytes;
  record->all_bytes += batch.bytes;
  ledger_.Add(record->info.request->tenant, batch.bytes);
  batch.results = std::make_shared<const std::vector<InstanceResult>>(std::move(results).Take());
  record->batches.push_back(std::move(batch));
  DropAcknowledged(record);
  MakeRoom(record->info.request->tenant);
  Changed(record);
}

// That of a cursor: its results are held, or to come next.
Status MemoryJobStore::CheckPosition(const std::string& id, const Record& record,
                                     uint64_t position) {
  uint64_t oldest = record.batches.empty() ? record.next : record.batches.front().first;
  if (position > record.next) return BeyondLast(id);
  if (position < oldest) {
    return Status(Reason::kCursorExpired,
                  std::string("The results after this cursor have been dropped ") +
                      (record.info.results_dropped > 0
                           ? "to make room for results of other jobs (results.max_total_bytes)"
                           : "since a reader acknowledged them") +
                      "; the oldest cursor is [" + MakeCursor(id, oldest) + "].",
                  {{"oldest_cursor", MakeCursor(id, oldest)}});
  }
  return {};
}

Result<ResultRow> MemoryJobStore::Read(const std::string& id, uint64_t position,
                                       size_t max_bytes) const {
  std::lock_guard lock(mutex_);
  const Record* record = Find(id);
  if (record == nullptr || !record->published) return NoSuchJob(id);
  WB_TRY(CheckPosition(id, *record, position));
  ResultRow row;
  row.next = position;
  auto at = std::partition_point(
      record->batches.begin(), record->batches.end(),
      [&](const Batch& batch) { return batch.first + batch.results->size() <= position; });
  size_t bytes = 0;
  for (; at != record->batches.end() && bytes < max_bytes; ++at) {
    ResultSlice slice{at->results, static_cast<size_t>(row.next - at->first), 0};
    slice.to = slice.from;
    while (slice.to < at->results->size() && bytes < max_bytes) {
      uint64_t size = HeldBytes((*at->results)[slice.to]);
      bool first = row.slices.empty() && slice.to == slice.from;
      if (!first && bytes + size > max_bytes)
        bytes = max_bytes;
      else {
        bytes += size;
        ++slice.to;
      }
    }
    row.next += slice.to - slice.from;
    if (slice.to > slice.from) row.slices.push_back(std::move(slice));
  }
  row.available = record->next - row.next;
  row.last = IsTerminal(record->info.state) && row.available == 0;
  return row;
}

Result<bool> MemoryJobStore::Acknowledge(const std::string& id, uint64_t position) {
  std::lock_guard lock(mutex_);
  Record* record = Find(id);
  if (record == nullptr || !record->published) return NoSuchJob(id);
  if (position > record->next) return BeyondLast(id);
  record->acknowledged = std::max(record->acknowledged, position);
  if (IsTerminal(record->info.state)) {
    LetGiveWay(record);
    return false;
  }
  const uint64_t before = RoomOf(*record);
  DropAcknowledged(record);
  return RoomOf(*record) > before;
}

}  // namespace wb
