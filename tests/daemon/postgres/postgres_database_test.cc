// Versions, other programs' tables, and who may write.

#include "daemon/postgres/postgres_database.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "daemon/postgres/postgres_blobs.h"
#include "daemon/postgres/postgres_registry.h"
#include "daemon/postgres/postgres_store.h"
#include "tests/daemon/postgres/state_home.h"

namespace wb {
namespace {

class PostgresDatabaseTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string why_not;
    server_ = test::PostgresServer::Get(&why_not);
    if (server_ == nullptr) GTEST_SKIP() << "skipped: " << why_not;
    name_ = server_->NewDatabase();
  }
  PostgresSettings Settings() const { return {server_->Address(name_), std::chrono::seconds(30)}; }
  Status Opened() const { return PostgresDatabase::Open(Settings()).status(); }
  std::string Sql(const std::string& text) const { return server_->Sql(name_, text); }
  // False: after half a minute there is one still.
  bool AwaitNoOtherSession() const {
    for (int i = 0; i < 300; ++i) {
      if (Sql("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
              "AND pid <> pg_backend_pid()") == "0") {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return false;
  }

  test::PostgresServer* server_ = nullptr;
  std::string name_;
};

TEST_F(PostgresDatabaseTest, TablesAreMadeOnce) {
  ASSERT_TRUE(Opened().ok()) << Opened().message();
  const std::string first = Sql("SELECT version, since FROM wasmburst.versions");
  ASSERT_TRUE(Opened().ok());
  EXPECT_EQ(Sql("SELECT version, since FROM wasmburst.versions"), first);
  EXPECT_EQ(first.substr(0, 2), "1|");
  EXPECT_NE(first.find("\n2|"), std::string::npos) << first;
}

TEST_F(PostgresDatabaseTest, ANewerVersionIsRefusedAndLeftAlone) {
  ASSERT_TRUE(Opened().ok());
  Sql("INSERT INTO wasmburst.versions VALUES(99, now())");
  const Status refused = Opened();
  EXPECT_EQ(refused.reason(), Reason::kConfigInvalid);
  EXPECT_NE(refused.message().find("version [99]"), std::string::npos) << refused.message();
  EXPECT_EQ(Sql("SELECT number FROM wasmburst.fence"), "1");
}

TEST_F(PostgresDatabaseTest, AnotherProgramsSchemaIsRefused) {
  Sql("CREATE SCHEMA wasmburst; CREATE TABLE wasmburst.others(a int)");
  const Status refused = Opened();
  EXPECT_EQ(refused.reason(), Reason::kConfigInvalid);
  EXPECT_NE(refused.message().find("is not wasmburstd's"), std::string::npos) << refused.message();
}

TEST_F(PostgresDatabaseTest, AnEmptySchemaOfAnAdministratorIsTaken) {
  Sql("CREATE SCHEMA wasmburst");
  EXPECT_TRUE(Opened().ok()) << Opened().message();
}

TEST_F(PostgresDatabaseTest, AnotherEncodingIsRefused) {
  name_ = server_->NewDatabase("ENCODING 'LATIN1' TEMPLATE template0");
  const Status refused = Opened();
  EXPECT_EQ(refused.reason(), Reason::kConfigInvalid);
  EXPECT_NE(refused.message().find("--encoding=UTF8"), std::string::npos) << refused.message();
}

TEST_F(PostgresDatabaseTest, WhereNobodyAnswersTheErrorSaysWhatToDo) {
  const Status missing =
      PostgresDatabase::Open({server_->Address("no_such"), std::chrono::seconds(1)}).status();
  EXPECT_EQ(missing.reason(), Reason::kMachineFault);
  EXPECT_NE(missing.message().find("\"no_such\" does not exist"), std::string::npos)
      << missing.message();
  const Status nobody =
      PostgresDatabase::Open({"postgresql:///jobs?host=/nowhere", std::chrono::seconds(1)})
          .status();
  EXPECT_EQ(nobody.reason(), Reason::kMachineFault);
  EXPECT_NE(nobody.message().find("Check the setting [store.postgres]"), std::string::npos)
      << nobody.message();
  const Status key =
      PostgresDatabase::Open({"postgresql:///jobs?sesame=1", std::chrono::seconds(1)}).status();
  EXPECT_EQ(key.reason(), Reason::kConfigInvalid);
  EXPECT_EQ(key.message().find("sesame"), std::string::npos) << key.message();
}

// Each waits for a daemon that may be ending.
TEST_F(PostgresDatabaseTest, ASecondDaemonIsRefusedUnlessBothShare) {
  const auto refused_of = [](const PostgresSettings& settings, const std::string& why) {
    return std::thread([settings, why] {
      const Status refused = PostgresDatabase::Open(settings).status();
      EXPECT_EQ(refused.reason(), Reason::kConfigInvalid);
      EXPECT_NE(refused.message().find(why), std::string::npos) << refused.message();
    });
  };
  const PostgresSettings alone = Settings();
  PostgresSettings shared = alone;
  shared.shared_by = "one";
  const auto first = PostgresDatabase::Open(alone);
  ASSERT_TRUE(first.ok()) << first.status().message();
  PostgresSettings others = shared;
  others.address = server_->Address(server_->NewDatabase());
  const auto one = PostgresDatabase::Open(others);
  const auto two = PostgresDatabase::Open(others);
  ASSERT_TRUE(one.ok() && two.ok()) << two.status().message();
  others.shared_by = "";
  std::thread late[] = {refused_of(alone, "Another daemon uses the database"),
                        refused_of(shared, "A daemon that shares with no other uses the database"),
                        refused_of(others, "Several daemons share the database")};
  for (std::thread& thread : late) thread.join();
}

TEST_F(PostgresDatabaseTest, ADatabaseOfTheFirstVersionIsMadeNewAndKeepsWhatItHas) {
  StoreChange change;
  change.created = {{"a", "whole", "shown", "record", false}};
  ASSERT_TRUE(PostgresStore(PostgresDatabase::Open(Settings()).value()).Commit(change).ok());
  // As it was before.
  const std::string path = "SET search_path = wasmburst, pg_catalog; ";
  const std::string functions = Sql(
      path +
      "SELECT string_agg(oid::regprocedure::text, ', ') FROM pg_proc WHERE proname <> 'hold' AND "
      "pronamespace = 'wasmburst'::regnamespace");
  ASSERT_NE(functions.find("hold_host(bigint)"), std::string::npos) << functions;
  Sql(path + "DROP FUNCTION " + functions.substr(4) +
      "; DROP VIEW standing; DROP TABLE hosts, shared_jobs, ranges, chunks; "
      "DELETE FROM versions WHERE version > 1");
  ASSERT_EQ(
      Sql("SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relkind = 'r' "
          "AND relnamespace = 'wasmburst'::regnamespace"),
      "blob_parts blobs blocks bodies cordons fence jobs owners tokens trash versions");
  PostgresSettings shared = Settings();
  shared.shared_by = "one";
  ASSERT_TRUE(PostgresDatabase::Open(shared).ok());
  EXPECT_EQ(Sql("SELECT count(*) FROM wasmburst.shared_jobs"), "0");
  EXPECT_EQ(PostgresStore(PostgresDatabase::Open(Settings()).value()).ReadRequest("a").value(),
            "whole");
}

// One whose sessions are cut, as of a machine that is cut off, and that another takes over from.
TEST_F(PostgresDatabaseTest, ADaemonThatWasTakenOverFromStoresNothingMore) {
  const auto old = PostgresDatabase::Open(Settings()).value();
  PostgresStore old_store(old);
  PostgresRegistry old_registry(old);
  const PostgresBlobs old_blobs(old, "module");
  StoreChange change;
  change.created = {{"a", "whole", "shown", "record", false}};
  ASSERT_TRUE(old_store.Commit(change).ok());
  Sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
      "AND pid <> pg_backend_pid()");
  // While it notices nothing, another comes, and goes. The server ends the other's session, and
  // with it its lock, a moment behind the end of its connection.
  ASSERT_TRUE(Opened().ok());
  ASSERT_TRUE(AwaitNoOtherSession());
  change.created[0].id = "b";
  const Status late = old_store.Commit(change);
  EXPECT_EQ(late.reason(), Reason::kMachineFault);
  EXPECT_NE(late.message().find("was taken over by another daemon"), std::string::npos)
      << late.message();
  EXPECT_FALSE(old_registry.AddOwner({"module", "digest", "tenant"}).ok());
  EXPECT_FALSE(old_blobs.Put(Sha256(AsBytes("x")), AsBytes("x")).ok());
  EXPECT_EQ(Sql("SELECT string_agg(id, ' ') FROM wasmburst.jobs"), "a");
  EXPECT_EQ(Sql("SELECT count(*) FROM wasmburst.owners"), "0");
  EXPECT_EQ(Sql("SELECT count(*) FROM wasmburst.blobs"), "0");
  // Nor while the other has the lock.
  const auto next = PostgresDatabase::Open(Settings());
  ASSERT_TRUE(next.ok());
  EXPECT_EQ(old_store.Commit(change).reason(), Reason::kMachineFault);
  EXPECT_EQ(Sql("SELECT string_agg(id, ' ') FROM wasmburst.jobs"), "a");
}

TEST_F(PostgresDatabaseTest, ADamagedBlockAndADamagedBlobAreNotServed) {
  const auto database = PostgresDatabase::Open(Settings()).value();
  PostgresStore store(database);
  const PostgresBlobs blobs(database, "module");
  StoreChange change;
  change.created = {{"a", "whole", "shown", "record", false}};
  change.blocks = {{"a", 0, 10, "instances", Bytes(1000, 'x')}};
  ASSERT_TRUE(store.Commit(change).ok());
  const Digest digest = Sha256(AsBytes("some bytes"));
  ASSERT_TRUE(blobs.Put(digest, AsBytes("some bytes")).ok());
  Sql("UPDATE wasmburst.bodies SET data = set_byte(data, 500, 1)");
  Sql("UPDATE wasmburst.blob_parts SET data = set_byte(data, 5, 1)");
  EXPECT_EQ(store.ReadBlock("a", 0).status().reason(), Reason::kBlobCorrupt);
  EXPECT_EQ(blobs.Get(digest).status().reason(), Reason::kBlobCorrupt);
  // It is put aside, and can be put again.
  EXPECT_EQ(blobs.Get(digest).status().reason(), Reason::kNotFound);
  ASSERT_TRUE(blobs.Put(digest, AsBytes("some bytes")).ok());
  EXPECT_EQ(AsText(*blobs.Get(digest)), "some bytes");
  EXPECT_EQ(Sql("SELECT kind FROM wasmburst.blob_parts ORDER BY kind"), "damaged module\nmodule");
}

}  // namespace
}  // namespace wb
