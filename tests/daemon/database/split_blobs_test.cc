#include "daemon/database/split_blobs.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "daemon/database/blob_folder.h"

namespace wb {
namespace {

class SplitBlobsTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_split_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::shared_ptr<const BlobFolder> Part(const std::string& name) const {
    return std::make_shared<const BlobFolder>(BlobFolder::OpenShared(folder_ + "/" + name).value());
  }
  SplitBlobs Open(uint64_t long_from) const {
    return SplitBlobs(Part("short"), Part("long"), long_from);
  }
  static Digest DigestOf(const std::string& text) { return Sha256(AsBytes(text)); }

  std::string folder_;
  const std::string little_ = "some bytes";
  const std::string much_ = std::string(100, 'm');
};

TEST_F(SplitBlobsTest, LongOnesLieElsewhere) {
  const SplitBlobs blobs = Open(100);
  ASSERT_TRUE(blobs.Put(DigestOf(little_), AsBytes(little_)).ok());
  ASSERT_TRUE(blobs.Put(DigestOf(much_), AsBytes(much_)).ok());
  EXPECT_EQ(Part("short")->List().size(), 1u);
  EXPECT_EQ(Part("long")->List().size(), 1u);
  EXPECT_EQ(AsText(*blobs.Get(DigestOf(little_))), little_);
  EXPECT_EQ(AsText(*blobs.Get(DigestOf(much_))), much_);
  EXPECT_EQ(blobs.Get(DigestOf("another")).status().reason(), Reason::kNotFound);
  const auto entries = blobs.Entries();
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_LT((*entries)[0].digest, (*entries)[1].digest);
  EXPECT_TRUE(blobs.Remove(DigestOf(much_)).ok());
  EXPECT_TRUE(blobs.Remove(DigestOf(little_)).ok());
  EXPECT_TRUE(blobs.Entries()->empty());
}

TEST_F(SplitBlobsTest, WhatIsThereStaysWhereItIsWithAnotherBound) {
  ASSERT_TRUE(Open(1).Put(DigestOf(little_), AsBytes(little_)).ok());
  const SplitBlobs later = Open(100);
  EXPECT_EQ(AsText(*later.Get(DigestOf(little_))), little_);
  ASSERT_TRUE(later.Put(DigestOf(little_), AsBytes(little_)).ok());
  EXPECT_EQ(later.Entries()->size(), 1u);  // of the two that there are now
  EXPECT_TRUE(later.Remove(DigestOf(little_)).ok());
  EXPECT_EQ(later.Get(DigestOf(little_)).status().reason(), Reason::kNotFound);
}

TEST_F(SplitBlobsTest, WhatAnotherMachineIsWritingIsLeftAlone) {
  ASSERT_TRUE(Part("long")->Put(DigestOf(much_), AsBytes(much_)).ok());
  const std::string part = folder_ + "/long/" + DigestOf(much_).Hex().substr(0, 2);
  const std::string half = part + "/half.1.new";
  const std::string left = part + "/left.2.new";
  std::ofstream(half) << "half";
  std::ofstream(left) << "left";
  std::filesystem::last_write_time(
      left, std::filesystem::file_time_type::clock::now() - std::chrono::hours(25));
  (void)Part("long");
  EXPECT_TRUE(std::filesystem::exists(half));
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_EQ(Part("long")->List().size(), 1u);
}

}  // namespace
}  // namespace wb
