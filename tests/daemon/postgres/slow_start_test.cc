// A daemon whose database is too slow while it starts: here another session holds a table.

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "daemon/config/default_config.h"
#include "daemon/daemon.h"
#include "daemon/postgres/postgres_connection.h"
#include "tests/daemon/fake_scheduler.h"
#include "tests/daemon/postgres/postgres_server.h"

namespace wb {
namespace {

class SlowStartTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    std::string why_not;
    server_ = test::PostgresServer::Get(&why_not);
    if (server_ == nullptr) GTEST_SKIP() << "skipped: " << why_not;
    char folder[] = "/tmp/wb_start_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    config_ = DefaultConfig();
    config_.listen.resize(1);
    config_.listen[0].address.path = folder_ + "/socket";
    config_.drain_timeout = 1'000'000;
    config_.postgres = server_->Address(server_->NewDatabase());
  }
  void TearDown() override {
    std::error_code error;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, error);
  }
  // The tables are there then.
  void StartOnce() { ASSERT_EQ(Start().message(), ""); }
  // With the table held until so many pauses have passed. How the start ended.
  Status StartWhileHeld(const std::string& table, int pauses) {
    const PostgresSettings settings = {config_.postgres, std::chrono::seconds(30)};
    holder_ = PostgresConnection::Open(settings).value();
    EXPECT_EQ(holder_->Script("BEGIN; LOCK TABLE " + table).message(), "");
    held_for_ = pauses;
    config_.postgres_timeout = 200'000'000;
    return Start();
  }
  Status Start() {
    DaemonParts parts;
    parts.scheduler = &scheduler_;
    parts.state_directory = folder_ + "/state";
    parts.pause = [this](std::chrono::nanoseconds /*time*/) {
      ++pauses_;
      if (pauses_ == held_for_) holder_.reset();
      return !ends_;
    };
    return Daemon::Start(config_, std::move(parts)).status();
  }

  test::PostgresServer* server_ = nullptr;
  std::string folder_;
  Config config_;
  FakeScheduler scheduler_;
  std::unique_ptr<PostgresConnection> holder_;
  int held_for_ = 0;
  int pauses_ = 0;
  bool ends_ = false;
};

class SlowStartAloneTest : public SlowStartTest {};

// Each is asked by another step of the start.
INSTANTIATE_TEST_SUITE_P(Tables, SlowStartAloneTest,
                         testing::Values("versions", "fence", "owners", "tokens", "cordons",
                                         "blobs", "jobs"));

TEST_P(SlowStartAloneTest, ItWaits) {
  StartOnce();
  EXPECT_EQ(StartWhileHeld(GetParam(), 2).message(), "");
  EXPECT_GE(pauses_, 2);
}

class SlowStartSharedTest : public SlowStartTest {
 protected:
  void SetUp() override {
    SlowStartTest::SetUp();
    config_.cluster_host = "one";
  }
};

INSTANTIATE_TEST_SUITE_P(Tables, SlowStartSharedTest,
                         testing::Values("versions", "hosts", "owners", "blobs", "shared_jobs"));

TEST_P(SlowStartSharedTest, ItWaits) {
  StartOnce();
  EXPECT_EQ(StartWhileHeld(GetParam(), 2).message(), "");
  EXPECT_GE(pauses_, 2);
}

class SlowStartEndTest : public SlowStartTest {};

INSTANTIATE_TEST_SUITE_P(Tables, SlowStartEndTest, testing::Values("versions", "jobs"));

TEST_P(SlowStartEndTest, ItEndsWhereTheDaemonIsTo) {
  StartOnce();
  ends_ = true;
  EXPECT_EQ(StartWhileHeld(GetParam(), 2).reason(), Reason::kCancelled);
  EXPECT_EQ(pauses_, 1);
}

}  // namespace
}  // namespace wb
