#include "scheduler/pipelines/cache_key.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/scheduler/base/few_descriptors.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

namespace fs = std::filesystem;

class CacheKeyTest : public ::testing::Test {
 protected:
  std::string Folder() const { return folder_.path() + "/state"; }
  std::string File() const { return Folder() + "/cache.key"; }
  CacheKey Take() {
    return CacheKey::OfFolder(Folder(), [this](const std::string& words) { log_ += words + "\n"; });
  }
  static bool AreSame(const CacheKey& one, const CacheKey& other) {
    return other.Hmac({AsBytes("words")}) == one.Hmac({AsBytes("words")});
  }
  std::string FileText() const {
    std::ifstream in(File(), std::ios::binary);
    return {(std::istreambuf_iterator<char>(in)), {}};
  }
  mode_t Mode() const {
    struct stat facts {};
    EXPECT_EQ(::lstat(File().c_str(), &facts), 0);
    return facts.st_mode & 07777;
  }
  // Something was wrong with `before`: there is another key now, in a plain file, and it stays.
  void ExpectReplaced(const CacheKey& before, const std::string& why) {
    log_.clear();
    const CacheKey after = Take();
    EXPECT_NE(log_.find(why), std::string::npos) << log_;
    EXPECT_FALSE(AreSame(before, after));
    EXPECT_EQ(Mode(), 0600u);
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(File())));
    log_.clear();
    EXPECT_TRUE(AreSame(after, Take()));
    EXPECT_EQ(log_, "");
  }

  TemporaryFolder folder_;
  std::string log_;
};

// RFC 4231, case 1, has a key of 20 bytes; HMAC fills keys with zeros, so 32 with zeros are the
// same.
TEST_F(CacheKeyTest, MakesHmacsAsTheStandardSays) {
  fs::create_directories(Folder());
  std::ofstream(File(), std::ios::binary) << std::string(20, 11) << std::string(12, 0);
  fs::permissions(File(), fs::perms::owner_read | fs::perms::owner_write);
  const CacheKey key = Take();
  EXPECT_EQ(log_, "");
  EXPECT_EQ(key.Hmac({AsBytes("Hi "), AsBytes("There")}).Hex(),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
}

TEST_F(CacheKeyTest, IsMadeOnceAndForItsUserAlone) {
  const CacheKey first = Take();
  EXPECT_EQ(Mode(), 0600u);
  EXPECT_EQ(FileText().size(), CacheKey::kBytes);
  EXPECT_TRUE(AreSame(first, Take()));
  EXPECT_EQ(log_, "");
  EXPECT_FALSE(AreSame(CacheKey::Random(), CacheKey::Random()));
  // Nothing else is left there.
  EXPECT_EQ(std::distance(fs::directory_iterator(Folder()), fs::directory_iterator()), 1);
}

TEST_F(CacheKeyTest, AnotherOneIsMadeWhereTheFileWasRemoved) {
  const CacheKey first = Take();
  fs::remove(File());
  EXPECT_FALSE(AreSame(first, Take()));
  EXPECT_EQ(log_, "");
}

TEST_F(CacheKeyTest, AFileThatOthersMayReadIsReplaced) {
  const CacheKey first = Take();
  fs::permissions(File(), fs::perms::group_read, fs::perm_options::add);
  ExpectReplaced(first, "can be opened by others");
}

TEST_F(CacheKeyTest, AFileOfAnotherLengthIsReplaced) {
  CacheKey key = Take();
  for (const uintmax_t bytes : {0, 31, 33}) {
    fs::resize_file(File(), bytes);
    ExpectReplaced(key, "bytes and not [32]");
    key = Take();
  }
}

TEST_F(CacheKeyTest, ALinkIsNotFollowedAndWhatItNamesStays) {
  const CacheKey first = Take();
  const std::string elsewhere = folder_.path() + "/elsewhere";
  fs::rename(File(), elsewhere);
  fs::create_symlink(elsewhere, File());
  ExpectReplaced(first, "cannot be opened");
  EXPECT_EQ(fs::file_size(elsewhere), CacheKey::kBytes);
}

TEST_F(CacheKeyTest, APipeInItsPlaceIsReplaced) {
  const CacheKey first = Take();
  fs::remove(File());
  ASSERT_EQ(::mkfifo(File().c_str(), 0600), 0);
  ExpectReplaced(first, "is no plain file");
}

TEST_F(CacheKeyTest, WithoutAPlaceTheKeyIsForgotten) {
  fs::create_directories(File() + "/deep");  // a folder is not replaced
  const CacheKey first = Take();
  EXPECT_NE(log_.find("forgets when it ends"), std::string::npos) << log_;
  EXPECT_FALSE(AreSame(first, Take()));
  fs::remove_all(Folder());
  std::ofstream(Folder()) << "a file in the way";
  EXPECT_FALSE(AreSame(first, Take()));
}

TEST_F(CacheKeyTest, WhatCannotBeOpenedNowStays) {
  const CacheKey first = Take();
  {
    const FewDescriptors few;
    EXPECT_FALSE(AreSame(first, Take()));
  }
  EXPECT_NE(log_.find("forgets when it ends"), std::string::npos) << log_;
  EXPECT_TRUE(AreSame(first, Take()));
}

// GMAC is what AES-GCM gives for words that are sent openly, with no others.
TEST_F(CacheKeyTest, SignsAsAesGcmDoesUnderTheHmacOfTheHead) {
  const CacheKey key = CacheKey::Random();
  const Digest of_entry = key.Hmac({AsBytes("a head")});
  const Bytes payload(70'001, 0x5a);
  std::array<uint8_t, 12> zeros{};
  CacheKey::Signature expected{};
  int length = 0;
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  EXPECT_EQ(
      EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nullptr, of_entry.bytes.data(), zeros.data()),
      1);
  EXPECT_EQ(EVP_EncryptUpdate(context, nullptr, &length, payload.data(),
                              static_cast<int>(payload.size())),
            1);
  EXPECT_EQ(EVP_EncryptFinal_ex(context, nullptr, &length), 1);
  EXPECT_EQ(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, static_cast<int>(expected.size()),
                                expected.data()),
            1);
  EVP_CIPHER_CTX_free(context);
  EXPECT_EQ(key.Sign({AsBytes("a "), AsBytes("head")}, payload), expected);
  EXPECT_NE(CacheKey::Random().Sign({AsBytes("a head")}, payload), expected);
}

TEST_F(CacheKeyTest, OneBitMakesAnotherSignature) {
  const CacheKey key = CacheKey::Random();
  const CacheKey::Signature signature = key.Sign({AsBytes("head")}, AsBytes("words"));
  EXPECT_TRUE(key.HasSigned({AsBytes("head")}, AsBytes("words"), signature));
  for (size_t bit = 0; bit < 8 * signature.size(); ++bit) {
    CacheKey::Signature other = signature;
    other[bit / 8] = static_cast<uint8_t>(other[bit / 8] ^ (1u << (bit % 8)));
    EXPECT_FALSE(key.HasSigned({AsBytes("head")}, AsBytes("words"), other)) << bit;
  }
  EXPECT_FALSE(key.HasSigned({AsBytes("head")}, AsBytes("Words"), signature));
  EXPECT_FALSE(key.HasSigned({AsBytes("Head")}, AsBytes("words"), signature));
}

}  // namespace
}  // namespace wb::test
