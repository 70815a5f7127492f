// A disk that is full for a while.

#include <thread>

#include "tests/daemon/metrics/metric_text.h"
#include "tests/daemon/store/durable/durable_jobs.h"

namespace wb {
namespace {

class FullDiskTest : public test::DurableJobsTest {};

INSTANTIATE_TEST_SUITE_P(Stores, FullDiskTest,
                         testing::Values(test::StoreKind::kSqlite, test::StoreKind::kPostgres),
                         test::StoreKindName);

TEST_P(FullDiskTest, AFullDiskRefusesJobsAndKeepsResults) {
  const std::string id = NewJob();
  full_ = true;
  Append(id, 0, 10);
  const Result<JobStore::Created> refused = store_->Create(Request());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().reason(), Reason::kNoSpace);
  EXPECT_TRUE(Read(id).empty());
  EXPECT_TRUE(store_->MarkCancelling(id).ok());
  EXPECT_TRUE(store_->is_failing());
  const std::string failures = "wasmburst_storage_commit_failures_total";
  EXPECT_GE(ReadMetricText(figures_->Text()).Value(failures), 1);
  full_ = false;
  Barrier();
  EXPECT_FALSE(store_->is_failing());
  EXPECT_EQ(Read(id), From(0, 10));
  EXPECT_EQ(store_->List({}, "", 100).jobs.size(), 1u);
  Open();
  const std::vector<LoadedJob> jobs = Load();
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].record.info.state, JobState::kCancelling);
  EXPECT_EQ(jobs[0].finished.count(), 10u);
}

// That nothing is left to write is no sign that the disk works: something is written.
TEST_P(FullDiskTest, AFullDiskIsTriedAgainWhereNobodyWrites) {
  const auto until = [this](const std::function<bool()>& is_so) {
    for (int tries = 0; tries < 1000 && !is_so(); ++tries) {
      store_->Expire();  // as the daemon does every second
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return is_so();
  };
  full_ = true;
  EXPECT_FALSE(store_->Create(Request()).ok());
  EXPECT_TRUE(until([this] {
    return ReadMetricText(figures_->Text()).Value("wasmburst_storage_commit_failures_total") >= 3;
  }));
  EXPECT_TRUE(store_->is_failing());
  full_ = false;
  EXPECT_TRUE(until([this] { return !store_->is_failing(); }));
}

}  // namespace
}  // namespace wb
