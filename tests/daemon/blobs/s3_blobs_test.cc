// Blobs in an object store that speaks S3, over a server that checks every signature by itself.

#include "daemon/blobs/s3_blobs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/daemon/blobs/s3_server.h"

namespace wb {
namespace {

class S3BlobsTest : public testing::Test {
 protected:
  void SetUp() override { Begin({}); }
  void Begin(const std::vector<std::string>& options) {
    std::string why_not;
    server_ = test::S3Server::Start(options, &why_not);
    if (server_ == nullptr) GTEST_SKIP() << "skipped: " << why_not;
  }
  S3Client::Parts Parts(const std::string& place = "/bucket/burst/one") {
    S3Client::Parts parts;
    parts.address = ParseS3Address(server_->origin() + place).value();
    parts.region = "us-east-1";
    parts.keys = [this]() -> Result<S3Keys> { return keys_; };
    parts.told = [this](S3Operation, std::chrono::nanoseconds took, bool ok) {
      EXPECT_GT(took.count(), 0);
      ++told_;
      if (!ok) ++failed_;
    };
    parts.pace = {std::chrono::milliseconds(2000), std::chrono::seconds(1),
                  std::chrono::milliseconds(1), 4};
    return parts;
  }
  S3Blobs Open(const S3Client::Parts& parts, uint64_t most = 10'000'000) {
    return S3Blobs(S3Client::Open(parts).value(), "modules", most);
  }
  S3Blobs Open() { return Open(Parts()); }
  static std::string PathOf(const Digest& digest) {
    return "/bucket/burst/one/modules/" + digest.Hex();
  }

