// The results of MemoryJobStore: room, dropping, reading.

#include <algorithm>
#include <utility>

#include "daemon/memory_job_store.h"
#include "daemon/names.h"

namespace wb {
namespace {

// Room for the first results of a job, before their size is known.
constexpr uint64_t kFirstEstimate = 1024;

}  // namespace

uint64_t MemoryJobStore::RoomOf(const Record& record) const {
  uint64_t used = std::min(record.bytes, limits_.max_job_bytes);
  uint64_t free = limits_.max_job_bytes - used;
  free = std::min(free, limits_.max_bytes - std::min(bytes_, limits_.max_bytes));
  // A job that its reader holds up goes on when there is room for many: a launch costs the same for
  // few. Once the reader has caught up its results take half of the limit.
  if (used > limits_.max_job_bytes / 2 && free < limits_.max_job_bytes / 8) return 0;
  uint64_t each = record.next == 0 ? kFirstEstimate : record.all_bytes / record.next + 1;
  uint64_t fitting = free / each;
  uint64_t running = std::min(record.info.counts.running, fitting);
  return fitting - running;
}

uint64_t MemoryJobStore::Room(const std::string& id) const {
  std::lock_guard lock(mutex_);
  const Record* record = Find(id);
  return record == nullptr ? 0 : RoomOf(*record);
}

// Drops delivered batches of a job that is over its share, but keeps the newest half: what a
// client has been sent may still be on its way, and it may ask for it again.
void MemoryJobStore::DropDelivered(Record* record) {
  bool short_of_room = RoomOf(*record) == 0;
  while (short_of_room && record->batches.size() > 1) {
    const Batch& oldest = record->batches.front();
    if (oldest.first + oldest.results->size() > record->delivered) break;
    if (record->bytes - oldest.bytes < limits_.max_job_bytes / 2) break;
    record->bytes -= oldest.bytes;
    bytes_ -= oldest.bytes;
    record->batches.pop_front();
  }
}

// When all jobs together are over the limit: ended jobs whose results were all delivered give
// theirs up, the oldest first, so that those that run can go on.
void MemoryJobStore::ReclaimFromEnded() {
  uint64_t target = limits_.max_bytes - limits_.max_bytes / 4;
  for (auto& [id, record] : jobs_) {
    if (bytes_ <= target) return;
    if (!IsTerminal(record.info.state) || record.delivered < record.next) continue;
    bytes_ -= record.bytes;
    record.bytes = 0;
    record.batches.clear();
  }
}

void MemoryJobStore::AppendResults(const std::string& id, ResultBatch results) {
  if (results.empty()) return;
  std::lock_guard lock(mutex_);
  Record* record = Find(id);
  if (record == nullptr) return;
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
  bytes_ += batch.bytes;
  batch.results = std::make_shared<const std::vector<InstanceResult>>(std::move(results).Take());
  record->batches.push_back(std::move(batch));
  DropDelivered(record);
  if (bytes_ >= limits_.max_bytes) ReclaimFromEnded();
  if (RoomOf(*record) == 0) {
    record->info.waiting_for = "The results held are at their limit; it waits for a reader.";
  }
  Changed(record);
}

// That of a cursor: its results are held, or to come next.
Status MemoryJobStore::CheckPosition(const std::string& id, const Record& record,
                                     uint64_t position) {
  uint64_t oldest = record.batches.empty() ? record.next : record.batches.front().first;
  if (position > record.next) {
    return Status(Reason::kInvalidArgument,
                  "The cursor lies beyond the last result of the job [" + JobName(id) + "].",
                  {{"field", "cursor"}});
  }
  if (position < oldest) {
    return Status(Reason::kCursorExpired,
                  "The results after this cursor have been dropped; the oldest cursor is [" +
                      MakeCursor(id, oldest) + "].",
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

bool MemoryJobStore::Delivered(const std::string& id, uint64_t position) {
  std::lock_guard lock(mutex_);
  Record* record = Find(id);
  if (record == nullptr) return false;
  record->delivered = std::max(record->delivered, std::min(position, record->next));
  uint64_t before = RoomOf(*record);
  DropDelivered(record);
  return RoomOf(*record) > before && !IsTerminal(record->info.state);
}

}  // namespace wb
