#include "daemon/store/durable/job_totals.h"

namespace wb {

void JobTotals::Add(const ResultBatch& results) {
  for (size_t end = 0; end < kEnds; ++end) {
    counts.by_end[end] += results.count(static_cast<End>(end));
  }
  counts.finished += results.size();
  fuel += results.fuel();
  result_bytes += results.bytes();
}

void JobTotals::Add(const JobTotals& more) {
  for (size_t end = 0; end < kEnds; ++end) counts.by_end[end] += more.counts.by_end[end];
  counts.finished += more.counts.finished;
  fuel += more.fuel;
  result_bytes += more.result_bytes;
}

void JobTotals::Add(const EndedRange& range) {
  counts.by_end[static_cast<size_t>(range.end)] += range.count;
  counts.finished += range.count;
}

}  // namespace wb