  std::unique_ptr<test::S3Server> server_;
  S3Keys keys_ = {"test", "secret", ""};
  std::atomic<int> told_{0};
  std::atomic<int> failed_{0};
};

Bytes Sample(size_t size) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<uint8_t>(i * 2654435761u >> 13);
  return bytes;
}

TEST_F(S3BlobsTest, GivesBackWhatWasPut) {
  const S3Blobs blobs = Open();
  for (const size_t size : {size_t{0}, size_t{10}, size_t{5'000'000}}) {
    const Bytes bytes = Sample(size);
    const Digest digest = Sha256(bytes);
    EXPECT_EQ(blobs.Get(digest).status().reason(), Reason::kNotFound);
    EXPECT_EQ(blobs.Put(digest, bytes).message(), "");
    EXPECT_EQ(blobs.Put(digest, bytes).message(), "");
    EXPECT_EQ(Open().Get(digest).value(), bytes);
    const auto entries = blobs.Entries();
    ASSERT_EQ(entries->size(), 1u);
    EXPECT_EQ((*entries)[0].digest, digest);
    EXPECT_EQ((*entries)[0].bytes, size);
    EXPECT_GT((*entries)[0].unix_ns, 1'700'000'000'000'000'000);
    EXPECT_EQ(blobs.Remove(digest).message(), "");
    EXPECT_EQ(blobs.Remove(digest).message(), "");
    EXPECT_TRUE(blobs.Entries()->empty());
  }
  EXPECT_EQ(failed_, 0);
  EXPECT_GT(told_, 20);
}

TEST_F(S3BlobsTest, WhatIsThereIsNotSentAgain) {
  const S3Blobs blobs = Open();
  const Bytes bytes = Sample(1000);
  const Digest digest = Sha256(bytes);
  ASSERT_TRUE(blobs.Put(digest, bytes).ok());
  (void)server_->Log();
  ASSERT_TRUE(blobs.Put(digest, bytes).ok());
  EXPECT_EQ(server_->Log(), "HEAD " + PathOf(digest) + " 200");
}

TEST_F(S3BlobsTest, ListsComeInPages) {
  server_.reset();
  Begin({"--page", "3"});
  const S3Blobs blobs = Open();
  for (int i = 0; i < 10; ++i) {
    const std::string text = std::to_string(i);
    ASSERT_TRUE(blobs.Put(Sha256(AsBytes(text)), AsBytes(text)).ok());
  }
  // Of another kind, of another prefix, and what is no blob.
  ASSERT_TRUE(S3Blobs(S3Client::Open(Parts()).value(), "inputs", 100)
                  .Put(Sha256(AsBytes("0")), AsBytes("0"))
                  .ok());
  ASSERT_TRUE(Open(Parts("/bucket")).Put(Sha256(AsBytes("x")), AsBytes("x")).ok());
  const auto entries = blobs.Entries().value();
  ASSERT_EQ(entries.size(), 10u);
  for (size_t i = 1; i < entries.size(); ++i) EXPECT_LT(entries[i - 1].digest, entries[i].digest);
  EXPECT_EQ(Open(Parts("/bucket")).Entries()->size(), 1u);
}

TEST_F(S3BlobsTest, ATouchedBlobIsWrittenOntoItselfOnceAnHour) {
  const S3Blobs blobs = Open();
  const Bytes bytes = Sample(10);
  const Digest digest = Sha256(bytes);
  ASSERT_TRUE(blobs.Put(digest, bytes).ok());
  const int64_t before = blobs.Entries()->at(0).unix_ns;
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  for (int i = 0; i < 3; ++i) blobs.Touch(digest);
  EXPECT_GT(blobs.Entries()->at(0).unix_ns, before);
  EXPECT_EQ(blobs.Get(digest).value(), bytes);
  (void)server_->Log();
  blobs.Touch(digest);
  blobs.Touch(Sha256({}));  // there is none
  EXPECT_EQ(server_->Log(), "PUT " + PathOf(Sha256({})) + " 404");
}

TEST_F(S3BlobsTest, WhatMayPassIsAskedForAgain) {
  const S3Blobs blobs = Open();
  const Bytes bytes = Sample(100'000);
  const Digest digest = Sha256(bytes);
  for (const char* kind : {"503", "500", "close"}) {
    for (const char* method : {"HEAD", "PUT"}) server_->Fail(kind, 2, method);
    EXPECT_EQ(blobs.Put(digest, bytes).message(), "") << kind;
    server_->Fail(kind, 3, "GET");
    EXPECT_EQ(blobs.Get(digest).value(), bytes) << kind;
    server_->Fail(kind, 1, "DELETE");
    EXPECT_EQ(blobs.Remove(digest).message(), "") << kind;
    if (HasFailure()) FAIL() << kind;
  }
  // A connection that was kept and is closed libcurl makes anew by itself.
  EXPECT_GE(failed_, 3 * 8 - 4);
  EXPECT_LE(failed_, 3 * 8);
}

TEST_F(S3BlobsTest, AServerThatSaysNothingIsAskedAgain) {
  const S3Blobs blobs = Open();
  const Bytes bytes = Sample(100'000);
  const Digest digest = Sha256(bytes);
  ASSERT_TRUE(blobs.Put(digest, bytes).ok());
  server_->Fail("hang", 1, "GET");
  EXPECT_EQ(blobs.Get(digest).value(), bytes);
  EXPECT_EQ(failed_, 1);
}

TEST_F(S3BlobsTest, WhatDoesNotPassIsAnErrorThatSaysWhere) {
  const S3Blobs blobs = Open();
  const Digest digest = Sha256(AsBytes("x"));
  server_->Fail("503", 4);
  Status status = blobs.Put(digest, AsBytes("x"));
  EXPECT_EQ(status.reason(), Reason::kMachineFault);
  EXPECT_NE(status.message().find(server_->origin() + "/bucket/burst/one"), std::string::npos);
  server_->Fail("close", 9);
  status = blobs.Get(digest).status();
  EXPECT_EQ(status.reason(), Reason::kMachineFault);
  EXPECT_NE(status.message().find("does not answer"), std::string::npos) << status.message();
  server_->Fail("none", 0);
  server_->Fail("403", 1);
  status = blobs.Entries().status();  // at once
  EXPECT_EQ(status.reason(), Reason::kIoError);
  EXPECT_NE(status.message().find("[403] [AccessDenied]. Check the keys"), std::string::npos)
      << status.message();
  EXPECT_EQ(failed_, 9);
  server_->Stop();
  EXPECT_EQ(blobs.Get(digest).status().reason(), Reason::kMachineFault);
}

TEST_F(S3BlobsTest, WhatWasCutOrDamagedOnItsWayIsReadAgain) {
  const S3Blobs blobs = Open();
  const Bytes bytes = Sample(300'000);
  const Digest digest = Sha256(bytes);
  ASSERT_TRUE(blobs.Put(digest, bytes).ok());
  server_->Fail("cut", 2, "GET");
  server_->Fail("corrupt", 1, "GET");
  EXPECT_EQ(blobs.Get(digest).value(), bytes);
}

TEST_F(S3BlobsTest, WhatIsDamagedThereIsPutAsideAndNeverGiven) {
  const S3Blobs blobs = Open();
  const Bytes bytes = Sample(1000);
  const Digest digest = Sha256(bytes);
  ASSERT_TRUE(blobs.Put(digest, bytes).ok());
  server_->Spoil(PathOf(digest));
  const Status status = blobs.Get(digest).status();
  EXPECT_EQ(status.reason(), Reason::kBlobCorrupt);
  EXPECT_NE(status.message().find("damaged/modules/" + digest.Hex()), std::string::npos);
  EXPECT_EQ(blobs.Get(digest).status().reason(), Reason::kNotFound);
  EXPECT_TRUE(blobs.Entries()->empty());
  EXPECT_NE(server_->Log().find("PUT /bucket/burst/one/damaged/modules/" + digest.Hex() + " 200"),
            std::string::npos);
  ASSERT_TRUE(blobs.Put(digest, bytes).ok());
  EXPECT_EQ(blobs.Get(digest).value(), bytes);
}

TEST_F(S3BlobsTest, ALongerAnswerThanABlobMayBeIsNotTaken) {
  const Bytes bytes = Sample(300'000);
  const Digest digest = Sha256(bytes);
  ASSERT_TRUE(Open().Put(digest, bytes).ok());
  const Status status = Open(Parts(), 100'000).Get(digest).status();
  EXPECT_EQ(status.reason(), Reason::kIoError);
  EXPECT_EQ(failed_, 1);
}

TEST_F(S3BlobsTest, KeysOfEachKindSignAndWrongOnesAreRefused) {
  const Digest digest = Sha256(AsBytes("x"));
  keys_ = {"temporary", "other/+=", "token"};
  EXPECT_EQ(Open().Put(digest, AsBytes("x")).message(), "");
  EXPECT_EQ(Open().Entries()->size(), 1u);
  const auto refused = [&](const S3Keys& keys, const std::string& code) {
    keys_ = keys;
    const Status status = Open().Entries().status();
    EXPECT_EQ(status.reason(), Reason::kIoError);
    EXPECT_NE(status.message().find("[" + code + "]"), std::string::npos) << status.message();
    EXPECT_EQ(status.message().find(keys.secret), std::string::npos) << status.message();
  };
  refused({"temporary", "other/+=", ""}, "InvalidToken");
  refused({"test", "wrong", ""}, "SignatureDoesNotMatch");
  refused({"nobody", "secret", ""}, "InvalidAccessKeyId");
  keys_ = {"test", "secret", ""};
  S3Client::Parts parts = Parts();
  parts.region = "eu-central-1";
  Status status = Open(parts).Entries().status();
  EXPECT_NE(status.message().find("set store.s3_region"), std::string::npos) << status.message();
  status = Open(Parts("/nowhere")).Entries().status();
  EXPECT_EQ(status.reason(), Reason::kIoError);
  EXPECT_NE(status.message().find("Make the bucket"), std::string::npos) << status.message();
}

TEST_F(S3BlobsTest, ManyThreadsShareAClient) {
  const S3Blobs blobs = Open();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&blobs, t] {
      for (int i = 0; i < 10; ++i) {
        const Bytes bytes = Sample(1000 * static_cast<size_t>(10 * t + i) + 1);
        const Digest digest = Sha256(bytes);
        EXPECT_EQ(blobs.Put(digest, bytes).message(), "");
        EXPECT_EQ(blobs.Get(digest).value(), bytes);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(blobs.Entries()->size(), 80u);
}

}  // namespace
}  // namespace wb
