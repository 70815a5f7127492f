#include "tests/daemon/cluster/simulation/shared_rows.h"

#include <gtest/gtest.h>

namespace wb::test {
namespace {

using Told = SharedRows::Told;

TEST(SharedRowsTest, AClaimTakesTheFrontOfARange) {
  SharedRows rows({});
  const size_t job = rows.AddJob(100, 2);
  const int64_t host = rows.Enter(0);
  EXPECT_EQ(rows.ranges(job), 2u);
  EXPECT_EQ(rows.Claim(host, job, 20)->first, 0u);
  EXPECT_EQ(rows.Claim(host, job, 100)->count, 30u);  // the range's end
  EXPECT_EQ(rows.Claim(host, job, 100)->first, 50u);
  EXPECT_FALSE(rows.Claim(host, job, 1));
  EXPECT_EQ(rows.open(job), 0u);
}

TEST(SharedRowsTest, ASilentHostsInstancesWithoutResultsAreOpenAgain) {
  SharedRows rows({});
  const size_t job = rows.AddJob(10, 1);
  const int64_t silent = rows.Enter(0);
  const int64_t other = rows.Enter(0);
  const RowChunk chunk = *rows.Claim(silent, job, 10);
  EXPECT_EQ(rows.Commit(silent, chunk, 1, {2, 3, 7}), Told::kStored);
  EXPECT_TRUE(rows.Hear(other, 20));
  EXPECT_EQ(rows.DropSilent(20, 15), 1u);
  EXPECT_FALSE(rows.Hear(silent, 21));
  EXPECT_EQ(rows.open(job), 7u);
  EXPECT_EQ(rows.ranges(job), 3u);
  EXPECT_EQ(rows.Commit(silent, chunk, 2, {4}), Told::kDropped);
  EXPECT_FALSE(rows.Claim(silent, job, 1));
  EXPECT_EQ(rows.Claim(other, job, 10)->count, 2u);
  EXPECT_EQ(rows.lost() + rows.doubled(), 0u);
}

TEST(SharedRowsTest, ACommitThatIsRepeatedChangesNothing) {
  SharedRows rows({});
  const size_t job = rows.AddJob(4, 1);
  const int64_t host = rows.Enter(0);
  const RowChunk chunk = *rows.Claim(host, job, 4);
  for (int repeats = 0; repeats < 2; ++repeats) {
    EXPECT_EQ(rows.Commit(host, chunk, 1, {0, 1}), Told::kStored);
  }
  for (int repeats = 0; repeats < 2; ++repeats) {
    EXPECT_EQ(rows.Commit(host, chunk, 2, {2, 3}), Told::kStored);
  }
  EXPECT_TRUE(rows.HasEnded(job));
  EXPECT_EQ(rows.doubled(), 0u);
}

TEST(SharedRowsTest, TheBookShowsWhatABrokenRuleDoes) {
  SharedRules rules;
  rules.fences = rules.returns_chunks = false;
  SharedRows rows(rules);
  const size_t job = rows.AddJob(4, 1);
  const int64_t host = rows.Enter(0);
  const RowChunk chunk = *rows.Claim(host, job, 2);
  rows.DropSilent(20, 15);
  EXPECT_EQ(rows.lost(), 2u);
  rows.Commit(host, chunk, 1, {0});
  rows.Commit(host, chunk, 2, {0});
  EXPECT_EQ(rows.lost(), 1u);
  EXPECT_EQ(rows.doubled(), 1u);
}

TEST(SharedRowsTest, ChunksThatAHostNeverHeardOfAreOpenAgain) {
  SharedRows rows({});
  const size_t job = rows.AddJob(10, 1);
  const int64_t host = rows.Enter(0);
  const RowChunk known = *rows.Claim(host, job, 3);
  rows.Claim(host, job, 4);
  rows.GiveBackOthers(host, {known.id});
  EXPECT_EQ(rows.open(job), 7u);
  EXPECT_EQ(rows.Commit(host, known, 1, {0}), Told::kStored);
}

}  // namespace
}  // namespace wb::test
