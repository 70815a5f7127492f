#include "tests/built_objects/built_objects.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "tests/scheduler/base/temporary_folder.h"

namespace wb::test {
namespace {

namespace fs = std::filesystem;

Bytes ObjectOf(std::string_view text) {
  Bytes object(20000);
  for (size_t i = 0; i < object.size(); ++i)
    object[i] = static_cast<uint8_t>(text[i % text.size()]);
  return object;
}

class BuiltObjectsTest : public ::testing::Test {
 protected:
  Bytes Get(BuiltObjects& objects, const std::string& target, std::string_view text,
            Effort effort = Effort::kFull) {
    return objects
        .Get(target, text, effort,
             [&]() -> Result<Bytes> {
               ++built_;
               return ObjectOf(text);
             })
        .value();
  }
  std::string Folder() const { return folder_.path() + "/objects"; }
  std::vector<fs::path> Entries() const {
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(Folder() + "/pipelines")) {
      entries.push_back(entry.path());
    }
    return entries;
  }

  TemporaryFolder folder_;
  int built_ = 0;
};

TEST_F(BuiltObjectsTest, IsBuiltOnceForAllThatShareAFolder) {
  BuiltObjects one(Folder()), other(Folder());
  EXPECT_EQ(Get(one, "clang 14", "kernel"), ObjectOf("kernel"));
  EXPECT_EQ(Get(other, "clang 14", "kernel"), ObjectOf("kernel"));
  EXPECT_EQ(Get(one, "clang 14", "kernel"), ObjectOf("kernel"));
  EXPECT_EQ(built_, 1);
}

TEST_F(BuiltObjectsTest, AnotherTextTargetOrEffortIsAnotherObject) {
  BuiltObjects objects(Folder());
  Get(objects, "clang 14", "kernel");
  EXPECT_EQ(Get(objects, "clang 14", "kernel "), ObjectOf("kernel "));
  EXPECT_EQ(built_, 2);
  Get(objects, "clang 15", "kernel");
  EXPECT_EQ(built_, 3);
  Get(objects, "clang 14", "kernel", Effort::kQuick);
  EXPECT_EQ(built_, 4);
  // Side by side, none in another's place.
  Get(objects, "clang 14", "kernel");
  Get(objects, "clang 15", "kernel");
  Get(objects, "clang 14", "kernel", Effort::kQuick);
  EXPECT_EQ(built_, 4);
}

TEST_F(BuiltObjectsTest, WithoutAFolderNothingIsKept) {
  std::ofstream(folder_.path() + "/file") << "no folder";
  for (const std::string& folder : {std::string(), folder_.path() + "/file"}) {
    BuiltObjects objects(folder);
    built_ = 0;
    EXPECT_EQ(Get(objects, "clang 14", "kernel"), ObjectOf("kernel"));
    EXPECT_EQ(Get(objects, "clang 14", "kernel"), ObjectOf("kernel"));
    EXPECT_EQ(built_, 2);
  }
}

TEST_F(BuiltObjectsTest, AFailureIsNotKept) {
  BuiltObjects objects(Folder());
  const auto failed = objects.Get("clang 14", "kernel", Effort::kFull, [] {
    return Result<Bytes>(Status(Reason::kCompileFailed, "expected a semicolon"));
  });
  EXPECT_EQ(failed.status().message(), "expected a semicolon");
  EXPECT_EQ(Get(objects, "clang 14", "kernel"), ObjectOf("kernel"));
  EXPECT_EQ(built_, 1);
}

// Torn off, written over in its middle, empty, and not to be read at all.
TEST_F(BuiltObjectsTest, ADamagedEntryIsBuiltAnew) {
  BuiltObjects objects(Folder());
  Get(objects, "clang 14", "kernel");
  ASSERT_EQ(Entries().size(), 1u);
  const fs::path entry = Entries()[0];
  const auto expect_anew = [&](const char* how) {
    built_ = 0;
    EXPECT_EQ(Get(objects, "clang 14", "kernel"), ObjectOf("kernel")) << how;
    EXPECT_EQ(built_, 1) << how;
    EXPECT_EQ(Get(objects, "clang 14", "kernel"), ObjectOf("kernel")) << how;
    EXPECT_EQ(built_, 1) << how;
  };
  fs::resize_file(entry, fs::file_size(entry) - 1);
  expect_anew("torn");
  std::fstream(entry, std::ios::in | std::ios::out | std::ios::binary).seekp(9000).put('!');
  expect_anew("written over");
  fs::resize_file(entry, 0);
  expect_anew("empty");
  fs::remove(entry);
  fs::create_directory(entry);
  expect_anew("a folder");
}

// Each process finds whole objects or builds them; none sees another's half.
TEST_F(BuiltObjectsTest, SeveralProcessesAtOnce) {
  constexpr int kProcesses = 4, kTexts = 50;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    const pid_t child = ::fork();
    if (child == 0) {
      BuiltObjects objects(Folder());
      bool right = true;
      for (int i = 0; i < kTexts; ++i) {
        const std::string text = "kernel " + std::to_string(i);
        right = right && Get(objects, "clang 14", text) == ObjectOf(text);
      }
      ::_exit(right ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  EXPECT_EQ(Entries().size(), size_t{kTexts});
  BuiltObjects objects(Folder());
  for (int i = 0; i < kTexts; ++i) {
    const std::string text = "kernel " + std::to_string(i);
    EXPECT_EQ(Get(objects, "clang 14", text), ObjectOf(text));
  }
  EXPECT_EQ(built_, 0);
}

}  // namespace
}  // namespace wb::test
