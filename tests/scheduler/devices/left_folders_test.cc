// Working folders of dead processes are removed, those of living ones and of others are not.

#include "scheduler/devices/compile/left_folders.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "scheduler/devices/compile/private_folder.h"
#include "tests/scheduler/base/temporary_folder.h"

namespace wb::test {
namespace {

namespace fs = std::filesystem;

class LeftFoldersTest : public ::testing::Test {
 protected:
  // As a killed process leaves one.
  fs::path Leave(const std::string& name) {
    const fs::path path = fs::path(folder_.path()) / name;
    fs::create_directory(path);
    fs::permissions(path, fs::perms::owner_all);
    std::ofstream(path / "kernel.metal") << "text";
    const std::ofstream lock(path / ".lock");
    return path;
  }
  uint64_t Remove() { return RemoveLeftFolders(folder_.path()); }

  TemporaryFolder folder_;
};

TEST_F(LeftFoldersTest, OneWhoseOwnerIsDeadIsRemoved) {
  const fs::path left = Leave("wasmburst-aB3xyz");
  EXPECT_EQ(Remove(), 1u);
  EXPECT_FALSE(fs::exists(left));
}

TEST_F(LeftFoldersTest, OneWhoseOwnerLivesStays) {
  const auto living = PrivateFolder::Create(folder_.path());
  ASSERT_TRUE(living.ok());
  ASSERT_TRUE(living->Write("kernel.metal", "text").ok());
  EXPECT_EQ(Remove(), 0u);
  EXPECT_TRUE(living->Read("kernel.metal").ok());
}

TEST_F(LeftFoldersTest, OneWithoutALockStaysForADay) {
  const fs::path left = Leave("wasmburst-aB3xyz");
  fs::remove(left / ".lock");
  EXPECT_EQ(Remove(), 0u);
  const timespec times[2] = {{1000, 0}, {1000, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, left.c_str(), times, 0), 0);
  EXPECT_EQ(Remove(), 1u);
}

TEST_F(LeftFoldersTest, LinksOpenFoldersAndOtherNamesStay) {
  const fs::path other = Leave("wasmburst-longer-name");
  const fs::path open = Leave("wasmburst-opened");
  fs::permissions(open, fs::perms(0755));
  const fs::path link = fs::path(folder_.path()) / "wasmburst-linked";
  fs::create_symlink(Leave("victim"), link);
  const fs::path inside = Leave("wasmburst-inside");
  fs::remove(inside / ".lock");
  fs::create_symlink(other / ".lock", inside / ".lock");
  EXPECT_EQ(Remove(), 0u);
  EXPECT_TRUE(fs::exists(link / "kernel.metal"));
  EXPECT_TRUE(fs::exists(inside / "kernel.metal"));
}

}  // namespace
}  // namespace wb::test
