// Names and directories: what is made lies over own files, and those over the set.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "tests/compiler/system/host.h"

namespace wb::test {
namespace {

using Names = std::vector<std::string>;

InstanceInputs WithTree() {
  InstanceInputs inputs;
  inputs.file_set =
      FileSet({{"a", "A"}, {"b", "B"}, {"d/x", "X"}, {"d/y", "Y"}, {"d/e/z", "Z"}, {"void/", ""}});
  inputs.files = {{"b", "own B"}, {"d/own", "O"}};
  return inputs;
}

struct Tree : Program {
  Tree() : Program(WithTree()) {}
  explicit Tree(const InstanceInputs& inputs) : Program(inputs) {}

  I32 Make(std::string_view path) { return wasi_path_create_directory(3, Put(path), Size(path)); }
  I32 RemoveFolder(std::string_view path) {
    return wasi_path_remove_directory(3, Put(path), Size(path));
  }
  I32 Unlink(std::string_view path) { return wasi_path_unlink_file(3, Put(path), Size(path)); }
  I32 Rename(std::string_view from, std::string_view to) {
    return wasi_path_rename(3, Put(from), Size(from), 3, Put(to), Size(to));
  }
  static I32 Size(std::string_view path) { return static_cast<I32>(path.size()); }
};

TEST(TreeTest, OwnFilesLieOverTheSet) {
  Tree tree;
  EXPECT_EQ(tree.List(""), Names{"errno 28"});
  EXPECT_EQ(tree.List("."), (Names{"a", "b", "d/", "void/"}));
  EXPECT_EQ(tree.Read("b"), "own B");
  EXPECT_EQ(tree.List("d"), (Names{"e/", "x", "y", "own"}));
  EXPECT_EQ(tree.List("void"), Names{});
}

TEST(TreeTest, PathsAreCleanedAsText) {
  Tree tree;
  EXPECT_EQ(tree.Read("./a"), "A");
  EXPECT_EQ(tree.Read("d//./x"), "X");
  EXPECT_EQ(tree.Read("d/e/../../d/x"), "X");
  EXPECT_EQ(tree.Read("absent/../a"), "A");
  EXPECT_EQ(tree.Read("a/"), "errno 54");
  EXPECT_EQ(tree.Make("made/"), I32{E_OK});
  EXPECT_EQ(tree.Write("file/", "x"), I32{E_ISDIR});
  EXPECT_EQ(tree.Read(std::string("a\0b", 3)), "errno 28");
}

TEST(TreeTest, NoPathLeadsOut) {
  InstanceInputs inputs = WithTree();
  inputs.preopens = {{"/data", "d"}};
  Tree tree(inputs);
  EXPECT_EQ(tree.Read("x"), "X");
  for (const char* path : {"..", "/data/x", "/x", "../a", "e/../../a", "/data/../a", "/a",
                           "/database", "/", "/dat", "e/../e/../../d/x"}) {
    EXPECT_EQ(tree.Read(path), "errno 76") << path;
  }
  const I32 fd = tree.Open("e", OPEN_DIRECTORY);
  ASSERT_EQ(tree.error, I32{E_OK});
  const Guest out = tree.Room(4);
  EXPECT_EQ(wasi_path_open(fd, 0, tree.Put("../x"), 4, 0, 0, 0, 0, out), I32{E_NOTCAPABLE});
  EXPECT_EQ(wasi_path_open(fd, 0, tree.Put("/data/x"), 7, 0, 0, 0, 0, out), I32{E_NOTCAPABLE});
  EXPECT_EQ(wasi_path_open(fd, 0, tree.Put("z"), 1, 0, 0, 0, 0, out), I32{E_OK});
}

TEST(TreeTest, LongPathsAndNamesAreRefused) {
  Tree tree;
  EXPECT_EQ(tree.Read(std::string(5000, 'a')), "errno 37");
  EXPECT_EQ(tree.Read(std::string(256, 'a')), "errno 37");
  EXPECT_EQ(tree.Write(std::string(255, 'a'), "x"), I32{E_OK});
  EXPECT_EQ(tree.Read(std::string(255, 'a')), "x");
  std::string deep = "d";
  for (int i = 0; i < 1000; ++i) deep += "/.";
  EXPECT_EQ(tree.Read(deep + "/x"), "X");
}

TEST(TreeTest, OpeningAsksForWhatIsThere) {
  Tree tree;
  tree.Open("d");
  EXPECT_EQ(tree.error, I32{E_ISDIR});  // for writing
  tree.Open("a", OPEN_DIRECTORY);
  EXPECT_EQ(tree.error, I32{E_NOTDIR});
  tree.Open("a/b");
  EXPECT_EQ(tree.error, I32{E_NOTDIR});
  tree.Open("absent/b", OPEN_CREATE);
  EXPECT_EQ(tree.error, I32{E_NOENT});
  tree.Open("a", OPEN_CREATE | OPEN_EXCLUSIVE);
  EXPECT_EQ(tree.error, I32{E_EXIST});
  tree.Open("fresh", OPEN_CREATE | OPEN_EXCLUSIVE);
  EXPECT_EQ(tree.error, I32{E_OK});
  tree.Open("a", 0, 32);
  EXPECT_EQ(tree.error, I32{E_INVAL});
  const I32 fd = tree.Open("d", OPEN_DIRECTORY);
  EXPECT_EQ(tree.ReadAll(fd), "errno 76");
}

TEST(TreeTest, DirectoriesAreMadeAndRemoved) {
  Tree tree;
  EXPECT_EQ(tree.Make("new"), I32{E_OK});
  EXPECT_EQ(tree.Make("new"), I32{E_EXIST});
  EXPECT_EQ(tree.Make("a"), I32{E_EXIST});
  EXPECT_EQ(tree.Make("absent/new"), I32{E_NOENT});
  EXPECT_EQ(tree.Make("new/deeper"), I32{E_OK});
  EXPECT_EQ(tree.Write("new/deeper/f", "1"), I32{E_OK});
  EXPECT_EQ(tree.List("."), (Names{"a", "b", "d/", "void/", "new/"}));
  EXPECT_EQ(tree.RemoveFolder("new"), I32{E_NOTEMPTY});
  EXPECT_EQ(tree.RemoveFolder("new/deeper/f"), I32{E_NOTDIR});
  EXPECT_EQ(tree.Unlink("new/deeper"), I32{E_ISDIR});
  EXPECT_EQ(tree.Unlink("new/deeper/f"), I32{E_OK});
  EXPECT_EQ(tree.RemoveFolder("new/deeper"), I32{E_OK});
  EXPECT_EQ(tree.RemoveFolder("new"), I32{E_OK});
  EXPECT_EQ(tree.RemoveFolder("new"), I32{E_NOENT});
  EXPECT_EQ(tree.RemoveFolder("."), I32{E_NOTEMPTY});
  EXPECT_EQ(tree.List("."), (Names{"a", "b", "d/", "void/"}));
}

TEST(TreeTest, WhatTheSetHoldsCanBeRemovedAndMadeAgain) {
  Tree tree;
  EXPECT_EQ(tree.Unlink("a"), I32{E_OK});
  EXPECT_EQ(tree.Unlink("a"), I32{E_NOENT});
  EXPECT_EQ(tree.Read("a"), "errno 44");
  EXPECT_EQ(tree.List("."), (Names{"b", "d/", "void/"}));
  EXPECT_EQ(tree.Write("a", "again"), I32{E_OK});
  EXPECT_EQ(tree.Read("a"), "again");
  EXPECT_EQ(tree.List("."), (Names{"a", "b", "d/", "void/"}));
  EXPECT_EQ(tree.RemoveFolder("d/e"), I32{E_NOTEMPTY});
  EXPECT_EQ(tree.Unlink("d/e/z"), I32{E_OK});
  EXPECT_EQ(tree.RemoveFolder("d/e"), I32{E_OK});
  EXPECT_EQ(tree.Make("d/e"), I32{E_OK});
  EXPECT_EQ(tree.List("d/e"), Names{});
  EXPECT_EQ(tree.RemoveFolder("void"), I32{E_OK});
  EXPECT_EQ(tree.Unlink("b"), I32{E_OK});
  EXPECT_EQ(tree.Read("b"), "errno 44");  // not the set's
}

TEST(TreeTest, ARemovedDirectoryTakesNothingNew) {
  Tree tree;
  ASSERT_EQ(tree.Make("new"), I32{E_OK});
  const I32 fd = tree.Open("new", OPEN_DIRECTORY);
  ASSERT_EQ(tree.RemoveFolder("new"), I32{E_OK});
  const Guest name = tree.Put("f"), out = tree.Room(4);
  EXPECT_EQ(wasi_path_open(fd, 0, name, 1, OPEN_CREATE, 0, 0, 0, out), I32{E_NOENT});
  EXPECT_EQ(wasi_path_create_directory(fd, name, 1), I32{E_NOENT});
  EXPECT_EQ(wasi_path_rename(3, tree.Put("a"), 1, fd, name, 1), I32{E_NOENT});
  EXPECT_EQ(tree.Read("a"), "A");
  EXPECT_EQ(wasi_fd_close(fd), I32{E_OK});
}

TEST(TreeTest, FilesAreRenamedOverOthers) {
  Tree tree;
  EXPECT_EQ(tree.Rename("a", "d/moved"), I32{E_OK});
  EXPECT_EQ(tree.Read("a"), "errno 44");
  EXPECT_EQ(tree.Read("d/moved"), "A");
  EXPECT_EQ(tree.Rename("d/moved", "d/x"), I32{E_OK});
  EXPECT_EQ(tree.Read("d/x"), "A");
  EXPECT_EQ(tree.List("d"), (Names{"e/", "x", "y", "own"}));
  EXPECT_EQ(tree.Rename("d/x", "d/x"), I32{E_OK});
  EXPECT_EQ(tree.Read("d/x"), "A");
  EXPECT_EQ(tree.Rename("d/x", "d/own"), I32{E_OK});
  EXPECT_EQ(tree.Read("d/own"), "A");
  EXPECT_EQ(tree.Rename("absent", "c"), I32{E_NOENT});
  EXPECT_EQ(tree.Rename("d/own", "absent/c"), I32{E_NOENT});
  EXPECT_EQ(tree.Rename("d/own", "void"), I32{E_ISDIR});
}

TEST(TreeTest, AnOpenFileIsReadOnAfterItsNameIsTaken) {
  Tree tree;
  const I32 fd = tree.Open("a");
  EXPECT_EQ(tree.Rename("d/x", "a"), I32{E_OK});
  EXPECT_EQ(tree.ReadAll(fd), "A");
  EXPECT_EQ(tree.WriteTo(fd, "+"), I32{E_OK});
  EXPECT_EQ(tree.Read("a"), "X");
  EXPECT_EQ(wasi_fd_close(fd), I32{E_OK});
  EXPECT_EQ(tree.Read("a"), "X");
}

TEST(TreeTest, DirectoriesOfTheSetAreRenamedWithWhatTheyHold) {
  Tree tree;
  EXPECT_EQ(tree.Rename("d", "moved"), I32{E_OK});
  EXPECT_EQ(tree.List("moved"), (Names{"e/", "x", "y", "own"}));
  EXPECT_EQ(tree.Read("moved/e/z"), "Z");
  EXPECT_EQ(tree.Read("d/x"), "errno 44");
  EXPECT_EQ(tree.Rename("moved", "moved/e/in"), I32{E_INVAL});
  EXPECT_EQ(tree.Rename("moved", "a"), I32{E_NOTDIR});
  EXPECT_EQ(tree.Rename("void", "moved"), I32{E_NOTEMPTY});
  EXPECT_EQ(tree.Rename("moved", "void"), I32{E_OK});
  EXPECT_EQ(tree.Read("void/e/z"), "Z");
  EXPECT_EQ(tree.Rename(".", "c"), I32{E_BUSY});
}

TEST(TreeTest, ListingGoesOnWhereItStoppedThoughNamesAreRemoved) {
  Tree tree;
  for (int i = 0; i < 20; ++i) ASSERT_EQ(tree.Write("made" + std::to_string(i), ""), I32{E_OK});
  const I32 fd = tree.Open(".", OPEN_DIRECTORY);
  const Guest to = tree.Room(64), out = tree.Room(4);
  uint64_t cookie = 0;
  Names seen;
  while (true) {
    ASSERT_EQ(wasi_fd_readdir(fd, to, 64, cookie, out), I32{E_OK});
    if (tree.Number(out) < DIRENT_BYTES) break;
    const uint32_t bytes = static_cast<uint32_t>(tree.Number(to + 16));
    seen.push_back(tree.Text(to + DIRENT_BYTES, bytes));
    cookie = tree.Number(to, 8);
    if (tree.Number(to + 20, 1) == TYPE_DIRECTORY) continue;
    ASSERT_EQ(tree.Unlink(seen.back()), I32{E_OK});
  }
  EXPECT_EQ(seen.size(), 24u);
  EXPECT_EQ(tree.List("."), (Names{"d/", "void/"}));
}

TEST(TreeTest, AListingIsTheSameWhateverTheRoom) {
  Tree tree;
  for (const uint32_t room : {40u, 64u, 100u, 4000u}) {
    EXPECT_EQ(tree.List("d", room), (Names{"e/", "x", "y", "own"})) << room;
  }
  const Guest to = tree.Room(8), out = tree.Room(4);
  ASSERT_EQ(wasi_fd_readdir(3, to, 8, 0, out), I32{E_OK});
  EXPECT_EQ(tree.Number(out), 8u);  // full, so there is more
  ASSERT_EQ(wasi_fd_readdir(3, to, 8, UINT64_MAX, out), I32{E_OK});
  EXPECT_EQ(tree.Number(out), 0u);
}

TEST(TreeTest, DirectoriesOfTheSetThatWereWalkedLeaveNoMemoryBehind) {
  std::map<std::string, std::string> files;
  for (int i = 0; i < 3000; ++i) files["dir/d" + std::to_string(i) + "/e/file"] = "f";
  InstanceInputs inputs;
  inputs.file_set = FileSet(files);
  Tree tree(inputs);
  EXPECT_EQ(tree.Read("dir/d7/e/file"), "f");
  EXPECT_EQ(tree.Read("dir/d7/e/absent"), "errno 44");
  const size_t left = TheHost().memory_left;
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(tree.Read("dir/d" + std::to_string(i) + "/e/file"), "f") << i;
    ASSERT_EQ(tree.Read("dir/d" + std::to_string(i) + "/absent"), "errno 44") << i;
    ASSERT_EQ(tree.Read("dir/d" + std::to_string(i) + "/e/file/x"), "errno 54") << i;
  }
  EXPECT_EQ(TheHost().memory_left, left);
  EXPECT_EQ(tree.Write("dir/d9/e/made", "m"), I32{E_OK});
  EXPECT_EQ(tree.Read("dir/d8/e/file"), "f");
  EXPECT_EQ(tree.Read("dir/d9/e/made"), "m");  // what was made stays
}

TEST(TreeTest, ALargeDirectoryIsSearchedByHalves) {
  std::map<std::string, std::string> files;
  for (int i = 0; i < 20000; ++i) files["dir/file" + std::to_string(i)] = std::to_string(i);
  InstanceInputs inputs;
  inputs.file_set = FileSet(files);
  Tree tree(inputs);
  tree.Read("dir/file0");
  const uint32_t before = TheHost().primitive_calls;
  EXPECT_EQ(tree.Read("dir/file12345"), "12345");
  EXPECT_LT(TheHost().primitive_calls - before, 40u);
  EXPECT_EQ(tree.Read("dir/file20000"), "errno 44");
  EXPECT_EQ(tree.List("dir").size(), 20000u);
}

TEST(TreeTest, ManyNamesOfADirectoryAreFoundRenamedAndRemoved) {
  constexpr int kNames = 3000;
  Tree tree;
  const Guest at = tree.Room(16), out = tree.Room(64);
  const auto name = [&](const char* folder, int number) {
    char text[16];
    std::snprintf(text, sizeof text, "%s/%05d", folder, number);
    std::memcpy(&TheHost().memory[at], text, 7);
    return at;
  };
  for (const char* folder : {"m", "n"}) ASSERT_EQ(tree.Make(folder), I32{E_OK});
  for (int i = 0; i < kNames; ++i) {
    ASSERT_EQ(wasi_path_create_directory(3, name("m", i), 7), I32{E_OK}) << i;
    ASSERT_EQ(wasi_path_create_directory(3, at, 7), I32{E_EXIST}) << i;
  }
  for (int i = 0; i < kNames; i += 3) {
    ASSERT_EQ(wasi_path_remove_directory(3, name("m", i), 7), I32{E_OK}) << i;
  }
  ASSERT_EQ(tree.Rename("m/00001", "n/first"), I32{E_OK});
  for (int i = 0; i < kNames; ++i) {
    const I32 expected = i % 3 == 0 || i == 1 ? E_NOENT : E_OK;
    ASSERT_EQ(wasi_path_filestat_get(3, 0, name("m", i), 7, out), expected) << i;
  }
  EXPECT_EQ(tree.List("m").size(), kNames / 3 * 2 - 1u);
  EXPECT_EQ(tree.List("n"), Names{"first/"});
  for (int i = 2; i < kNames; ++i) {
    if (i % 3 == 0) continue;
    ASSERT_EQ(wasi_path_remove_directory(3, name("m", i), 7), I32{E_OK}) << i;
  }
  EXPECT_EQ(tree.RemoveFolder("m"), I32{E_OK});
}

TEST(TreeTest, APreopenedDirectoryThatIsMissingIsMade) {
  InstanceInputs inputs = WithTree();
  inputs.preopens = {{"/out", "made/here"}, {"/", ""}};
  Tree tree(inputs);
  EXPECT_EQ(tree.Write("f", "1"), I32{E_OK});
  const Guest out = tree.Room(4);
  ASSERT_EQ(wasi_path_open(4, 0, tree.Put("made/here/f"), 11, 0, RIGHT_FD_READ, 0, 0, out),
            I32{E_OK});
  EXPECT_EQ(tree.ReadAll(static_cast<I32>(tree.Number(out))), "1");
}

TEST(TreeTest, BothPathsOfARenameAreReadThoughADirectoryIsFirstUsedThere) {
  InstanceInputs inputs = WithTree();
  inputs.preopens = {{"/", ""}, {"/out", "some/where"}};
  Tree tree(inputs);
  ASSERT_EQ(wasi_path_rename(3, tree.Put("a"), 1, 4, tree.Put("b2"), 2), I32{E_OK});
  EXPECT_EQ(tree.Read("some/where/b2"), "A");
  EXPECT_EQ(tree.Read("a"), "errno 44");
}

TEST(TreeTest, OwnFilesWithPathsThatLeadNowhereAreLeftOut) {
  InstanceInputs inputs = WithTree();
  inputs.files = {{"../out", "1"}, {"", "2"},   {"a/in/file", "3"},
                  {"d", "4"},      {"ok", "5"}, {"ok", "6"}};
  Tree tree(inputs);
  EXPECT_EQ(tree.Read("ok"), "6");
  EXPECT_EQ(tree.Read("d"), "4");
  EXPECT_EQ(tree.Read("a"), "A");
  EXPECT_EQ(tree.List("."), (Names{"a", "b", "d", "void/", "ok"}));
}

}  // namespace
}  // namespace wb::test
