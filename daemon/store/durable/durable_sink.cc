#include "daemon/store/durable/durable_sink.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace wb {

DurableSink::DurableSink(const Parts& parts, std::string id)
    : parts_(parts), id_(std::move(id)), disk_(parts.book, id_) {}

uint64_t DurableSink::Room() const { return std::min(disk_.Room(), parts_.open->Room(id_)); }

uint64_t DurableSink::Reserve(uint64_t instances) {
  const uint64_t on_disk = disk_.Reserve(instances);
  const uint64_t granted = parts_.open->Reserve(id_, on_disk);
  if (granted < on_disk) disk_.Release(on_disk - granted);
  return granted;
}

void DurableSink::Release(uint64_t instances) {
  disk_.Release(instances);
  parts_.open->Release(id_, instances);
}

uint64_t DurableSink::WholeRoom() const {
  return std::min(disk_.WholeRoom(), parts_.open->WholeRoom(id_));
}

uint64_t DurableSink::Widen(uint64_t instances) {
  const uint64_t on_disk = disk_.Widen(instances);
  const uint64_t granted = parts_.open->Widen(id_, on_disk);
  if (granted < on_disk) disk_.Narrow(on_disk - granted);
  return granted;
}

void DurableSink::Narrow(uint64_t instances) {
  disk_.Narrow(instances);
  parts_.open->Narrow(id_, instances);
}

void DurableSink::OnResults(ResultBatch results) {
  if (results.empty()) return;
  JobEvent event = EventOf(JobEventKind::kResults, id_);
  event.totals.Add(results);
  results.Fit();
  event.results = std::make_shared<ResultBatch>(std::move(results));
  parts_.commits->Post(std::move(event));
}

void DurableSink::OnEnded(const EndedRange& range) {
  if (range.count == 0) return;
  JobEvent event = EventOf(JobEventKind::kRange, id_);
  event.totals.Add(range);
  event.range = range;
  parts_.commits->Post(std::move(event));
}

void DurableSink::OnProgress(const JobProgress& progress) {
  JobProgress whole = progress;
  whole.usage = parts_.open->WholeUsage(id_, progress.usage);
  disk_.OnProgress(whole);
}

bool DurableSink::NoteEnd(bool cancelled, JobEvent* event) const {
  return parts_.book->Read([&](const JobBook& book) {
    event->leaving = book.states().IsLeaving(id_);
    event->unix_ns = book.Now();
    event->expire_unix_ns = event->unix_ns + parts_.ttl_ns;
    if (!cancelled || !*parts_.suspended || event->leaving) return false;
    const Result<JobInfo> job = book.Known(id_);
    return job.ok() && job->state != JobState::kCancelling;
  });
}

void DurableSink::OnEnd(Status status, bool cancelled, const JobUsage& usage) {
  JobEvent event = EventOf(JobEventKind::kEnded, id_);
  if (NoteEnd(cancelled, &event)) return;
  event.error = std::move(status);
  event.cancelled = cancelled;
  event.usage = parts_.open->WholeUsage(id_, usage);
  parts_.commits->Post(std::move(event));
}

}  // namespace wb
