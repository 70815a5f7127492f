#include "client/cli/output/backup_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "compiler/base/digest.h"
#include "tests/client/identity/scratch_folder.h"

namespace wb::cli {
namespace {

namespace fs = std::filesystem;

class BackupFileTest : public testing::Test {
 protected:
  std::string Path() const { return folder_.Path("backup"); }
  size_t Files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_.Path("")), fs::directory_iterator()));
  }

  ScratchFolder folder_;
};

TEST_F(BackupFileTest, HasItsNameOnceItIsWhole) {
  auto file = BackupFile::Create(Path()).value();
  ASSERT_TRUE(file->Add("one ").ok());
  ASSERT_TRUE(file->Add("").ok());
  ASSERT_TRUE(file->Add("two").ok());
  EXPECT_FALSE(fs::exists(Path()));
  EXPECT_EQ(file->bytes(), 7u);
  const Status finished = file->Finish(Sha256(AsBytes("one two")).Hex());
  ASSERT_TRUE(finished.ok()) << finished.message();
  file.reset();
  EXPECT_EQ(Files(), 1u);
  struct stat facts {};
  ASSERT_EQ(::stat(Path().c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
  EXPECT_EQ(facts.st_size, 7);
}

TEST_F(BackupFileTest, WithAnotherDigestOrNoneNothingIsLeft) {
  for (const std::string& digest : {std::string(), Sha256(AsBytes("other")).Hex()}) {
    auto file = BackupFile::Create(Path()).value();
    ASSERT_TRUE(file->Add("bytes").ok());
    EXPECT_EQ(file->Finish(digest).reason(), Reason::kBlobCorrupt);
    file.reset();
    EXPECT_EQ(Files(), 0u);
  }
  BackupFile::Create(Path()).value().reset();  // that was never finished
  EXPECT_EQ(Files(), 0u);
}

TEST_F(BackupFileTest, WhatIsThereStays) {
  std::ofstream(Path()) << "old";
  EXPECT_EQ(BackupFile::Create(Path()).status().reason(), Reason::kInvalidArgument);
  fs::remove(Path());
  auto file = BackupFile::Create(Path()).value();
  ASSERT_TRUE(file->Add("new").ok());
  std::ofstream(Path()) << "meanwhile";
  EXPECT_EQ(file->Finish(Sha256(AsBytes("new")).Hex()).reason(), Reason::kInvalidArgument);
  file.reset();
  EXPECT_EQ(Files(), 1u);
  EXPECT_EQ(fs::file_size(Path()), 9u);
  EXPECT_EQ(BackupFile::Create(folder_.Path("none/backup")).status().reason(), Reason::kIoError);
}

}  // namespace
}  // namespace wb::cli
