// Files that outlive the daemon: whose they must be, and what is there after a write.

#include "scheduler/base/disk_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "tests/scheduler/base/temporary_folder.h"

namespace wb::test {
namespace {

namespace fs = std::filesystem;

class DiskFileTest : public testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string Text(const std::string& name) const {
    Bytes bytes(100);
    const auto size = DiskFile(Path(name), kReadFlags).Read(bytes);
    return size ? std::string(AsText(bytes).substr(0, *size)) : "unreadable";
  }
  bool IsPlain(const std::string& name) const {
    return DiskFile(Path(name), kReadFlags).Facts().has_value();
  }

  TemporaryFolder folder_;
};

TEST_F(DiskFileTest, IsWrittenInPartsAndClosedToOthers) {
  ASSERT_TRUE(WriteFlushed(Path("a"), O_EXCL, {AsBytes("one, "), AsBytes("two")}));
  EXPECT_EQ(Text("a"), "one, two");
  const auto facts = DiskFile(Path("a"), kReadFlags).Facts();
  ASSERT_TRUE(facts.has_value());
  EXPECT_EQ(facts->st_size, 8);
  EXPECT_EQ(facts->st_mode & 0777, 0600u);
  EXPECT_TRUE(FlushFolder(folder_.path()));
}

TEST_F(DiskFileTest, WhatIsThereStaysOrIsReplacedWhole) {
  ASSERT_TRUE(WriteFlushed(Path("a"), O_EXCL, {AsBytes("a long text")}));
  EXPECT_FALSE(WriteFlushed(Path("a"), O_EXCL, {AsBytes("new")}));
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(Text("a"), "a long text");
  EXPECT_TRUE(WriteFlushed(Path("a"), O_TRUNC, {AsBytes("new")}));
  EXPECT_EQ(Text("a"), "new");
}

TEST_F(DiskFileTest, OnlyPlainFilesAreOurs) {
  EXPECT_FALSE(IsPlain("missing"));
  ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(IsPlain("pipe"));
  EXPECT_FALSE(IsPlain("."));
  ASSERT_TRUE(WriteFlushed(Path("a"), O_EXCL, {}));
  EXPECT_TRUE(IsPlain("a"));
  ASSERT_EQ(::symlink(Path("a").c_str(), Path("link").c_str()), 0);
  EXPECT_FALSE(IsPlain("link"));
  EXPECT_FALSE(WriteFlushed(Path("link"), O_TRUNC, {AsBytes("through")}));
  EXPECT_EQ(Text("a"), "");
}

TEST_F(DiskFileTest, NoMoreIsReadThanThereIsRoomFor) {
  ASSERT_TRUE(WriteFlushed(Path("a"), O_EXCL, {AsBytes("0123456789")}));
  Bytes few(4);
  EXPECT_EQ(DiskFile(Path("a"), kReadFlags).Read(few), 4u);
  EXPECT_EQ(AsText(few), "0123");
  EXPECT_FALSE(DiskFile(Path("."), kReadFlags).Read(few).has_value());
  EXPECT_FALSE(FlushFolder(Path("a")));
}

TEST_F(DiskFileTest, AFolderIsMadeWithItsParentsAndClosedToOthers) {
  ASSERT_TRUE(MakePrivateFolder(Path("a/b"), "The folder").ok());
  EXPECT_EQ(fs::status(Path("a/b")).permissions(), fs::perms::owner_all);
  fs::permissions(Path("a/b"), fs::perms(0755));
  ASSERT_TRUE(MakePrivateFolder(Path("a/b"), "The folder").ok());
  EXPECT_EQ(fs::status(Path("a/b")).permissions(), fs::perms::owner_all);
}

TEST_F(DiskFileTest, ALinkInAFoldersPlaceIsNotFollowed) {
  fs::create_directory(Path("victim"));
  fs::permissions(Path("victim"), fs::perms(0755));
  fs::create_symlink(Path("victim"), Path("linked"));
  const Status status = MakePrivateFolder(Path("linked"), "The folder");
  EXPECT_EQ(status.reason(), Reason::kIoError);
  EXPECT_EQ(status.message(), "The folder [" + Path("linked") +
                                  "] is a symbolic link, which is not followed. Name the folder "
                                  "itself.");
  EXPECT_EQ(fs::status(Path("victim")).permissions(), fs::perms(0755));
  ASSERT_TRUE(WriteFlushed(Path("file"), O_EXCL, {}));
  EXPECT_EQ(MakePrivateFolder(Path("file"), "The folder").reason(), Reason::kIoError);
}

}  // namespace
}  // namespace wb::test
