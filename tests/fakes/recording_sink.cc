#include "tests/fakes/recording_sink.h"

#include <algorithm>
#include <utility>

namespace wb::test {

uint64_t RecordingSink::Room() const {
  MutexLock lock(mutex_);
  return room_ - reserved_;
}

uint64_t RecordingSink::Reserve(uint64_t instances) {
  MutexLock lock(mutex_);
  const uint64_t granted = std::min(instances, room_ - reserved_);
  reserved_ += granted;
  return granted;
}

void RecordingSink::Release(uint64_t instances) {
  MutexLock lock(mutex_);
  overflowed_ = overflowed_ || instances > reserved_;
  reserved_ -= std::min(instances, reserved_);
}

uint64_t RecordingSink::WholeRoom() const {
  MutexLock lock(mutex_);
  return whole_room_ - std::min(whole_room_, widened_);
}

uint64_t RecordingSink::Widen(uint64_t instances) {
  MutexLock lock(mutex_);
  const uint64_t granted = std::min(instances, whole_room_ - std::min(whole_room_, widened_));
  widened_ += granted;
  most_widened_ = std::max(most_widened_, widened_);
  return granted;
}

void RecordingSink::Narrow(uint64_t instances) {
  {
    MutexLock lock(mutex_);
    overflowed_ = overflowed_ || instances > widened_;
    widened_ -= std::min(instances, widened_);
  }
  changed_.NotifyAll();
}

void RecordingSink::SetWholeRoom(uint64_t instances) {
  MutexLock lock(mutex_);
  whole_room_ = instances;
}

uint64_t RecordingSink::widened() {
  MutexLock lock(mutex_);
  return widened_;
}

uint64_t RecordingSink::most_widened() {
  MutexLock lock(mutex_);
  return most_widened_;
}

void RecordingSink::OnEnded(const EndedRange& range) {
  {
    MutexLock lock(mutex_);
    ++ranges_;
    const ResultBatch ended = ResultBatch::Of(range, range.first, range.count);
    for (InstanceResult& result : ended.All()) results_.push_back(std::move(result));
  }
  changed_.NotifyAll();
}

void RecordingSink::OnResults(ResultBatch batch) {
  std::vector<InstanceResult> results = batch.All();
  {
    MutexLock lock(mutex_);
    overflowed_ = overflowed_ || results.size() > reserved_;
    const uint64_t granted = std::min<uint64_t>(reserved_, results.size());
    reserved_ -= granted;
    room_ -= granted;
    ++deliveries_;
    for (InstanceResult& result : results) results_.push_back(std::move(result));
  }
  changed_.NotifyAll();
}

void RecordingSink::OnProgress(const JobProgress& progress) {
  {
    MutexLock lock(mutex_);
    progress_ = progress;
  }
  changed_.NotifyAll();
}

void RecordingSink::OnEnd(Status status, bool cancelled, const JobUsage& usage) {
  {
    MutexLock lock(mutex_);
    ++ends_;
    status_ = std::move(status);
    cancelled_ = cancelled;
    usage_ = usage;
  }
  changed_.NotifyAll();
}

void RecordingSink::AddRoom(uint64_t room) {
  MutexLock lock(mutex_);
  room_ += room;
}

void RecordingSink::AwaitEnd() {
  MutexLock lock(mutex_);
  while (ends_ == 0) changed_.Wait(mutex_);
}

void RecordingSink::AwaitResults(uint64_t count) {
  MutexLock lock(mutex_);
  while (results_.size() < count) changed_.Wait(mutex_);
}

void RecordingSink::AwaitProgress(const std::function<bool(const JobProgress&)>& wanted) {
  MutexLock lock(mutex_);
  while (!wanted(progress_)) changed_.Wait(mutex_);
}

std::vector<InstanceResult> RecordingSink::Results() {
  MutexLock lock(mutex_);
  // Places are sorted, not results: under a sanitizer each move of one costs microseconds.
  std::vector<std::pair<uint64_t, size_t>> order;
  order.reserve(results_.size());
  for (const InstanceResult& result : results_) order.emplace_back(result.instance, order.size());
  std::sort(order.begin(), order.end());
  std::vector<InstanceResult> sorted;
  sorted.reserve(order.size());
  for (const auto& [instance, place] : order) sorted.push_back(results_[place]);
  return sorted;
}

Status RecordingSink::status() {
  MutexLock lock(mutex_);
  return status_;
}
bool RecordingSink::cancelled() {
  MutexLock lock(mutex_);
  return cancelled_;
}
JobUsage RecordingSink::usage() {
  MutexLock lock(mutex_);
  return usage_;
}
JobProgress RecordingSink::progress() {
  MutexLock lock(mutex_);
  return progress_;
}
uint64_t RecordingSink::deliveries() {
  MutexLock lock(mutex_);
  return deliveries_;
}
bool RecordingSink::overflowed() {
  MutexLock lock(mutex_);
  return overflowed_;
}
uint64_t RecordingSink::reserved() {
  MutexLock lock(mutex_);
  return reserved_;
}
uint64_t RecordingSink::ranges() {
  MutexLock lock(mutex_);
  return ranges_;
}
uint32_t RecordingSink::ends() {
  MutexLock lock(mutex_);
  return ends_;
}

}  // namespace wb::test
