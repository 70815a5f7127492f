// A server that stops, and answers that do not come: nothing is lost, nothing is there twice.

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "daemon/postgres/postgres_registry.h"
#include "daemon/postgres/postgres_store.h"
#include "tests/daemon/postgres/cutting_proxy.h"
#include "tests/daemon/postgres/state_home.h"

namespace wb {
namespace {

class PostgresFaultsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string why_not;
    server_ = test::PostgresServer::Get(&why_not);
    if (server_ == nullptr) GTEST_SKIP() << "skipped: " << why_not;
    name_ = server_->NewDatabase();
  }
  std::string Sql(const std::string& text) const { return server_->Sql(name_, text); }
  static StoreChange Change(const std::vector<std::string>& created,
                            const std::vector<uint64_t>& blocks) {
    StoreChange change;
    for (const std::string& id : created) {
      change.created.push_back({id, "whole", "shown", "record", false});
    }
    for (const uint64_t first : blocks) {
      change.blocks.push_back({"job", first, 10, "instances", Bytes(100, 'x')});
    }
    return change;
  }
  // As the daemon does, every second; here at once, and as often as an attempt may be made.
  static Status CommitUntilWell(PostgresStore* store, const StoreChange& change) {
    Status status = store->Commit(change);
    for (int tries = 0; tries < 600 && status.reason() == Reason::kMachineFault; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      status = store->Commit(change);
    }
    return status;
  }

  test::PostgresServer* server_ = nullptr;
  std::string name_;
};

TEST_F(PostgresFaultsTest, AServerThatStopsRefusesAndThenAllGoesOn) {
  const auto database =
      PostgresDatabase::Open({server_->Address(name_), std::chrono::seconds(30)}).value();
  PostgresStore store(database);
  PostgresRegistry registry(database);
  ASSERT_TRUE(store.Commit(Change({"job"}, {0})).ok());
  ASSERT_TRUE(registry.AddCordon({"cpu0", 1}).ok());
  server_->Stop();
  EXPECT_EQ(store.Commit(Change({}, {10})).reason(), Reason::kMachineFault);
  EXPECT_EQ(store.ReadBlock("job", 0).status().reason(), Reason::kMachineFault);
  EXPECT_EQ(registry.Cordons().status().reason(), Reason::kMachineFault);
  EXPECT_EQ(registry.AddCordon({"cpu1", 1}).reason(), Reason::kMachineFault);
  server_->Run();
  const Status again = CommitUntilWell(&store, Change({}, {10}));
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_TRUE(store.ReadBlock("job", 0).ok());
  EXPECT_TRUE(store.ReadBlock("job", 10).ok());
  EXPECT_EQ(registry.Cordons()->size(), 1u);
  EXPECT_TRUE(registry.AddCordon({"cpu1", 1}).ok());
}

// Stopped and not ended: it keeps its sockets, and says nothing.
TEST_F(PostgresFaultsTest, AServerThatIsStuckIsGivenUp) {
  const auto database =
      PostgresDatabase::Open({server_->Address(name_), std::chrono::milliseconds(200)}).value();
  PostgresStore store(database);
  ASSERT_TRUE(store.Commit(Change({"job"}, {0})).ok());
  const pid_t session =
      std::stoi(Sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'wasmburstd' AND "
                    "datname = current_database()"));
  ASSERT_EQ(kill(session, SIGSTOP), 0);
  const Status stuck = store.Commit(Change({}, {10}));
  EXPECT_EQ(kill(session, SIGCONT), 0);
  EXPECT_EQ(stuck.reason(), Reason::kMachineFault);
  EXPECT_NE(stuck.message().find("nothing came in 5 s"), std::string::npos) << stuck.message();
  const Status again = CommitUntilWell(&store, Change({}, {10}));
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(Sql("SELECT count(*) FROM wasmburst.blocks"), "2");
}

// Its clients were told that the job was refused, and results come again in other blocks.
TEST_F(PostgresFaultsTest, ACommitWithoutAnAnswerIsUndoneBeforeTheNext) {
  test::CuttingProxy proxy(server_->socket_folder());
  const std::string address =
      "postgresql:///" + name_ + "?host=" + proxy.folder() + "&user=wasmburst";
  const auto database = PostgresDatabase::Open({address, std::chrono::seconds(30)}).value();
  PostgresStore store(database);
  ASSERT_TRUE(store.Commit(Change({"job"}, {0})).ok());
  proxy.Arm();
  const Status cut = store.Commit(Change({"refused"}, {10, 20}));
  EXPECT_EQ(cut.reason(), Reason::kMachineFault) << cut.message();
  EXPECT_EQ(proxy.cuts(), 1);
  // The server did commit it.
  EXPECT_EQ(Sql("SELECT string_agg(id, ' ' ORDER BY id) FROM wasmburst.jobs"), "job refused");
  StoreChange merged = Change({"next"}, {10});
  merged.blocks[0].count = 20;
  const Status again = CommitUntilWell(&store, merged);
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(Sql("SELECT string_agg(id, ' ' ORDER BY id) FROM wasmburst.jobs"), "job next");
  EXPECT_EQ(Sql("SELECT first, count FROM wasmburst.blocks ORDER BY first"), "0|10\n10|20");
  EXPECT_EQ(Sql("SELECT first FROM wasmburst.bodies ORDER BY first"), "0\n10");
}

// The same where they are copied, and where the undoing itself has no answer.
TEST_F(PostgresFaultsTest, DoubtsAddUpUntilACommitIsAnswered) {
  test::CuttingProxy proxy(server_->socket_folder());
  const std::string address =
      "postgresql:///" + name_ + "?host=" + proxy.folder() + "&user=wasmburst";
  const auto database = PostgresDatabase::Open({address, std::chrono::seconds(30)}).value();
  PostgresStore store(database);
  ASSERT_TRUE(store.Commit(Change({"job"}, {})).ok());
  const std::vector<uint64_t> many = {0, 10, 20, 30, 40, 50, 60, 70};
  proxy.Arm();
  EXPECT_EQ(store.Commit(Change({"first"}, many)).reason(), Reason::kMachineFault);
  proxy.Arm();
  for (int tries = 0; tries < 600 && proxy.cuts() < 2; ++tries) {
    EXPECT_EQ(store.Commit(Change({"second"}, {0, 20})).reason(), Reason::kMachineFault);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  ASSERT_EQ(proxy.cuts(), 2);
  EXPECT_EQ(Sql("SELECT string_agg(id, ' ' ORDER BY id) FROM wasmburst.jobs"), "job second");
  const Status again = CommitUntilWell(&store, Change({"third"}, {0}));
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(Sql("SELECT string_agg(id, ' ' ORDER BY id) FROM wasmburst.jobs"), "job third");
  EXPECT_EQ(Sql("SELECT first FROM wasmburst.blocks"), "0");
}

}  // namespace
}  // namespace wb
