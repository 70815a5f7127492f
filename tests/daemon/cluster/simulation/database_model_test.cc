#include "tests/daemon/cluster/simulation/database_model.h"

#include <gtest/gtest.h>

#include "tests/daemon/cluster/simulation/database_load.h"

namespace wb::test {
namespace {

DatabaseLoad Commits(uint32_t clients, uint32_t jobs) {
  DatabaseLoad load;
  load.transaction.work = DatabaseWork::kCommit;
  load.clients = clients;
  load.jobs = jobs;
  return load;
}

// A slow disk, so that nothing else counts.
DatabaseCosts SlowDisk() {
  DatabaseCosts costs;
  costs.round_trip = 1e-5;
  costs.flush = 0.01;
  costs.work = {1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6};
  costs.byte = costs.row_waiter = costs.listener = 0;
  return costs;
}

TEST(DatabaseModelTest, CommitsOfOneJobAreOneAtATime) {
  EXPECT_NEAR(PerSecond(SlowDisk(), Commits(1, 1)), 100, 3);
  EXPECT_NEAR(PerSecond(SlowDisk(), Commits(50, 1)), 100, 3);
}

// Half of them come while the flush of the others is under way, and wait for the next one.
TEST(DatabaseModelTest, CommitsOfSeveralJobsShareAFlush) {
  EXPECT_NEAR(PerSecond(SlowDisk(), Commits(50, 50)), 25 * 100, 100);
}

TEST(DatabaseModelTest, NewsAreOneAtATimeAcrossJobs) {
  DatabaseCosts costs = SlowDisk();
  costs.listener = 0.0001;
  DatabaseLoad load = Commits(50, 50);
  load.transaction.work = DatabaseWork::kNews;
  load.listeners = 20;
  EXPECT_NEAR(PerSecond(costs, load), 500, 10);
}

TEST(DatabaseModelTest, ClaimsDoNotWaitForTheDisk) {
  DatabaseLoad load = Commits(1, 1);
  load.transaction.work = DatabaseWork::kClaim;
  EXPECT_GT(PerSecond(SlowDisk(), load), 10'000);
}

TEST(DatabaseModelTest, TheMoreWaitForAJobTheLongerEachTakes) {
  DatabaseCosts costs = SlowDisk();
  costs.row_waiter = 0.0002;
  EXPECT_NEAR(PerSecond(costs, Commits(51, 1)), 1 / (0.01 + 50 * 0.0002), 3);
}

TEST(DatabaseModelTest, ReadsAreLimitedByProcessors) {
  DatabaseCosts costs = SlowDisk();
  costs.work[static_cast<size_t>(DatabaseWork::kRead)] = 0.001;
  DatabaseLoad reads;
  reads.clients = 10;
  EXPECT_NEAR(PerSecond(costs, reads), 2000, 20);
  costs.processors = 4;
  EXPECT_NEAR(PerSecond(costs, reads), 4000, 40);
}

TEST(DatabaseModelTest, ATransactionTakesEffectBeforeItAnswers) {
  EventQueue events;
  DatabaseModel database(&events, SlowDisk());
  Transaction commit = Commits(1, 1).transaction;
  double committed = 0;
  commit.commits = [&] { committed = events.now(); };
  commit.answers = [&] { EXPECT_NEAR(events.now() - committed, 5e-6, 1e-9); };
  database.Run(commit);
  while (!events.empty()) events.RunOne();
  EXPECT_NEAR(committed, 0.01, 0.0001);
  EXPECT_EQ(database.count(DatabaseWork::kCommit), 1u);
}

}  // namespace
}  // namespace wb::test
