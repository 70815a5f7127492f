// Tokens and owners on the disk, and databases of the version that knew neither.

#include "daemon/database/registry.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "daemon/database/sqlite_store.h"
#include "daemon/process/fail_point.h"
#include "daemon/store/owners.h"
#include "daemon/store/tokens.h"

namespace wb {
namespace {

class RegistryTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_registry_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
  }
  void TearDown() override {
    Close();
    std::filesystem::remove_all(folder_);
  }
  void Close() {
    registry_.reset();
    store_.reset();
  }
  void Open() {
    Close();
    auto store = SqliteStore::Open(folder_);
    ASSERT_TRUE(store.ok()) << store.status().message();
    store_ = std::move(store).value();
    registry_ = Registry::Open(folder_).value();
  }
  // As it was before tokens and owners, with one job.
  void MakeVersion1() {
    Open();
    StoreChange change;
    change.created.push_back({"job1", "whole", "shown", "record", true});
    ASSERT_TRUE(store_->Commit(change).ok());
    Close();
    const auto database = Database::Open(folder_ + "/state.db", Database::Mode::kWrite);
    ASSERT_TRUE((*database)->Run("DROP TABLE tokens; DROP TABLE owners").ok());
    ASSERT_TRUE((*database)->Run("PRAGMA user_version=1").ok());
  }
  std::vector<std::string> Jobs() {
    std::vector<std::string> ids;
    EXPECT_TRUE(store_
                    ->LoadJobs([&ids](const JobRow& job, const std::vector<BlockHead>&) {
                      ids.push_back(job.id);
                      return Status();
                    })
                    .ok());
    return ids;
  }
  int64_t VersionOf(const std::string& file) {
    const auto database = Database::Open(folder_ + "/" + file, Database::Mode::kRead);
    return (*database)->Number("PRAGMA user_version").value();
  }

  std::string folder_;
  std::unique_ptr<SqliteStore> store_;
  std::shared_ptr<Registry> registry_;
};

TEST_F(RegistryTest, TokensOutliveTheDaemonAndTheirSecretsAreNotThere) {
  Open();
  TokenTable table;
  int64_t now = 1000;
  Tokens tokens(registry_, &table, [&now] { return now; });
  TokenRecord wish;
  wish.tenant = "shop";
  wish.role = Role::kOperator;
  wish.note = "of the night shift";
  wish.expire_unix_ns = 5000;
  const Tokens::Made made = tokens.Make(wish).value();
  ASSERT_TRUE(tokens.Make({}).ok());
  Open();
  TokenTable again;
  Tokens loaded(registry_, &again, [&now] { return now; });
  ASSERT_TRUE(loaded.Load().ok());
  EXPECT_EQ(again.size(), 2u);
  const TokenRecord found = again.Find(made.text, now).value();
  EXPECT_EQ(found.tenant, "shop");
  EXPECT_EQ(found.role, Role::kOperator);
  EXPECT_EQ(found.note, "of the night shift");
  EXPECT_EQ(found.create_unix_ns, 1000);
  EXPECT_EQ(found.expire_unix_ns, 5000);
  ASSERT_TRUE(loaded.Revoke(made.token.id).ok());
  EXPECT_EQ(loaded.Revoke(made.token.id).reason(), Reason::kNotFound);
  Open();
  EXPECT_EQ(registry_->Tokens()->size(), 1u);
  const std::string secret = made.text.substr(21);
  const auto database = Database::Open(folder_ + "/state.db", Database::Mode::kRead);
  EXPECT_EQ((*database)
                ->Number("SELECT count(*) FROM tokens WHERE hex(secret) = upper('" + secret + "')")
                .value(),
            0);
}

