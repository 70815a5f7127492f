// Tokens and owners on the disk, and databases of the version that knew neither.

#include "daemon/database/registry.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "daemon/database/cordons_file.h"
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
    ASSERT_TRUE((*database)->Run("DROP TABLE tokens; DROP TABLE owners; DROP TABLE cordons").ok());
    ASSERT_TRUE((*database)->Run("PRAGMA user_version=1").ok());
  }
  // As it was before orders to devices, which then lay in a file.
  void MakeVersion2(const std::string& orders) {
    Open();
    TokenRecord token;
    token.id = "token";
    ASSERT_TRUE(registry_->AddToken(token).ok());
    Close();
    const auto database = Database::Open(folder_ + "/state.db", Database::Mode::kWrite);
    ASSERT_TRUE((*database)->Run("DROP TABLE cordons; PRAGMA user_version=2").ok());
    std::ofstream(folder_ + "/cordons") << orders;
  }
  static std::string OrdersFile(const std::string& lines) {
    const std::string body = "wasmburst cordons 1\n" + lines;
    return body + "sha256 " + Sha256(AsBytes(body)).Hex() + "\n";
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
  EXPECT_EQ(VersionOf("state.db"), 3);
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

TEST_F(RegistryTest, CordonsOutliveTheDaemon) {
  Open();
  ASSERT_TRUE(registry_->AddCordon({"cuda1", 5}).ok());
  ASSERT_TRUE(registry_->AddCordon({"cpu0", 7}).ok());
  ASSERT_TRUE(registry_->AddCordon({"cuda1", 6}).ok());
  Open();
  EXPECT_EQ(registry_->Cordons().value(), (std::vector<CordonRow>{{"cpu0", 7}, {"cuda1", 6}}));
  ASSERT_TRUE(registry_->RemoveCordon("cpu0").ok());
  ASSERT_TRUE(registry_->RemoveCordon("cpu1").ok());
  Open();
  EXPECT_EQ(registry_->Cordons().value(), (std::vector<CordonRow>{{"cuda1", 6}}));
}

TEST_F(RegistryTest, OrdersInAFileAreTakenIntoTheDatabaseOnce) {
  MakeVersion2(OrdersFile("cpu0 1700000000000000000\ncuda11 -5\n"));
  Open();
  const std::vector<CordonRow> orders = {{"cpu0", 1'700'000'000'000'000'000}, {"cuda11", -5}};
  EXPECT_EQ(registry_->Cordons().value(), orders);
  EXPECT_EQ(registry_->Tokens()->size(), 1u);
  EXPECT_EQ(VersionOf("state.db.version2"), 2);
  EXPECT_EQ(VersionOf("state.db"), 3);
  // It stays for who goes back, and counts no more.
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/cordons"));
  ASSERT_TRUE(registry_->RemoveCordon("cpu0").ok());
  Open();
  EXPECT_EQ(registry_->Cordons().value(), (std::vector<CordonRow>{{"cuda11", -5}}));
}

TEST_F(RegistryTest, EveryChangedByteOfTheFileIsSeenAndItsOrdersAreIgnored) {
  const std::string whole = OrdersFile("cpu0 12\n");
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] ^= 1;
    std::ofstream(folder_ + "/cordons") << damaged;
    EXPECT_TRUE(ReadCordonsFile(folder_)->empty()) << i;
    std::ofstream(folder_ + "/cordons") << whole.substr(0, i);
    EXPECT_TRUE(ReadCordonsFile(folder_)->empty()) << i;
  }
  MakeVersion2(whole + "x");
  Open();
  EXPECT_TRUE(registry_->Cordons()->empty());
}

TEST_F(RegistryTest, AFileOfOrdersThatCannotBeReadChangesNothing) {
  MakeVersion2("");
  std::filesystem::remove(folder_ + "/cordons");
  std::filesystem::create_directory(folder_ + "/cordons");
  EXPECT_EQ(SqliteStore::Open(folder_).status().reason(), Reason::kIoError);
  EXPECT_EQ(VersionOf("state.db"), 2);
  std::filesystem::remove(folder_ + "/cordons");
  EXPECT_EQ(mkfifo((folder_ + "/cordons").c_str(), 0600), 0);  // and does not hold it up
  EXPECT_EQ(SqliteStore::Open(folder_).status().reason(), Reason::kIoError);
  std::filesystem::remove(folder_ + "/cordons");
  Open();
  EXPECT_EQ(registry_->Tokens()->size(), 1u);
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
