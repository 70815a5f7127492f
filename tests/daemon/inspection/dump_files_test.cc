#include "daemon/inspection/dump_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace wb {
namespace {

constexpr const char* kJob = "01M87QBAA08AQ02B1D3R8HPACR";
constexpr const char* kOtherJob = "01M87QBAA08AQ02B1D3R8HPACS";

Bytes BytesOfDump(size_t size) { return Bytes(size, 7); }

class DumpFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_dumps_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::unique_ptr<DumpFiles> Open(DumpFiles::Limits limits = {1 << 20, 1 << 20}) {
    return DumpFiles::Open(folder_ + "/dumps", limits).value();
  }
  std::string PathOf(const std::string& job) {
    for (const auto& file : std::filesystem::directory_iterator(folder_ + "/dumps/" + job)) {
      return file.path().string();
    }
    return "";
  }
  std::string folder_;
};

TEST_F(DumpFilesTest, DumpsAndRequestsAreThereAgain) {
  for (const bool is_on_disk : {true, false}) {
    const auto files =
        DumpFiles::Open(is_on_disk ? folder_ + "/dumps" : "", {1 << 20, 1 << 20}).value();
    ASSERT_TRUE(files->Put(kJob, "a", 17, BytesOfDump(100)).ok());
    ASSERT_TRUE(files->Put(kJob, "a", std::nullopt, BytesOfDump(50)).ok());
    EXPECT_EQ(files->Get(kJob, 17).value(), BytesOfDump(100));
    EXPECT_EQ(files->Get(kJob, std::nullopt).value(), BytesOfDump(50));
    EXPECT_TRUE(files->Has(kJob, 17));
    EXPECT_EQ(files->Get(kJob, 18).status().reason(), Reason::kNotFound);
    EXPECT_EQ(files->bytes(), 150u);
    files->Forget(kJob);
    EXPECT_EQ(files->Get(kJob, 17).status().reason(), Reason::kNotFound);
    EXPECT_EQ(files->bytes(), 0u);
  }
}

TEST_F(DumpFilesTest, TheyOutliveTheDaemonWithTheirJob) {
  ASSERT_TRUE(Open()->Put(kJob, "a", 17, BytesOfDump(100)).ok());
  ASSERT_TRUE(Open()->Put(kOtherJob, "a", 1, BytesOfDump(100)).ok());
  const auto files = Open();
  files->Restore([](const std::string& job) -> std::optional<std::string> {
    if (job == kJob) return "a";
    return std::nullopt;
  });
  EXPECT_EQ(files->Get(kJob, 17).value(), BytesOfDump(100));
  EXPECT_EQ(files->Jobs(), std::vector<std::string>{kJob});
  EXPECT_EQ(files->bytes(), 100u);
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/dumps/" + kOtherJob));
}

TEST_F(DumpFilesTest, WhatIsDamagedIsNotServed) {
  const auto files = Open();
  ASSERT_TRUE(files->Put(kJob, "a", 17, BytesOfDump(100)).ok());
  std::ofstream(PathOf(kJob), std::ios::in | std::ios::out).write("x", 1);
  EXPECT_EQ(files->Get(kJob, 17).status().reason(), Reason::kBlobCorrupt);
}

TEST_F(DumpFilesTest, AJobHasItsBound) {
  const auto files = Open({1 << 20, 150});
  ASSERT_TRUE(files->Put(kJob, "a", 1, BytesOfDump(100)).ok());
  const Status refused = files->Put(kJob, "a", 2, BytesOfDump(51));
  EXPECT_EQ(refused.reason(), Reason::kLimitTooHigh);
  EXPECT_NE(refused.message().find("inspection.max_job_bytes"), std::string::npos);
  EXPECT_TRUE(files->Put(kOtherJob, "a", 2, BytesOfDump(51)).ok());
}

TEST_F(DumpFilesTest, ATenantLeavesRoomToOthers) {
  const auto files = Open({400, 1 << 20});
  ASSERT_TRUE(files->Put(kJob, "a", 1, BytesOfDump(200)).ok());
  const Status refused = files->Put(kJob, "a", 2, BytesOfDump(1));
  EXPECT_EQ(refused.reason(), Reason::kQueueFull);
  EXPECT_NE(refused.message().find("inspection.max_total_bytes"), std::string::npos);
  EXPECT_TRUE(files->Put(kOtherJob, "b", 2, BytesOfDump(100)).ok());
  files->Forget(kJob);
  EXPECT_TRUE(files->Put(kJob, "a", 2, BytesOfDump(100)).ok());
}

TEST_F(DumpFilesTest, NothingIsLeftOfAJobThatWasRefused) {
  const auto files = Open({1 << 20, 10});
  EXPECT_FALSE(files->Put(kJob, "a", 1, BytesOfDump(100)).ok());
  EXPECT_TRUE(files->Jobs().empty());
}

}  // namespace
}  // namespace wb
