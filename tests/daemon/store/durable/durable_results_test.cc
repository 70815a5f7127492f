// Results on the disk: their order, and the room that they have.

#include "tests/daemon/store/durable/durable_jobs.h"

namespace wb {
namespace {

class DurableResultsTest : public test::DurableJobsTest {};

INSTANTIATE_TEST_SUITE_P(Stores, DurableResultsTest,
                         testing::Values(test::StoreKind::kSqlite, test::StoreKind::kPostgres),
                         test::StoreKindName);

TEST_P(DurableResultsTest, ResultsAreReadFromTheDisk) {
  const std::string id = NewJob();
  Append(id, 0, 10);
  Append(id, 50, 5);
  store_->SinkOf(id)->OnEnded({20, 3, 1, End::kResultsLimit});
  Barrier();
  std::vector<uint64_t> all = From(0, 10);
  for (const uint64_t more : {50, 51, 52, 53, 54, 20, 21, 22}) all.push_back(more);
  EXPECT_EQ(Read(id), all);
  Open();
  const std::vector<LoadedJob> jobs = Load();
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].finished.ranges(), (std::vector<InstanceRange>{{0, 10}, {20, 3}, {50, 5}}));
  EXPECT_EQ(jobs[0].record.totals.fuel, 45u);
  EXPECT_EQ(jobs[0].record.totals.result_bytes, 60u);
  ASSERT_TRUE(store_->Restore(jobs[0], Request()).ok());
  EXPECT_EQ(Read(id), all);
  EXPECT_EQ(Read(id, 12), std::vector<uint64_t>(all.begin() + 12, all.end()));
  const JobInfo info = store_->Get(id).value();
  EXPECT_EQ(info.counts.finished, 18u);
  EXPECT_EQ(info.counts.by_end[static_cast<int>(End::kReturned)], 15u);
  EXPECT_EQ(info.counts.by_end[static_cast<int>(End::kResultsLimit)], 3u);
  // What comes now stands behind them.
  Append(id, 90, 2);
  Barrier();
  EXPECT_EQ(Read(id, 18), From(90, 2));
}

// More than the cache holds, and more results than a block.
TEST_P(DurableResultsTest, ManyResultsKeepTheirOrder) {
  const std::string id = NewJob();
  for (uint64_t first = 0; first < 50'000; first += 10'000) {
    uint64_t at = 0;
    while (at < 10'000) {
      const uint64_t granted = store_->SinkOf(id)->Reserve(10'000 - at);
      if (granted > 0) store_->SinkOf(id)->OnResults(Results(first + at, granted));
      at += granted;
      if (granted == 0) Barrier();
    }
  }
  Barrier();
  std::vector<uint64_t> all;
  for (uint64_t position = 0; position < 50'000;) {
    const Result<ResultRow> row = store_->Read(id, position, 100'000);
    ASSERT_TRUE(row.ok()) << row.status().message();
    ASSERT_GT(row->next, position);
    ASSERT_EQ(row->available, 50'000 - row->next);
    for (const ResultSlice& slice : row->slices) {
      for (size_t i = slice.from; i < slice.to; ++i) all.push_back(slice.batch->instances()[i]);
    }
    position = row->next;
  }
  EXPECT_EQ(all, From(0, 50'000));
}

TEST_P(DurableResultsTest, RoomIsBoundedByMemoryUntilResultsAreStored) {
  const std::string id = NewJob();
  const uint64_t room = store_->SinkOf(id)->Room();
  EXPECT_GT(room, 100u);
  EXPECT_LT(room, 2000u);  // of a MiB, each 1,000 bytes at most
  std::atomic<int> calls{0};
  store_->Listen({[&calls](JobId) { ++calls; }});
  ASSERT_EQ(store_->SinkOf(id)->Reserve(room), room);
  EXPECT_EQ(store_->SinkOf(id)->Reserve(1), 0u);
  store_->SinkOf(id)->OnResults(Results(0, room));
  Barrier();
  EXPECT_GT(store_->SinkOf(id)->Room(), 0u);
  EXPECT_EQ(calls, 1);
  store_->Listen({});
}

TEST_P(DurableResultsTest, AcknowledgedResultsMakeRoomOnTheDisk) {
  limits_.jobs.results = {100'000, 100'000, 1000};
  Open();
  const std::string id = NewJob();
  uint64_t came = 0;
  while (store_->SinkOf(id)->Room() > 0) {
    Append(id, came++, 1);
    Barrier();
  }
  EXPECT_LT(came, 100u);
  EXPECT_NE(store_->Get(id)->held_by_results.find("results.max_job_bytes"), std::string::npos);
  EXPECT_TRUE(store_->Acknowledge(id, came).value());
  EXPECT_GT(store_->SinkOf(id)->Room(), 0u);
  for (int i = 0; i < 90 && store_->Read(id, 0, 1000).ok(); ++i) {
    Append(id, came++, 1);
    Barrier();
    EXPECT_TRUE(store_->Acknowledge(id, came).ok());
  }
  EXPECT_EQ(store_->Read(id, 0, 1000).status().reason(), Reason::kCursorExpired);
  EXPECT_EQ(Read(id, came - 1), From(came - 1, 1));
  // Those that are gone have run all the same.
  Open();
  EXPECT_EQ(Load().at(0).finished.count(), came);
}

}  // namespace
}  // namespace wb
