// A backup over the wire of a daemon that works.

#include <sys/statvfs.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "client/services/inputs.h"
#include "client/services/jobs.h"
#include "client/services/server.h"
#include "daemon/config/config_file.h"
#include "daemon/store/durable/backup_restore.h"
#include "daemon/store/durable/state_check.h"
#include "tests/daemon/services/caller_fixture.h"
#include "wasmburst/v1/admin.grpc.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class DaemonBackupTest : public CallerTest {
 protected:
  void SetUp() override {
    CallerTest::SetUp();
    state_directory_ = folder_ + "/state";
  }
  Status SaveTo(const std::string& path) {
    std::ofstream file(path, std::ios::binary);
    std::string sha256;
    std::string all;
    WB_TRY(ReadBackup(*client_, [&](const v1::BackupChunk& chunk) -> Status {
      all += chunk.data();
      sha256 = chunk.sha256();
      EXPECT_LE(all.size(), chunk.total_bytes());
      return {};
    }));
    EXPECT_EQ(sha256, Sha256(AsBytes(all)).Hex());
    file << all;
    return {};
  }
  void StartOn(const std::string& state) {
    client_.reset();
    daemon_.reset();
    scheduler_ = std::make_unique<FakeScheduler>();
    state_directory_ = state;
    Start();
  }
};

TEST_F(DaemonBackupTest, OfABusyDaemonIsTakenUpByAnother) {
  Start();
  const std::string ended = Create("identity", 100);
  WaitForEnd(ended);
  const std::string running = Create("spin", 5);
  const v1::CreateJobRequest request = Request("identity", 20);
  std::atomic<bool> done{false};
  std::thread load([&] {
    const auto client = NewClient(0);
    while (!done) {
      EXPECT_TRUE(CreateJob(*client, request).ok());
    }
  });
  for (int i = 0; i < 3; ++i) {
    const Status saved = SaveTo(folder_ + "/" + std::to_string(i));
    EXPECT_TRUE(saved.ok()) << saved.message();
  }
  done = true;
  load.join();
  for (int i = 0; i < 3; ++i) {
    const std::string state = folder_ + "/restored" + std::to_string(i);
    const Status restored = RestoreArchive(folder_ + "/" + std::to_string(i), state);
    ASSERT_TRUE(restored.ok()) << restored.message();
    const auto findings = CheckState(state, [](const std::string&) {});
    ASSERT_TRUE(findings.ok()) << findings.status().message();
    EXPECT_TRUE(findings->problems.empty()) << findings->problems[0];
  }
  StartOn(folder_ + "/restored0");
  EXPECT_EQ(GetJob(*client_, ended)->state(), v1::Job::SUCCEEDED);
  const auto state = GetJob(*client_, running)->state();
  EXPECT_TRUE(state == v1::Job::RUNNING || state == v1::Job::QUEUED) << state;
  EXPECT_TRUE(CancelJob(*client_, running).ok());
  EXPECT_EQ(WaitForEnd(Create("identity", 7)).counts().finished(), 7u);
}

TEST_F(DaemonBackupTest, OneAtATimeAndAClientThatLeavesFreesThePlace) {
  Start();
  v1::BackupChunk chunk;
  const auto stub = v1::Admin::NewStub(AdminChannel());
  // Longer than what lies between a client that does not read and the daemon.
  v1::Column column;
  column.mutable_bytes()->add_values(std::string(24 << 20, 'x'));
  const Result<v1::Input> uploaded = UploadInput(*client_, *SourceOf(column));
  ASSERT_TRUE(uploaded.ok()) << uploaded.status().message();
  {
    const auto context = Context("");
    const auto reader = stub->CreateBackup(context.get(), v1::CreateBackupRequest());
    ASSERT_TRUE(reader->Read(&chunk));
    EXPECT_EQ(SaveTo(folder_ + "/other").reason(), Reason::kQueueFull);
    context->TryCancel();
    while (reader->Read(&chunk)) {
    }
    EXPECT_FALSE(reader->Finish().ok());
  }
  // The daemon hears of it a little later.
  Status again(Reason::kQueueFull, "");
  while (again.reason() == Reason::kQueueFull) again = SaveTo(folder_ + "/other");
  EXPECT_TRUE(again.ok()) << again.message();
  EXPECT_FALSE(std::filesystem::exists(state_directory_ + "/backup.tmp"));
}

TEST_F(DaemonBackupTest, ADaemonThatKeepsNothingSaysSo) {
  config_.durable = false;
  Start();
  const Status status = SaveTo(folder_ + "/none");
  EXPECT_EQ(status.reason(), Reason::kConfigInvalid) << status.message();
  EXPECT_NE(status.message().find("server.durable"), std::string::npos);
}

TEST_F(DaemonBackupTest, WhatAKilledDaemonLeftIsRemoved) {
  std::filesystem::create_directories(state_directory_ + "/backup.tmp/modules");
  std::filesystem::permissions(state_directory_, std::filesystem::perms::owner_all);
  Start();
  EXPECT_FALSE(std::filesystem::exists(state_directory_ + "/backup.tmp"));
}

TEST_F(DaemonBackupTest, SettingsAreShownWithWhereTheyComeFrom) {
  config_ = ParseConfig("[limits]\nfuel = 4096\n[grpc]\nmemory_bytes = \"64MiB\"\n", "x").value();
  config_.origins.file = "/etc/x.toml";
  config_.listen[0].address.path = folder_ + "/socket";
  config_.listen.push_back(ParseListenSetting("tcp://127.0.0.1:0").value());
  config_.origins.flags.insert("listen");
  Start();
  const auto find = [this](const std::string& name) {
    const v1::ServerConfig config = GetServerConfig(*client_).value();
    EXPECT_EQ(config.file(), "/etc/x.toml");
    for (const v1::ServerSetting& setting : config.settings()) {
      if (setting.name() == name) return setting;
    }
    ADD_FAILURE() << name;
    return v1::ServerSetting();
  };
  EXPECT_EQ(find("limits.fuel").origin(), "file");
  EXPECT_EQ(find("limits.fuel").value(), "4096");
  EXPECT_EQ(find("jobs.ttl").origin(), "default");
  EXPECT_EQ(find("jobs.ttl").value(), "24h");
  EXPECT_EQ(find("listen").origin(), "flag");
  Config read = config_;
  read.default_limits.max_fuel = 5;
  read.grpc_memory_bytes = uint64_t{128} << 20;
  ASSERT_TRUE(daemon_->Reload(read).ok());
  EXPECT_EQ(find("limits.fuel").origin(), "reloaded");
  EXPECT_EQ(find("limits.fuel").value(), "5");
  EXPECT_TRUE(find("limits.fuel").reloads());
  EXPECT_EQ(find("grpc.memory_bytes").value(), "64MiB");
  EXPECT_EQ(find("grpc.memory_bytes").after_restart(), "128MiB");
}

}  // namespace
}  // namespace wb
