// Tokens and owners on the disk, and databases of the version that knew neither.

#include "daemon/database/sqlite_registry.h"

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
    registry_ = SqliteRegistry::Open(folder_).value();
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

TEST_F(RegistryTest, SecretsOfTokensAreNotThere) {
  Open();
  TokenTable table;
  Tokens tokens(registry_, &table, [] { return int64_t{1000}; });
  TokenRecord wish;
  wish.role = Role::kOperator;
  const Tokens::Made made = tokens.Make(wish).value();
  const std::string secret = made.text.substr(21);
  const auto database = Database::Open(folder_ + "/state.db", Database::Mode::kRead);
  EXPECT_EQ((*database)
                ->Number("SELECT count(*) FROM tokens WHERE hex(secret) = upper('" + secret + "')")
                .value(),
            0);
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