TEST_F(RegistryTest, ExpiredTokensGoWhenADaemonStarts) {
  Open();
  TokenTable table;
  Tokens tokens(registry_, &table, [] { return int64_t{1000}; });
  TokenRecord wish;
  wish.role = Role::kViewer;
  wish.expire_unix_ns = 2000;
  ASSERT_TRUE(tokens.Make(wish).ok());
  EXPECT_EQ(tokens.List().size(), 1u);
  TokenTable later;
  Tokens loaded(registry_, &later, [] { return int64_t{2000}; });
  ASSERT_TRUE(loaded.Load().ok());
  EXPECT_TRUE(loaded.List().empty());
  EXPECT_TRUE(registry_->Tokens()->empty());
}

TEST_F(RegistryTest, OwnersOutliveTheDaemon) {
  Open();
  const Digest digest = Sha256(AsBytes("wasm"));
  {
    Owners owners(registry_);
    ASSERT_TRUE(owners.Add(OwnedKind::kModule, digest, "anna").ok());
    ASSERT_TRUE(owners.Add(OwnedKind::kModule, digest, "anna").ok());
    ASSERT_TRUE(owners.Add(OwnedKind::kModule, digest, "").ok());
    ASSERT_TRUE(owners.EndAdoption().ok());
    EXPECT_FALSE(owners.Has(OwnedKind::kInput, digest, "anna"));
  }
  Open();
  Owners owners(registry_);
  ASSERT_TRUE(owners.Load().ok());
  EXPECT_FALSE(owners.AdoptsUnowned());
  EXPECT_EQ(owners.count(OwnedKind::kModule), 1u);
  EXPECT_TRUE(owners.Has(OwnedKind::kModule, digest, "anna"));
  EXPECT_FALSE(owners.Has(OwnedKind::kModule, digest, "bert"));
  EXPECT_FALSE(owners.Remove(OwnedKind::kModule, digest, "anna").value());
  EXPECT_TRUE(owners.Remove(OwnedKind::kModule, digest, "").value());
  EXPECT_FALSE(owners.HasAny(OwnedKind::kModule, digest));
  EXPECT_TRUE(registry_->Owners()->empty());
}

TEST_F(RegistryTest, AnOlderDatabaseIsCopiedAndThenMadeNew) {
  MakeVersion1();
  Open();
  EXPECT_EQ(Jobs(), std::vector<std::string>{"job1"});
  EXPECT_TRUE(registry_->Tokens()->empty());
  EXPECT_EQ(VersionOf("state.db.version1"), 1);
  EXPECT_EQ(VersionOf("state.db"), 2);
  // The daemon may end before it has given owners: the next one does.
  for (int i = 0; i < 2; ++i) {
    Open();
    Owners owners(registry_);
    ASSERT_TRUE(owners.Load().ok());
    EXPECT_TRUE(owners.AdoptsUnowned());
    if (i == 1) {
      ASSERT_TRUE(owners.EndAdoption().ok());
    }
  }
  Open();
  Owners owners(registry_);
  ASSERT_TRUE(owners.Load().ok());
  EXPECT_FALSE(owners.AdoptsUnowned());
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/state.db.version1.2"));
}

TEST_F(RegistryTest, ADaemonThatEndsWhileItMigratesLosesNothing) {
  GTEST_FLAG_SET(death_test_style, "fast");  // in the same folder
  for (const char* place : {"migration.copied", "migration.written"}) {
    MakeVersion1();
    EXPECT_EXIT(
        {
          ArmFailPoint(place);
          (void)SqliteStore::Open(folder_);
        },
        testing::KilledBySignal(SIGKILL), "");
    EXPECT_EQ(VersionOf("state.db"), 1) << place;
    EXPECT_EQ(VersionOf("state.db.version1"), 1) << place;
    Open();
    EXPECT_EQ(Jobs(), std::vector<std::string>{"job1"}) << place;
    // The copy of the first start is kept.
    EXPECT_EQ(VersionOf("state.db.version1.2"), 1) << place;
    Close();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
  }
}

}  // namespace
}  // namespace wb
