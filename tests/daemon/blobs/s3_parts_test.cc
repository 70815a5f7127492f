// What needs no server: addresses, keys, what servers answer.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "daemon/blobs/s3_answer.h"
#include "daemon/blobs/s3_keys.h"
#include "daemon/config/config_file.h"
#include "daemon/config/s3_address.h"

namespace wb {
namespace {

TEST(S3AddressTest, HasAHostABucketAndPerhapsAPrefix) {
  const auto parts = [](const char* text) {
    const Result<S3Address> address = ParseS3Address(text);
    return address.ok() ? address->origin + " " + address->bucket + " " + address->prefix : "wrong";
  };
  EXPECT_EQ(parts("https://s3.example.org/bucket"), "https://s3.example.org bucket ");
  EXPECT_EQ(parts("https://s3.example.org/bucket/"), "https://s3.example.org bucket ");
  EXPECT_EQ(parts("http://[::1]:9000/b.c/d/e/"), "http://[::1]:9000 b.c d/e/");
  for (const char* wrong :
       {"", "s3://bucket", "https://", "https:///bucket", "https://host", "https://host/",
        "https://id:secret@host/bucket", "https://host/bucket?x=y", "https://host/bu cket",
        "https://host/bucket/a//b", "https://host/bucket/../b", "https://host/../b",
        "https://host/bucket/a%2Fb", "https://:80/bucket"}) {
    EXPECT_EQ(parts(wrong), "wrong") << wrong;
  }
  const Status status = ParseS3Address("https://id:hidden@host/bucket").status();
  EXPECT_EQ(status.reason(), Reason::kConfigInvalid);
  EXPECT_EQ(status.message().find("hidden"), std::string::npos);
}

TEST(S3AddressTest, ADaemonNeedsADatabaseBesideItAndNoFolder) {
  const auto said = [](const std::string& store) {
    return ParseConfig("version = 1\n[store]\n" + store, "file").status().message();
  };
  const std::string s3 = "blob_s3 = \"https://host/bucket\"\n";
  const std::string postgres = "postgres = \"postgresql://localhost/x\"\n";
  EXPECT_EQ(said(s3 + postgres), "");
  EXPECT_NE(said(s3).find("store.postgres"), std::string::npos);
  EXPECT_NE(said(s3 + postgres + "blob_folder = \"/x\"\n").find("store.blob_folder"),
            std::string::npos);
  EXPECT_NE(said(s3 + postgres + "s3_region = \"a/b\"\n").find("store.s3_region"),
            std::string::npos);
}

TEST(S3KeysTest, AreReadAsAwsWritesThem) {
  const S3Keys keys = ParseS3Keys(
                          "# mine\n[default]\naws_access_key_id = AKIA\r\n"
                          "aws_secret_access_key=a/b+c=\n aws_session_token = t\n"
                          "[other]\naws_access_key_id = B\n",
                          "file")
                          .value();
  EXPECT_EQ(keys.id, "AKIA");
  EXPECT_EQ(keys.secret, "a/b+c=");
  EXPECT_EQ(keys.session_token, "t");
  const Status status = ParseS3Keys("aws_secret_access_key = hidden\n", "file").status();
  EXPECT_EQ(status.reason(), Reason::kConfigInvalid);
  EXPECT_EQ(status.message().find("hidden"), std::string::npos);
}

TEST(S3KeysTest, ComeFromAFileThatOthersMayNotReadOrFromTheEnvironment) {
  char name[] = "/tmp/wb_keys_XXXXXX";
  ASSERT_GE(mkstemp(name), 0);
  std::ofstream(name) << "aws_access_key_id = A\naws_secret_access_key = B\n";
  EXPECT_EQ(ReadS3Keys(name)->secret, "B");
  ASSERT_EQ(chmod(name, 0640), 0);
  EXPECT_NE(ReadS3Keys(name).status().message().find("chmod 600"), std::string::npos);
  unlink(name);
  EXPECT_NE(ReadS3Keys(name).status().message().find("cannot be read"), std::string::npos);
  unsetenv("AWS_ACCESS_KEY_ID");
  EXPECT_NE(ReadS3Keys("").status().message().find("AWS_ACCESS_KEY_ID"), std::string::npos);
  setenv("AWS_ACCESS_KEY_ID", "C", 1);
  setenv("AWS_SECRET_ACCESS_KEY", "D", 1);
  EXPECT_EQ(ReadS3Keys("")->id, "C");
  unsetenv("AWS_ACCESS_KEY_ID");
  unsetenv("AWS_SECRET_ACCESS_KEY");
}

TEST(S3AnswerTest, AListIsReadWholeOrNotAtAll) {
  const std::string object =
      "<Contents><Key>a&amp;b</Key><LastModified>2026-11-29T19:28:17.250Z</LastModified>"
      "<Size>12</Size></Contents>";
  const std::string begin = "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"x\">";
  const std::string end = "</ListBucketResult>";
  const S3Page page = ParseS3Page(begin + "<IsTruncated>true</IsTruncated>" + object + object +
                                  "<NextContinuationToken>1&lt;2</NextContinuationToken>" + end)
                          .value();
  ASSERT_EQ(page.objects.size(), 2u);
  EXPECT_EQ(page.objects[1].key, "a&b");
  EXPECT_EQ(page.objects[1].bytes, 12u);
  EXPECT_EQ(page.objects[1].unix_ns, 1'795'980'497'250'000'000);
  EXPECT_EQ(page.next, "1<2");
  EXPECT_TRUE(ParseS3Page(begin + end)->objects.empty());
  for (const std::string& wrong : {std::string(), std::string("<html>"), begin + object,
                                   begin + "<Contents><Key>a</Key></Contents>" + end,
                                   begin + "<Contents><Key>a</Key><Size>-1</Size></Contents>" + end,
                                   begin + "<IsTruncated>true</IsTruncated>" + end}) {
    EXPECT_EQ(ParseS3Page(wrong).status().reason(), Reason::kIoError) << wrong;
  }
}

TEST(S3AnswerTest, RefusalsSayWhatTheyMean) {
  EXPECT_EQ(S3ErrorCode("<Error><Code>NoSuchKey</Code></Error>"), "NoSuchKey");
  EXPECT_EQ(S3ErrorCode("<Error><Code><b>x</b></Code></Error>"), "");
  EXPECT_EQ(S3ErrorCode("<html>"), "");
  const auto reason = [](long status, const std::string& code) {
    return S3Refusal("put", "place", status, code).reason();
  };
  EXPECT_EQ(reason(404, ""), Reason::kNotFound);
  EXPECT_EQ(reason(404, "NoSuchBucket"), Reason::kIoError);
  EXPECT_EQ(reason(503, "SlowDown"), Reason::kMachineFault);
  EXPECT_EQ(reason(429, ""), Reason::kMachineFault);
  EXPECT_EQ(reason(507, ""), Reason::kNoSpace);
  EXPECT_EQ(reason(403, "QuotaExceeded"), Reason::kNoSpace);
  EXPECT_EQ(reason(301, ""), Reason::kIoError);
  EXPECT_TRUE(IsPassing(400, "RequestTimeout"));
  EXPECT_FALSE(IsPassing(501, "NotImplemented"));
  EXPECT_FALSE(IsPassing(507, ""));
  EXPECT_EQ(Escaped("a/b+c =&~"), "a%2Fb%2Bc%20%3D%26~");
}

}  // namespace
}  // namespace wb
