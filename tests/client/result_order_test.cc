#include "client/cli/output/result_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

v1::InstanceResult Of(uint64_t instance) {
  v1::InstanceResult result;
  result.set_instance(instance);
  result.set_fuel(instance * 3);
  result.add_outputs()->set_data(std::string(instance % 50, 'x'));
  return result;
}

class ResultOrderTest : public testing::Test {
 protected:
  ResultOrder Order(uint64_t most_bytes, uint64_t first = 0) {
    return ResultOrder(
        [this](const v1::InstanceResult& result) {
          taken_.push_back(result.instance());
          EXPECT_EQ(result.SerializeAsString(), Of(result.instance()).SerializeAsString());
        },
        first, most_bytes);
  }
  std::vector<uint64_t> taken_;
};

TEST_F(ResultOrderTest, WhatComesEarlyWaitsForItsTurn) {
  ResultOrder order = Order(1 << 20);
  for (uint64_t instance : {2, 1}) ASSERT_TRUE(order.Add(Of(instance)).ok());
  EXPECT_TRUE(taken_.empty());
  ASSERT_TRUE(order.Add(Of(0)).ok());
  EXPECT_EQ(taken_, (std::vector<uint64_t>{0, 1, 2}));
  EXPECT_EQ(order.spilled(), 0u);
}

TEST_F(ResultOrderTest, ItMayBeginAtALaterInstance) {
  ResultOrder order = Order(1 << 20, 7);
  for (uint64_t instance : {9, 7, 8}) ASSERT_TRUE(order.Add(Of(instance)).ok());
  EXPECT_EQ(taken_, (std::vector<uint64_t>{7, 8, 9}));
}

TEST_F(ResultOrderTest, BeyondTheBoundItWaitsInAFile) {
  ResultOrder order = Order(2000);
  std::vector<uint64_t> instances(5000);
  for (size_t i = 0; i < instances.size(); ++i) instances[i] = i;
  std::shuffle(instances.begin(), instances.end(), std::mt19937(7));
  for (uint64_t instance : instances) ASSERT_TRUE(order.Add(Of(instance)).ok());
  EXPECT_GT(order.spilled(), 1000u);
  EXPECT_EQ(taken_.size(), 5000u);
  EXPECT_TRUE(std::is_sorted(taken_.begin(), taken_.end()));
}

TEST_F(ResultOrderTest, TheEndBringsWhatStandsBehindGaps) {
  for (const uint64_t most : {0, 1 << 20}) {
    taken_.clear();
    ResultOrder order = Order(most);
    for (uint64_t instance : {0, 9, 4, 100'000}) ASSERT_TRUE(order.Add(Of(instance)).ok());
    EXPECT_EQ(taken_, std::vector<uint64_t>{0});
    ASSERT_TRUE(order.Finish().ok());
    EXPECT_EQ(taken_, (std::vector<uint64_t>{0, 4, 9, 100'000}));
  }
}

TEST_F(ResultOrderTest, AFolderThatTakesNoFilesIsNamed) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TMPDIR", "/nowhere/at/all", 1);
  ResultOrder order = Order(0);
  const Status status = order.Add(Of(1));
  if (before == nullptr) {
    unsetenv("TMPDIR");
  } else {
    setenv("TMPDIR", kept.c_str(), 1);
  }
  EXPECT_EQ(status.reason(), Reason::kIoError);
  EXPECT_NE(status.message().find("TMPDIR"), std::string::npos);
}

}  // namespace
}  // namespace wb::cli
