#include "daemon/store/memory/job_results.h"

#include <algorithm>
#include <utility>

namespace wb {

void JobResults::Add(Batch batch) {
  batch.first = next_;
  next_ += batch.count;
  batches_.push_back(std::move(batch));
  const uint64_t most = account_.most_job_bytes();
  DropAcknowledged([this, most] { return account_.bytes() > most; });
}

void JobResults::Append(ResultBatch results) {
  Batch batch;
  batch.count = results.size();
  batch.bytes = results.held_bytes();
  account_.Arrive(results.size(), results.held_bytes(), results.largest());
  results.Fit();
  batch.results = std::make_shared<const ResultBatch>(std::move(results));
  Add(std::move(batch));
}

void JobResults::Append(const EndedRange& range) {
  Batch batch;
  batch.count = range.count;
  batch.bytes = sizeof(Batch);
  batch.range = range;
  account_.Arrive(0, batch.bytes, 0);
  Add(std::move(batch));
}

void JobResults::Append(const StoredResults& stored) {
  Batch batch;
  batch.count = stored.count;
  batch.bytes = stored.bytes;
  account_.Arrive(stored.reserved, stored.bytes, stored.largest);
  Add(std::move(batch));
}

void JobResults::BeginAt(uint64_t position) {
  next_ = position;
  acknowledged_ = std::min(acknowledged_, position);
}

StoredPlace JobResults::PlaceOf(uint64_t position) const {
  const auto at = std::partition_point(batches_.begin(), batches_.end(),
                                       [&](const Batch& batch) { return batch.end() <= position; });
  return {at->first, position - at->first};
}

// As many results from the position on as the bound says; adds to `used` what they take.
ResultSlice JobResults::SliceOf(const Batch& batch, uint64_t position, ReadBound bound,
                                size_t* used) {
  const uint64_t skipped = position - batch.first;
  const uint64_t left = batch.count - skipped;
  if (!batch.results) {
    const uint64_t fitting = std::max<uint64_t>(bound.bytes / sizeof(InstanceResult), 1);
    auto results = std::make_shared<const ResultBatch>(
        ResultBatch::Of(batch.range, batch.range.first + skipped, std::min(left, fitting)));
    const size_t end = results->Fitting(0, results->size(), SIZE_MAX, bound.form, used);
    return {std::move(results), 0, end};
  }
  const size_t end = batch.results->Fitting(skipped, batch.count, bound.bytes, bound.form, used);
  return {batch.results, skipped, end};
}

ResultRow JobResults::Read(uint64_t position, ReadBound bound) const {
  ResultRow row;
  row.next = position;
  auto at = std::partition_point(batches_.begin(), batches_.end(),
                                 [&](const Batch& batch) { return batch.end() <= position; });
  size_t left = bound.bytes;
  for (; at != batches_.end() && left > 0; ++at) {
    size_t used = 0;
    ResultSlice slice = SliceOf(*at, row.next, {left, bound.form}, &used);
    if (used > left && !row.slices.empty()) break;
    left -= std::min(left, used);
    row.next += slice.to - slice.from;
    row.slices.push_back(std::move(slice));
    if (row.next < at->end()) break;
  }
  row.available = next_ - row.next;
  return row;
}

void JobResults::Acknowledge(uint64_t position) {
  acknowledged_ = std::max(acknowledged_, position);
  while (spare_ < batches_.size() && batches_[spare_].end() <= acknowledged_) {
    account_.MakeSpare(batches_[spare_++].bytes);
  }
}

void JobResults::GiveWay() {
  gives_way_ = true;
  while (spare_ < batches_.size()) account_.MakeSpare(batches_[spare_++].bytes);
}

void JobResults::KeepForReader() {
  if (is_read()) return;
  gives_way_ = false;
  while (spare_ > 0 && batches_[spare_ - 1].end() > acknowledged_) {
    account_.KeepAgain(batches_[--spare_].bytes);
  }
}

void JobResults::DropOldest() {
  account_.DropSpare(batches_.front().bytes);
  if (dropped_) dropped_(batches_.front().first, batches_.front().end());
  batches_.pop_front();
  --spare_;
}

bool JobResults::DropAcknowledged(const std::function<bool()>& is_over) {
  bool dropped = false;
  while (spare_ > 0 && batches_.front().end() <= acknowledged_ && is_over()) {
    DropOldest();
    dropped = true;
  }
  return dropped;
}

bool JobResults::DropAll() {
  const bool dropped = !batches_.empty();
  while (spare_ > 0) DropOldest();
  return dropped;
}

}  // namespace wb
