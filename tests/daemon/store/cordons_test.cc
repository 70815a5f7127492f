#include "daemon/store/cordons.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "daemon/store/state_file.h"
#include "tests/daemon/fake_scheduler.h"

namespace wb {
namespace {

using namespace std::chrono_literals;

TEST(CordonsFile, ComesBackAsItWas) {
  const Cordons::Since since = {{"cpu0", 1'700'000'000'000'000'000}, {"cuda11", -5}};
  EXPECT_EQ(DecodeCordons(EncodeCordons(since)), since);
  EXPECT_EQ(DecodeCordons(EncodeCordons({})), Cordons::Since());
}

TEST(CordonsFile, EveryChangedByteIsSeen) {
  const std::string whole = EncodeCordons({{"cpu0", 12}, {"cuda0", 34}});
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] ^= 1;
    EXPECT_FALSE(DecodeCordons(damaged)) << i;
    EXPECT_FALSE(DecodeCordons(whole.substr(0, i))) << i;
  }
  EXPECT_FALSE(DecodeCordons(whole + "x"));
}

TEST(CordonsFile, WhatIsNotADeviceIsRefused) {
  for (const char* id : {"", "cpu 0", "../x", "CPU0"}) {
    EXPECT_FALSE(DecodeCordons(EncodeCordons({{id, 1}}))) << id;
  }
}

class CordonsTest : public testing::Test {
 protected:
  CordonsTest() {
    char folder[] = "/tmp/wb_cordons_XXXXXX";
    EXPECT_NE(mkdtemp(folder), nullptr);
    home_ = folder;
    NextDaemon();
  }
  ~CordonsTest() override { std::filesystem::remove_all(home_); }

  // After any end of the last one, kill -9 included: an order is kept once it returns.
  void NextDaemon() {
    scheduler_ = std::make_unique<FakeScheduler>();
    cordons_ =
        std::make_unique<Cordons>(scheduler_.get(), home_ + "/state", [this] { return now_; });
    cordons_->Restore();
  }
  Gate gate() const { return scheduler_->Devices()[0].gate; }
  std::string path() const { return home_ + "/state/cordons"; }

  int64_t now_ = 1'000'000'000'000;
  std::string home_;
  std::unique_ptr<FakeScheduler> scheduler_;
  std::unique_ptr<Cordons> cordons_;
};

TEST_F(CordonsTest, ACordonIsThereForTheNextDaemonUntilItIsLifted) {
  EXPECT_TRUE(cordons_->Order("fake0", {Gate::kCordoned, {}}).ok());
  NextDaemon();
  EXPECT_EQ(gate(), Gate::kCordoned);
  EXPECT_FALSE(cordons_->Order("fake0", {Gate::kCordoned, {}})->changed);
  EXPECT_TRUE(cordons_->Order("fake0", {Gate::kOpen, {}})->changed);
  NextDaemon();
  EXPECT_EQ(gate(), Gate::kOpen);
}

TEST_F(CordonsTest, ADrainComesBackAsACordon) {
  EXPECT_TRUE(cordons_->Order("fake0", {Gate::kDraining, 1h}).ok());
  EXPECT_EQ(gate(), Gate::kDraining);
  NextDaemon();
  EXPECT_EQ(gate(), Gate::kCordoned);
}

TEST_F(CordonsTest, AnUnknownDeviceChangesNothing) {
  EXPECT_EQ(cordons_->Order("cuda7", {Gate::kCordoned, {}}).status().reason(), Reason::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(CordonsTest, ADeviceThatIsNotHereStaysClosedForWhenItIs) {
  EXPECT_TRUE(WriteStateFile(home_ + "/state", "cordons", EncodeCordons({{"cuda3", 1}})).ok());
  NextDaemon();
  EXPECT_EQ(gate(), Gate::kOpen);
  EXPECT_TRUE(cordons_->Order("fake0", {Gate::kCordoned, {}}).ok());
  const auto text = ReadStateFile(path()).value();
  EXPECT_EQ(DecodeCordons(*text), (Cordons::Since{{"cuda3", 1}, {"fake0", now_}}));
}

TEST_F(CordonsTest, ADamagedFileIsIgnoredAndReplaced) {
  EXPECT_TRUE(cordons_->Order("fake0", {Gate::kCordoned, {}}).ok());
  std::ofstream(path(), std::ios::app) << "x";
  NextDaemon();
  EXPECT_EQ(gate(), Gate::kOpen);
  EXPECT_TRUE(cordons_->Order("fake0", {Gate::kCordoned, {}}).ok());
  NextDaemon();
  EXPECT_EQ(gate(), Gate::kCordoned);
}

TEST_F(CordonsTest, WhatIsNoFileOfOursIsNotRead) {
  std::filesystem::create_directories(path());
  NextDaemon();
  EXPECT_EQ(gate(), Gate::kOpen);
  std::filesystem::remove(path());
  EXPECT_EQ(mkfifo(path().c_str(), 0600), 0);
  NextDaemon();  // and does not hold it up
  EXPECT_EQ(gate(), Gate::kOpen);
}

TEST_F(CordonsTest, AnOrderThatCannotBeKeptSaysSo) {
  std::ofstream(home_ + "/state") << "a file where the folder should be";
  const Status status = cordons_->Order("fake0", {Gate::kCordoned, {}}).status();
  EXPECT_EQ(status.reason(), Reason::kIoError);
  EXPECT_NE(status.message().find("is cordoned, but not for the next daemon"), std::string::npos);
  EXPECT_EQ(gate(), Gate::kCordoned);
}

TEST_F(CordonsTest, ALinkInTheFoldersPlaceIsNotFollowed) {
  std::filesystem::create_directory(home_ + "/victim");
  std::filesystem::create_symlink(home_ + "/victim", home_ + "/state");
  const Status status = WriteStateFile(home_ + "/state", "cordons", "text");
  EXPECT_EQ(status.reason(), Reason::kIoError);
  EXPECT_NE(status.message().find("is a symbolic link"), std::string::npos) << status.message();
  EXPECT_TRUE(std::filesystem::is_empty(home_ + "/victim"));
  std::ofstream(home_ + "/victim/cordons") << "planted";
  EXPECT_FALSE(ReadStateFile(path()).ok());
}

// A daemon that was killed while it wrote leaves a part of the new file beside the old one.
TEST_F(CordonsTest, AWriteCutShortLeavesTheOldFile) {
  EXPECT_TRUE(cordons_->Order("fake0", {Gate::kCordoned, {}}).ok());
  std::ofstream(path() + ".new") << "wasmburst cor";
  NextDaemon();
  EXPECT_EQ(gate(), Gate::kCordoned);
  EXPECT_TRUE(cordons_->Order("fake0", {Gate::kOpen, {}}).ok());
  NextDaemon();
  EXPECT_EQ(gate(), Gate::kOpen);
}

}  // namespace
}  // namespace wb
