#include "daemon/store/durable/job_totals.h"

#include <algorithm>

namespace wb {

void JobTotals::Add(const ResultBatch& results) {
  for (size_t end = 0; end < kEnds; ++end) {
    counts.by_end[end] += results.count(static_cast<End>(end));
  }
  counts.finished += results.size();
  fuel += results.fuel();
  fuel_squares += results.fuel_squares();
  for (const uint64_t of_one : results.fuels()) longest_fuel = std::max(longest_fuel, of_one);
  result_bytes += results.bytes();
}

void JobTotals::Add(const JobTotals& more) {
  for (size_t end = 0; end < kEnds; ++end) counts.by_end[end] += more.counts.by_end[end];
  counts.finished += more.counts.finished;
  fuel += more.fuel;
  fuel_squares += more.fuel_squares;
  longest_fuel = std::max(longest_fuel, more.longest_fuel);
  result_bytes += more.result_bytes;
}

void JobTotals::Add(const EndedRange& range) {
  counts.by_end[static_cast<size_t>(range.end)] += range.count;
  counts.finished += range.count;
}

}  // namespace wb
