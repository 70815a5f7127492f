// Results in columns: nothing of them is lost, and what they come to is right.

#include "scheduler/job/result_batch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/fakes/random_results.h"

namespace wb {
namespace {

using test::ExpectSame;
using test::RandomResults;

std::vector<InstanceResult> Alike(size_t count) {
  std::vector<InstanceResult> results(count);
  for (size_t i = 0; i < count; ++i) {
    results[i].instance = i;
    results[i].fuel = 10 + i;
    results[i].device = "cpu0";
    results[i].steps.emplace_back().values.push_back(Value::I32(static_cast<uint32_t>(i)));
  }
  return results;
}

TEST(ResultBatch, HoldsAllOfEachResult) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const std::vector<InstanceResult> results = RandomResults(seed).Make(seed * 5);
    const ResultBatch batch(results);
    ASSERT_EQ(batch.size(), results.size());
    for (size_t row = 0; row < results.size(); ++row) ExpectSame(results[row], batch.At(row));
  }
}

TEST(ResultBatch, CountsWhatResultsComeTo) {
  const std::vector<InstanceResult> results = RandomResults(4).Make(300);
  const ResultBatch batch(results);
  uint64_t trapped = 0;
  uint64_t bytes = 0;
  uint64_t fuel = 0;
  for (const InstanceResult& result : results) {
    trapped += result.end == End::kTrapped ? 1 : 0;
    bytes += ResultBytes(result);
    fuel += result.fuel;
  }
  EXPECT_EQ(batch.count(End::kTrapped), trapped);
  EXPECT_EQ(batch.count(End::kReturned), results.size() - trapped);
  EXPECT_EQ(batch.bytes(), bytes);
  EXPECT_EQ(batch.fuel(), fuel);
}

TEST(ResultBatch, TakesTheRowsOfAnother) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<InstanceResult> results = RandomResults(seed).Make(60);
    ResultBatch joined(std::vector(results.begin(), results.begin() + 25));
    joined.Append(ResultBatch(std::vector(results.begin() + 25, results.end())));
    const ResultBatch whole(results);
    ASSERT_EQ(joined.size(), results.size());
    for (size_t row = 0; row < results.size(); ++row) ExpectSame(results[row], joined.At(row));
    EXPECT_EQ(joined.fuel(), whole.fuel());
    EXPECT_EQ(joined.bytes(), whole.bytes());
    EXPECT_EQ(joined.count(End::kTrapped), whole.count(End::kTrapped));
    joined.Add(results[0]);
    ExpectSame(results[0], joined.At(60));
  }
}

TEST(ResultBatch, AlikeResultsShareAShape) {
  const ResultBatch batch(Alike(1000));
  EXPECT_EQ(batch.shapes().size(), 1u);
  EXPECT_EQ(batch.runs().size(), 1u);
  EXPECT_LT(batch.held_bytes(), 1000 * 21);
}

// The largest is what one more result may take: its shape with it, if that is new.
TEST(ResultBatch, TheLargestIsOneResultWithItsShape) {
  std::vector<InstanceResult> results = Alike(10);
  const uint64_t of_first = ResultBatch(std::vector(1, results[0])).held_bytes();
  EXPECT_EQ(ResultBatch(results).largest(), of_first);
  results[5].outputs.push_back({"out", Bytes(1000)});
  EXPECT_EQ(ResultBatch(results).largest(), 1000 + sizeof(ResultBatch::OutputPlace) + 16 + 4);
}

TEST(ResultBatch, OfARangeInstancesEndedAlike) {
  const ResultBatch batch = ResultBatch::Of({100, 50, 3, End::kExpired}, 120, 5);
  ASSERT_EQ(batch.size(), 5u);
  EXPECT_EQ(batch.At(4).instance, 124u);
  EXPECT_EQ(batch.At(4).attempt, 3u);
  EXPECT_EQ(batch.count(End::kExpired), 5u);
}

TEST(ResultBatch, AsManyFitAsTheBytesHold) {
  const ResultBatch batch(Alike(100));
  for (const ResultForm form : {ResultForm::kWhole, ResultForm::kColumns}) {
    size_t all = 0;
    EXPECT_EQ(batch.Fitting(0, 100, SIZE_MAX, form, &all), 100u);
    size_t used = 0;
    const size_t half = batch.Fitting(0, 100, all / 2, form, &used);
    EXPECT_NEAR(static_cast<double>(half), 50, 2);
    EXPECT_LE(used, all / 2);
    EXPECT_EQ(batch.Fitting(30, 100, 0, form, &used), 31u);  // one at least
    EXPECT_EQ(batch.Fitting(30, 40, SIZE_MAX, form, &used), 40u);
  }
}

// Rows without outputs are not looked at one by one: what fits is the same beside a row with some.
TEST(ResultBatch, AsManyFitWithAndWithoutOutputsBehindThem) {
  std::vector<InstanceResult> results = Alike(40);
  for (size_t i = 15; i < 30; ++i) results[i].steps.clear();  // another shape
  const ResultBatch without(results);
  results.back().outputs.push_back({"out", Bytes(10)});
  const ResultBatch with(results);
  for (const ResultForm form : {ResultForm::kWhole, ResultForm::kColumns}) {
    for (size_t bytes = 0; bytes < 20000; bytes += 7) {
      size_t used[2] = {};
      const size_t row = without.Fitting(3, 39, bytes, form, &used[0]);
      ASSERT_EQ(row, with.Fitting(3, 39, bytes, form, &used[1])) << bytes;
      ASSERT_EQ(used[0], used[1]) << bytes;
    }
  }
}

TEST(ResultBatch, AWholeResultTakesAsMuchAsTheObject) {
  const std::vector<InstanceResult> results = RandomResults(8).Make(100);
  const ResultBatch batch(results);
  size_t used = 0;
  EXPECT_EQ(batch.Fitting(0, 100, SIZE_MAX, ResultForm::kWhole, &used), 100u);
  uint64_t held = 0;
  for (const InstanceResult& result : results) held += HeldBytes(result);
  EXPECT_EQ(used, held);
}

}  // namespace
}  // namespace wb
