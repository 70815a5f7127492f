#include "daemon/database/sqlite_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "daemon/database/blob_folder.h"
#include "daemon/database/folder_lock.h"
#include "tests/daemon/database/stored_jobs.h"

namespace wb {
namespace {

class SqliteStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_state_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    Open();
  }
  void TearDown() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }
  void Open() {
    store_.reset();
    auto store = SqliteStore::Open(folder_);
    ASSERT_TRUE(store.ok()) << store.status().message();
    store_ = std::move(store).value();
  }

  std::string folder_;
  std::unique_ptr<SqliteStore> store_;
};

TEST_F(SqliteStoreTest, WhatForgottenJobsLeftIsRemovedBitByBit) {
  StoreChange change;
  change.created = {test::JobOf("a"), test::JobOf("b")};
  for (uint64_t i = 0; i < 3000; ++i) {
    change.blocks.push_back(test::BlockOf("a", 10 * i, std::string(20'000, 'x')));
  }
  change.blocks.push_back(test::BlockOf("b", 0, "stays"));
  test::MustCommit(*store_, change);
  const auto size = [this] { return std::filesystem::file_size(folder_ + "/state.db"); };
  change = {};
  change.forgotten = {"a"};
  test::MustCommit(*store_, change);
  Open();  // the next daemon goes on with it
  for (int i = 0; i < 200; ++i) store_->Tidy();
  store_.reset();  // empties the log
  EXPECT_LT(size(), 40'000'000u);
  Open();
  EXPECT_EQ(test::LoadAll(*store_).size(), 1u);
  EXPECT_TRUE(store_->ReadBlock("b", 0).ok());
  // A new job has nothing of the old one.
  change = {};
  change.created = {test::JobOf("c")};
  test::MustCommit(*store_, change);
  EXPECT_TRUE(test::LoadAll(*store_)[1].blocks.empty());
}

TEST_F(SqliteStoreTest, ADamagedBlockIsNotServed) {
  StoreChange change;
  change.created = {test::JobOf("a")};
  change.blocks = {test::BlockOf("a", 0, std::string(100'000, 'x'))};
  test::MustCommit(*store_, change);
  store_.reset();
  {
    auto database = Database::Open(folder_ + "/state.db", Database::Mode::kWrite);
    ASSERT_TRUE(database.ok());
    ASSERT_TRUE((*database)->Run("UPDATE bodies SET data = zeroblob(100000)").ok());
  }
  Open();
  const auto block = store_->ReadBlock("a", 0);
  ASSERT_FALSE(block.ok());
  EXPECT_NE(block.status().message().find("missing or damaged"), std::string::npos);
}

TEST_F(SqliteStoreTest, ALinkInPlaceOfTheDatabaseIsNotFollowed) {
  store_.reset();
  const std::string behind = folder_ + "-link";
  std::filesystem::create_directory_symlink(folder_, behind);
  EXPECT_TRUE(SqliteStore::Open(behind).ok());  // a link above is the administrator's
  std::filesystem::remove(behind);
  std::filesystem::rename(folder_ + "/state.db", folder_ + "/other.db");
  std::filesystem::create_symlink(folder_ + "/other.db", folder_ + "/state.db");
  const auto store = SqliteStore::Open(folder_);
  ASSERT_FALSE(store.ok());
  EXPECT_NE(store.status().message().find("symbolic link"), std::string::npos);
}

TEST_F(SqliteStoreTest, ANewerDatabaseIsRefused) {
  store_.reset();
  {
    auto database = Database::Open(folder_ + "/state.db", Database::Mode::kWrite);
    ASSERT_TRUE((*database)->Run("PRAGMA user_version=99").ok());
  }
  const auto store = SqliteStore::Open(folder_);
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.status().reason(), Reason::kConfigInvalid);
  EXPECT_NE(store.status().message().find("version [99]"), std::string::npos)
      << store.status().message();
}

TEST_F(SqliteStoreTest, AnotherDatabaseIsRefused) {
  store_.reset();
  std::filesystem::remove(folder_ + "/state.db");
  {
    auto database = Database::Open(folder_ + "/state.db", Database::Mode::kWrite);
    ASSERT_TRUE((*database)->Run("CREATE TABLE others(a)").ok());
  }
  EXPECT_EQ(SqliteStore::Open(folder_).status().reason(), Reason::kConfigInvalid);
}

TEST(FolderLockTest, TwoDaemonsDoNotShareAFolder) {
  char folder[] = "/tmp/wb_lock_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  auto first = FolderLock::Take(folder);
  ASSERT_TRUE(first.ok()) << first.status().message();
  const auto second = FolderLock::Take(folder);
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.status().message().find("Another daemon"), std::string::npos);
  first->reset();
  EXPECT_TRUE(FolderLock::Take(folder).ok());
  std::filesystem::remove_all(folder);
}

class BlobFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_blobs_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  BlobFolder Open() { return BlobFolder::Open(folder_ + "/blobs").value(); }
  std::string PathOf(const Digest& digest) const {
    return folder_ + "/blobs/" + digest.Hex().substr(0, 2) + "/" + digest.Hex();
  }

  std::string folder_;
  const Digest digest_ = Sha256(AsBytes("some bytes"));
};

TEST_F(BlobFolderTest, GivesBackWhatWasPut) {
  BlobFolder blobs = Open();
  EXPECT_EQ(blobs.Get(digest_).status().reason(), Reason::kNotFound);
  ASSERT_TRUE(blobs.Put(digest_, AsBytes("some bytes")).ok());
  ASSERT_TRUE(blobs.Put(digest_, AsBytes("some bytes")).ok());
  blobs = Open();
  EXPECT_EQ(AsText(*blobs.Get(digest_)), "some bytes");
  ASSERT_EQ(blobs.List().size(), 1u);
  EXPECT_EQ(blobs.List()[0].bytes, 10u);
  ASSERT_TRUE(blobs.Remove(digest_).ok());
  ASSERT_TRUE(blobs.Remove(digest_).ok());
  EXPECT_TRUE(blobs.List().empty());
}

TEST_F(BlobFolderTest, DamagedBytesAreMovedAway) {
  const BlobFolder blobs = Open();
  ASSERT_TRUE(blobs.Put(digest_, AsBytes("some bytes")).ok());
  std::ofstream(PathOf(digest_)) << "same bytes";
  const auto damaged = blobs.Get(digest_);
  ASSERT_FALSE(damaged.ok());
  EXPECT_EQ(damaged.status().reason(), Reason::kBlobCorrupt);
  EXPECT_EQ(blobs.Get(digest_).status().reason(), Reason::kNotFound);
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/blobs/quarantine/" + digest_.Hex()));
  // It can be put again.
  ASSERT_TRUE(blobs.Put(digest_, AsBytes("some bytes")).ok());
  EXPECT_TRUE(blobs.Get(digest_).ok());
}

TEST_F(BlobFolderTest, WhatACrashLeftIsRemoved) {
  BlobFolder blobs = Open();
  ASSERT_TRUE(blobs.Put(digest_, AsBytes("some bytes")).ok());
  const std::string half = PathOf(digest_) + ".7.new";
  std::ofstream(half) << "som";
  blobs = Open();
  EXPECT_FALSE(std::filesystem::exists(half));
  EXPECT_TRUE(blobs.Get(digest_).ok());
}

}  // namespace
}  // namespace wb
