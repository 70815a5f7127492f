// Results of a job that come one after another become one block.

#include "daemon/store/durable/merge_results.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

JobEvent ResultsOfJob(const std::string& id, uint64_t first, uint64_t count) {
  JobEvent event;
  event.kind = JobEventKind::kResults;
  event.id = id;
  event.results = std::make_shared<ResultBatch>(
      ResultBatch::Of({first, count, 1, End::kExpired}, first, count));
  event.totals.Add(*event.results);
  return event;
}

JobEvent Other(JobEventKind kind, const std::string& id) {
  JobEvent event;
  event.kind = kind;
  event.id = id;
  return event;
}

TEST(MergeResults, OfEachJobInOrder) {
  std::vector<JobEvent> events;
  events.push_back(ResultsOfJob("a", 0, 10));
  events.push_back(ResultsOfJob("b", 5, 1));
  events.push_back(ResultsOfJob("a", 10, 20));
  events.push_back(Other(JobEventKind::kEnded, "a"));
  events.push_back(ResultsOfJob("b", 6, 1));
  MergeResults(&events);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].id, "a");
  ASSERT_EQ(events[0].results->size(), 30u);
  EXPECT_EQ(events[0].results->instances()[29], 29u);
  EXPECT_EQ(events[0].totals.counts.finished, 30u);
  EXPECT_EQ(events[1].results->size(), 2u);
  EXPECT_EQ(events[2].kind, JobEventKind::kEnded);
}

TEST(MergeResults, NothingPassesWhatElseHappenedToItsJob) {
  std::vector<JobEvent> events;
  events.push_back(ResultsOfJob("a", 0, 1));
  events.push_back(Other(JobEventKind::kRange, "a"));
  events.push_back(ResultsOfJob("a", 1, 1));
  MergeResults(&events);
  EXPECT_EQ(events.size(), 3u);
}

TEST(MergeResults, ABlockDoesNotGrowWithoutEnd) {
  std::vector<JobEvent> events;
  for (uint64_t i = 0; i < 20; ++i) events.push_back(ResultsOfJob("a", i * 1000, 1000));
  MergeResults(&events);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].results->size(), 8000u);
  EXPECT_EQ(events[2].results->size(), 4000u);
}

}  // namespace
}  // namespace wb
