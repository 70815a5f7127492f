#include "daemon/store/cordons.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/database/sqlite_registry.h"
#include "daemon/database/state_file.h"
#include "tests/daemon/fake_scheduler.h"

namespace wb {
namespace {

using namespace std::chrono_literals;

class CordonsTest : public testing::Test {
 protected:
  CordonsTest() {
    char folder[] = "/tmp/wb_cordons_XXXXXX";
    EXPECT_NE(mkdtemp(folder), nullptr);
    home_ = folder;
    std::filesystem::create_directory(home_ + "/state");
    NextDaemon();
  }
  ~CordonsTest() override {
    registry_.reset();
    std::filesystem::remove_all(home_);
  }

  // After any end of the last one, kill -9 included: an order is kept once it returns.
  void NextDaemon() {
    registry_.reset();
    registry_ = SqliteRegistry::Open(home_ + "/state").value();
    NextDaemonOn(registry_);
  }
  void NextDaemonOn(std::shared_ptr<Registry> registry) {
    scheduler_ = std::make_unique<FakeScheduler>();
    cordons_ =
        std::make_unique<Cordons>(scheduler_.get(), std::move(registry), [this] { return now_; });
    EXPECT_TRUE(cordons_->Load().ok());
    cordons_->Restore();
  }
  Gate gate() const { return scheduler_->Devices()[0].gate; }
  std::vector<CordonRow> rows() { return registry_->Cordons().value(); }

  int64_t now_ = 1'000'000'000'000;
  std::string home_;
  std::shared_ptr<Registry> registry_;
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
  EXPECT_TRUE(rows().empty());
}

TEST_F(CordonsTest, ADeviceThatIsNotHereStaysClosedForWhenItIs) {
  ASSERT_TRUE(registry_->AddCordon({"cuda3", 1}).ok());
  ASSERT_TRUE(registry_->AddCordon({"no device", 1}).ok());
  NextDaemon();
  EXPECT_EQ(gate(), Gate::kOpen);
  EXPECT_TRUE(cordons_->Order("fake0", {Gate::kCordoned, {}}).ok());
  EXPECT_EQ(rows(), (std::vector<CordonRow>{{"cuda3", 1}, {"fake0", now_}, {"no device", 1}}));
}

TEST_F(CordonsTest, AnOrderGivenAgainIsSinceTheFirst) {
  EXPECT_TRUE(cordons_->Order("fake0", {Gate::kCordoned, {}}).ok());
  const int64_t first = now_;
  now_ += 5'000'000'000;
  NextDaemon();
  EXPECT_TRUE(cordons_->Order("fake0", {Gate::kCordoned, {}}).ok());
  EXPECT_EQ(rows(), (std::vector<CordonRow>{{"fake0", first}}));
}

TEST_F(CordonsTest, WithoutARegistryAnOrderEndsWithItsDaemon) {
  NextDaemonOn(nullptr);
  EXPECT_TRUE(cordons_->Order("fake0", {Gate::kCordoned, {}}).ok());
  scheduler_->OrderGate("fake0", {Gate::kOpen, {}}).value();
  cordons_->Restore();  // as when devices have come
  EXPECT_EQ(gate(), Gate::kCordoned);
  NextDaemonOn(nullptr);
  EXPECT_EQ(gate(), Gate::kOpen);
  EXPECT_TRUE(rows().empty());
}

TEST_F(CordonsTest, AnOrderThatCannotBeKeptSaysSo) {
  const auto other = Database::Open(home_ + "/state/state.db", Database::Mode::kWrite);
  ASSERT_TRUE((*other)->Run("DROP TABLE cordons").ok());
  const Status status = cordons_->Order("fake0", {Gate::kCordoned, {}}).status();
  EXPECT_EQ(status.reason(), Reason::kIoError);
  EXPECT_NE(status.message().find("is cordoned, but not for the next daemon"), std::string::npos);
  EXPECT_EQ(gate(), Gate::kCordoned);
}

TEST_F(CordonsTest, ALinkInTheFoldersPlaceIsNotFollowed) {
  registry_.reset();
  std::filesystem::remove_all(home_ + "/state");
  std::filesystem::create_directory(home_ + "/victim");
  std::filesystem::create_symlink(home_ + "/victim", home_ + "/state");
  const Status status = WriteStateFile(home_ + "/state", "cordons", "text");
  EXPECT_EQ(status.reason(), Reason::kIoError);
  EXPECT_NE(status.message().find("is a symbolic link"), std::string::npos) << status.message();
  EXPECT_TRUE(std::filesystem::is_empty(home_ + "/victim"));
  std::ofstream(home_ + "/victim/cordons") << "planted";
  EXPECT_FALSE(ReadStateFile(home_ + "/state/cordons").ok());
}

}  // namespace
}  // namespace wb
