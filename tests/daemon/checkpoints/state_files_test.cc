// Files of states: bounds, newer ones, and what an earlier daemon left.

#include "daemon/checkpoints/state_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "daemon/store/names.h"

namespace wb {
namespace {

class StateFilesTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_states_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    Open({10000, 8000});
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void Open(const StateFiles::Limits& limits) {
    files_ = StateFiles::Open(GetParam() ? folder_ + "/states" : "", limits).value();
  }
  Status Put(uint64_t instance, size_t bytes, const std::string& job = kOne) {
    return files_->Put(job, "tenant", instance, Bytes(bytes, static_cast<uint8_t>(bytes)));
  }

  inline static const std::string kOne = MakeJobId(1000, 1, 1);
  inline static const std::string kTwo = MakeJobId(1001, 1, 1);
  std::string folder_;
  std::unique_ptr<StateFiles> files_;
};

TEST_P(StateFilesTest, ANewerStateTakesThePlaceOfTheOlder) {
  ASSERT_TRUE(Put(3, 1000).ok());
  ASSERT_TRUE(Put(7, 500).ok());
  ASSERT_TRUE(Put(3, 200).ok());
  EXPECT_EQ(files_->InstancesOf(kOne), (std::vector<uint64_t>{3, 7}));
  EXPECT_EQ(files_->BytesOf(kOne), 700u);
  EXPECT_EQ(files_->bytes(), 700u);
  EXPECT_EQ(files_->Get(kOne, 3).value(), Bytes(200, 200));
  EXPECT_EQ(files_->Begin(kOne, 3, 10).value().size(), 10u);
  EXPECT_EQ(files_->Get(kOne, 4).status().reason(), Reason::kNotFound);
  files_->Forget(kOne);
  EXPECT_EQ(files_->bytes(), 0u);
  EXPECT_EQ(files_->Get(kOne, 3).status().reason(), Reason::kNotFound);
}

TEST_P(StateFilesTest, BoundsHold) {
  Open({100000, 8000});
  ASSERT_TRUE(Put(1, 5000).ok());
  EXPECT_EQ(Put(2, 4000).reason(), Reason::kLimitTooHigh);
  EXPECT_EQ(files_->BytesOf(kOne), 5000u);
  Open({10000, 8000});
  ASSERT_TRUE(Put(1, 4000).ok());
  EXPECT_EQ(Put(1, 4000, kTwo).reason(), Reason::kQueueFull) << "half is for other tenants";
  EXPECT_EQ(files_->Jobs(), (std::vector<std::string>{kOne}));
}

INSTANTIATE_TEST_SUITE_P(OnDiskAndInMemory, StateFilesTest, testing::Bool());

class StateFilesOnDiskTest : public StateFilesTest {};

TEST_P(StateFilesOnDiskTest, WhatAnEarlierDaemonLeftIsAdopted) {
  ASSERT_TRUE(Put(3, 1000).ok());
  ASSERT_TRUE(Put(4, 1000, kTwo).ok());
  const std::string of_one = folder_ + "/states/" + kOne;
  std::ofstream(of_one + "/9.new") << "half";
  std::ofstream(of_one + "/note") << "none";
  std::filesystem::create_directory(folder_ + "/states/other");
  Open({10000, 8000});
  files_->Adopt(kOne, "tenant");
  files_->RemoveOthers();
  EXPECT_EQ(files_->InstancesOf(kOne), (std::vector<uint64_t>{3}));
  EXPECT_EQ(files_->BytesOf(kOne), 1000u);
  size_t left = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ + "/states")) {
    left += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_EQ(left, 1u) << "of jobs that are gone and of what was half written nothing is left";
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/states/other"));
}

INSTANTIATE_TEST_SUITE_P(OnDisk, StateFilesOnDiskTest, testing::Values(true));

}  // namespace
}  // namespace wb
