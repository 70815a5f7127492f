// Results that travel as columns are, with a client, those that travel whole.

#include "daemon/translate/translate_columns.h"

#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <random>

#include "client/result_columns.h"
#include "daemon/translate/translate_row.h"
#include "tests/fakes/random_results.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

using google::protobuf::util::MessageDifferencer;
using test::RandomResults;

JobInfo JobWith(JobRequest request) {
  JobInfo job;
  job.id = "01J00000000000000000000000";
  job.request = std::make_shared<const JobRequest>(std::move(request));
  return job;
}

ResultRow RowOf(const std::vector<InstanceResult>& results) {
  const auto batch = std::make_shared<const ResultBatch>(results);
  ResultRow row;
  row.slices = {{batch, 0, results.size() / 3}, {batch, results.size() / 3, results.size()}};
  row.next = results.size();
  return row;
}

v1::ReadResultsResponse MessageOf(const ResultRow& row, const JobInfo& job, ResultForm form) {
  v1::ReadResultsResponse message;
  RowToProto(row, job, form, &message);
  message.mutable_counts()->set_finished(7);
  return message;
}

void ExpectTheSame(const std::vector<InstanceResult>& results, const JobRequest& request) {
  const JobInfo job = JobWith(request);
  const ResultRow row = RowOf(results);
  const v1::ReadResultsResponse whole = MessageOf(row, job, ResultForm::kWhole);
  const v1::ReadResultsResponse columns = MessageOf(row, job, ResultForm::kColumns);
  EXPECT_EQ(columns.results_size(), 0);
  const auto expanded = WholeResults(columns);
  ASSERT_TRUE(expanded.ok()) << expanded.status().message();
  EXPECT_TRUE(MessageDifferencer::Equals(whole, *expanded));
}

TEST(TranslateColumns, AreTheResults) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    ExpectTheSame(RandomResults(seed).Make(seed * 4), {});
  }
}

TEST(TranslateColumns, ShowTheStepsThatAreShown) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    JobRequest request;
    request.shown_steps = seed % 3;
    ExpectTheSame(RandomResults(seed).Make(100), request);
  }
}

TEST(TranslateColumns, HaveTheCallsThatWereRecorded) {
  JobRequest request;
  request.recorded = {{"env.log", {ValueType::kI32}}};
  std::vector<InstanceResult> results = RandomResults(3).Make(20);
  Bytes record(16);
  record[8] = 42;
  results[5].outputs = {{StreamName({}, kRecordStream), record}, {"out", {1}}};
  ExpectTheSame(results, request);
}

TEST(TranslateColumns, OfAlikeResultsHaveFewBytes) {
  std::vector<InstanceResult> results(1000);
  for (size_t i = 0; i < results.size(); ++i) {
    results[i].instance = i;
    results[i].fuel = 1000;
    results[i].steps.emplace_back().values.push_back(Value::I32(7));
  }
  const v1::ReadResultsResponse message =
      MessageOf(RowOf(results), JobWith({}), ResultForm::kColumns);
  EXPECT_LT(message.ByteSizeLong(), 13 * results.size());
}

// What a message may take bounds it, also where no instance follows another and few are alike.
TEST(TranslateColumns, TakeNoMoreThanTheyAreMeasuredAt) {
  for (const bool alike : {true, false}) {
    std::vector<InstanceResult> results = RandomResults(6).Make(2000);
    for (size_t i = 0; i < results.size(); ++i) {
      if (alike) results[i] = InstanceResult();
      results[i].instance = (i * 0x9e3779b97f4a7c15u) >> 1;
      results[i].fuel = UINT64_MAX;
    }
    const auto batch = std::make_shared<const ResultBatch>(results);
    size_t used = 0;
    const size_t end = batch->Fitting(0, results.size(), SIZE_MAX, ResultForm::kColumns, &used);
    v1::ResultColumns columns;
    ColumnsToProto({batch, 0, end}, {}, &columns);
    EXPECT_LE(columns.ByteSizeLong(), used) << alike;
  }
}

// A client is told, whatever it is sent.
TEST(TranslateColumns, ThatDoNotFitTogetherAreRefused) {
  const v1::ReadResultsResponse message =
      MessageOf(RowOf(RandomResults(2).Make(60)), JobWith({}), ResultForm::kColumns);
  const std::string bytes = message.SerializeAsString();
  std::mt19937_64 random(1);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = bytes;
    damaged[random() % damaged.size()] ^= static_cast<char>(1u << random() % 8);
    v1::ReadResultsResponse read;
    if (!read.ParseFromString(damaged)) continue;
    if (!WholeResults(read).ok()) ++refused;
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace wb
