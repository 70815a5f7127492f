#include "client/file_set_image.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace wb {
namespace {

template <typename Number>
Number At(const std::string& image, uint64_t at) {
  Number number = 0;
  std::memcpy(&number, image.data() + at, sizeof number);
  return number;
}

// An entry of an image, as a reader of the format finds it.
struct Entry {
  std::string name;
  uint32_t type, first_child;
  uint64_t size, data_at, mtime_ns;
};

Entry EntryAt(const std::string& image, uint32_t index) {
  const uint64_t at = At<uint64_t>(image, 16) + 48u * index;
  const uint64_t names = At<uint64_t>(image, 24);
  return {image.substr(names + At<uint32_t>(image, at), At<uint32_t>(image, at + 4)),
          At<uint32_t>(image, at + 8),
          At<uint32_t>(image, at + 12),
          At<uint64_t>(image, at + 16),
          At<uint64_t>(image, at + 24),
          At<uint64_t>(image, at + 32)};
}

std::string BytesOf(const FileSetImage& image, const FileSetImage::ReadFile& read) {
  std::string bytes;
  EXPECT_TRUE(image
                  .Write(read,
                         [&](std::string_view part) {
                           bytes += part;
                           return Status();
                         })
                  .ok());
  return bytes;
}

std::string ImageOf(const std::vector<std::string>& paths) {
  FileSetImage image;
  for (const std::string& path : paths) {
    EXPECT_TRUE(image.AddFile(path, path.size(), 7).ok()) << path;
  }
  const auto read = [](const std::string& path, uint64_t, const TakePart& take) {
    return take(path);
  };
  std::string bytes = BytesOf(image, read);
  EXPECT_EQ(bytes.size(), image.size());
  return bytes;
}

TEST(FileSetImage, EntriesFollowTheFormat) {
  const std::string image = ImageOf({"b/two", "a", "b/one"});
  EXPECT_EQ(At<uint32_t>(image, 0), 0x53464257u);
  EXPECT_EQ(At<uint32_t>(image, 4), 1u);
  ASSERT_EQ(At<uint32_t>(image, 8), 5u);
  EXPECT_EQ(At<uint32_t>(image, 12), 8u);  // "a", "b", "one", "two"
  const Entry root = EntryAt(image, 0);
  EXPECT_EQ(root.name, "");
  EXPECT_EQ(root.type, 3u);
  EXPECT_EQ(root.first_child, 1u);
  EXPECT_EQ(root.size, 2u);
  const Entry file = EntryAt(image, 1);
  EXPECT_EQ(file.name, "a");
  EXPECT_EQ(file.type, 4u);
  EXPECT_EQ(file.size, 1u);
  EXPECT_EQ(file.mtime_ns, 7u);
  EXPECT_EQ(image.substr(file.data_at, file.size), "a");
  const Entry folder = EntryAt(image, 2);
  EXPECT_EQ(folder.name, "b");
  EXPECT_EQ(folder.size, 2u);
  ASSERT_EQ(folder.first_child, 3u);
  const Entry one = EntryAt(image, 3);
  EXPECT_EQ(one.name, "one");
  EXPECT_EQ(image.substr(one.data_at, one.size), "b/one");
  EXPECT_EQ(EntryAt(image, 4).name, "two");
}

TEST(FileSetImage, NamesAreSortedByBytesAndTheShorterComesFirst) {
  const std::string image = ImageOf({"\xc3\xa4", "ab", "a-b", "a", "B"});
  std::vector<std::string> names;
  for (uint32_t i = 1; i <= 5; ++i) names.push_back(EntryAt(image, i).name);
  EXPECT_EQ(names, (std::vector<std::string>{"B", "a", "a-b", "ab", "\xc3\xa4"}));
}

TEST(FileSetImage, TheOrderOfAddingDoesNotMatter) {
  EXPECT_EQ(ImageOf({"x/1", "x/2", "y"}), ImageOf({"y", "x/2", "x/1"}));
}

TEST(FileSetImage, AnEmptyFolderHasNoChildren) {
  FileSetImage set;
  ASSERT_TRUE(set.AddFolder("empty", 3).ok());
  ASSERT_TRUE(set.AddFolder("empty", 4).ok());
  const std::string image = BytesOf(set, [](auto&, auto, auto&) { return Status(); });
  EXPECT_EQ(EntryAt(image, 1).size, 0u);
  EXPECT_EQ(EntryAt(image, 1).first_child, 0u);
  EXPECT_EQ(EntryAt(image, 1).mtime_ns, 4u);
}

TEST(FileSetImage, PathsThatLeaveTheTreeAreRefused) {
  FileSetImage set;
  ASSERT_TRUE(set.AddFile("a", 0).ok());
  for (const char* path : {"", "/a", "b/", "b//c", ".", "..", "b/../c", "a/below", "a"}) {
    EXPECT_EQ(set.AddFile(path, 0).reason(), Reason::kInvalidArgument) << path;
  }
  EXPECT_EQ(set.AddFolder("a").reason(), Reason::kInvalidArgument);
}

TEST(FileSetImage, AFileThatCannotBeReadEndsTheWriting) {
  FileSetImage set;
  ASSERT_TRUE(set.AddFile("a", 1).ok());
  const auto ok = [](auto) { return Status(); };
  const auto fail = [](auto&, auto, auto&) { return Status(Reason::kIoError, "gone"); };
  EXPECT_EQ(set.Write(fail, ok).message(), "gone");
  for (const std::string bytes : {"", "12"}) {
    const auto other = [&](auto&, auto, const TakePart& take) { return take(bytes); };
    const std::string words = "The file [a] of a file set gave [" + std::to_string(bytes.size());
    EXPECT_TRUE(set.Write(other, ok).message().starts_with(words)) << bytes;
  }
}

}  // namespace
}  // namespace wb
