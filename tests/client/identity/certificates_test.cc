// Certificates that `tls init` and `tls client` make, and files of TLS and tokens that are read.

#include "client/cli/identity/certificates.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "client/cli/identity/tls_folder.h"
#include "client/client_address.h"
#include "client/tls_files.h"
#include "client/token_file.h"
#include "tests/client/identity/scratch_folder.h"

namespace wb::cli {
namespace {

const Validity kYear{-3600, 365 * kDay};

bool Says(const Status& status, const std::string& words) {
  return status.message().find(words) != std::string::npos;
}

TEST(Certificates, AuthoritiesDiffer) {
  const CertifiedKey one = MakeAuthority(kYear).value();
  const CertifiedKey other = MakeAuthority(kYear).value();
  EXPECT_NE(one.certificate, other.certificate);
  EXPECT_NE(one.key, other.key);
  const CertifiedKey mixed{one.certificate, other.key};
  EXPECT_EQ(MakeServerCertificate(mixed, {"a"}, kYear).status().reason(), Reason::kInvalidArgument);
  // What it signed signs nothing.
  const CertifiedKey server = MakeServerCertificate(one, {"a"}, kYear).value();
  EXPECT_EQ(MakeServerCertificate(server, {"a"}, kYear).status().reason(),
            Reason::kInvalidArgument);
}

TEST(Certificates, HostsAreNamesOrAddresses) {
  const CertifiedKey authority = MakeAuthority(kYear).value();
  EXPECT_TRUE(
      MakeServerCertificate(authority, {"gpu1.example", "10.0.0.1", "::1", "*.lab"}, kYear).ok());
  for (const char* wrong : {"", "a b", "a,DNS:b", "tls://a", "a:1", "[::1]", "ä"}) {
    EXPECT_EQ(MakeServerCertificate(authority, {wrong}, kYear).status().reason(),
              Reason::kInvalidArgument)
        << wrong;
  }
  EXPECT_FALSE(MakeServerCertificate(authority, {}, kYear).ok());
}

TEST(Certificates, ClientsHaveAName) {
  const CertifiedKey authority = MakeAuthority(kYear).value();
  EXPECT_TRUE(MakeClientCertificate(authority, {"render", ""}, kYear).ok());
  EXPECT_TRUE(MakeClientCertificate(authority, {"r", "spiffe://example.org/render"}, kYear).ok());
  for (const char* wrong : {"", ".", "../x", "a/b", "-x", "a b"}) {
    EXPECT_FALSE(MakeClientCertificate(authority, {wrong, ""}, kYear).ok()) << wrong;
  }
  for (const char* wrong :
       {"example.org", "spiffe://", "spiffe:///x", "spiffe://a b", "http://a"}) {
    EXPECT_FALSE(MakeClientCertificate(authority, {"a", wrong}, kYear).ok()) << wrong;
  }
}

TEST(TlsFolder, HoldsFilesOfItsOwner) {
  const ScratchFolder scratch;
  const CertificateFiles files = InitTlsFolder(scratch.Path("tls"), {"localhost"}, 30).value();
  EXPECT_EQ(scratch.Mode("tls"), 0700u);
  for (const char* name : {"tls/ca.pem", "tls/ca.key", "tls/server.pem", "tls/server.key"}) {
    EXPECT_EQ(scratch.Mode(name), 0600u) << name;
  }
  EXPECT_EQ(files.ca, std::filesystem::canonical(scratch.Path("tls")).string() + "/ca.pem");
  EXPECT_EQ(scratch.Read("tls/server.key").find("-----BEGIN PRIVATE KEY-----"), 0u);
  ASSERT_TRUE(AddTlsClient(scratch.Path("tls"), {"render", ""}, 30).ok());
  EXPECT_EQ(scratch.Mode("tls/render.key"), 0600u);
}

TEST(TlsFolder, OverwritesNothing) {
  const ScratchFolder scratch;
  const std::string folder = scratch.Path("tls");
  ASSERT_TRUE(InitTlsFolder(folder, {"localhost"}, 30).ok());
  const std::string ca = scratch.Read("tls/ca.pem"), server = scratch.Read("tls/server.pem");
  EXPECT_EQ(InitTlsFolder(folder, {"localhost"}, 30).status().reason(), Reason::kIoError);
  ASSERT_TRUE(AddTlsClient(folder, {"render", ""}, 30).ok());
  EXPECT_EQ(AddTlsClient(folder, {"render", ""}, 30).status().reason(), Reason::kIoError);
  EXPECT_EQ(AddTlsClient(folder, {"server", ""}, 30).status().reason(), Reason::kIoError);
  EXPECT_EQ(AddTlsClient(folder, {"ca", ""}, 30).status().reason(), Reason::kIoError);
  EXPECT_EQ(scratch.Read("tls/server.pem"), server);
  // Renewed: the authority stays.
  std::filesystem::remove(scratch.Path("tls/server.pem"));
  std::filesystem::remove(scratch.Path("tls/server.key"));
  ASSERT_TRUE(InitTlsFolder(folder, {"localhost"}, 30).ok());
  EXPECT_EQ(scratch.Read("tls/ca.pem"), ca);
  EXPECT_NE(scratch.Read("tls/server.pem"), server);
}

TEST(TlsFolder, AWrongHostWritesNothing) {
  const ScratchFolder scratch;
  EXPECT_FALSE(InitTlsFolder(scratch.Path("tls"), {"a b"}, 30).ok());
  EXPECT_FALSE(InitTlsFolder(scratch.Path("tls"), {"a"}, 0).ok());
  EXPECT_FALSE(std::filesystem::exists(scratch.Path("tls/ca.key")));
  EXPECT_FALSE(AddTlsClient(scratch.Path("tls"), {"a", ""}, 1).ok());
  // Half an authority is none, and is not completed.
  std::filesystem::create_directory(scratch.Path("half"));
  scratch.Write("half/ca.pem", "x");
  EXPECT_FALSE(InitTlsFolder(scratch.Path("half"), {"a"}, 1).ok());
  EXPECT_FALSE(std::filesystem::exists(scratch.Path("half/server.key")));
}

TEST(TlsFiles, EachIsNamedWhereItIsWrong) {
  const ScratchFolder scratch;
  ASSERT_TRUE(InitTlsFolder(scratch.Path("tls"), {"localhost"}, 30).ok());
  ASSERT_TRUE(AddTlsClient(scratch.Path("tls"), {"render", ""}, 30).ok());
  ClientOptions options;
  const auto read = [&options] { return ReadTlsFiles(options).status(); };
  EXPECT_TRUE(read().ok());
  options.ca_file = scratch.Path("none.pem");
  EXPECT_EQ(read().reason(), Reason::kIoError);
  EXPECT_TRUE(Says(read(), "none.pem] cannot be read (No such file"));
  options.ca_file = scratch.Path("tls");
  EXPECT_TRUE(Says(read(), "tls] cannot be read (Is a directory"));
  options.ca_file = scratch.Write("text", "hello");
  EXPECT_TRUE(Says(read(), "text] holds no certificate in PEM"));
  options.ca_file = scratch.Path("tls/ca.pem");
  options.certificate_file = scratch.Path("tls/render.pem");
  EXPECT_TRUE(Says(read(), "--key FILE"));
  options.key_file = scratch.Path("tls/server.key");
  EXPECT_TRUE(Says(read(), "is not the key of the certificate in"));
  options.key_file = options.certificate_file;
  EXPECT_TRUE(Says(read(), "holds no private key"));
  options.key_file = scratch.Path("tls/render.key");
  EXPECT_TRUE(read().ok()) << read().message();
  options.certificate_file = "";
  EXPECT_TRUE(Says(read(), "--cert FILE"));
}

TEST(TokenFile, IsOfItsOwner) {
  const ScratchFolder scratch;
  const std::string path = scratch.Write("it's", " \twbt_01\n\n", 0600);
  EXPECT_EQ(ReadTokenFile(path).value(), "wbt_01");
  for (const mode_t mode : {0640, 0604, 0660, 0610}) {
    scratch.Write("it's", "wbt_01", mode);
    const Status status = ReadTokenFile(path).status();
    EXPECT_EQ(status.reason(), Reason::kIoError);
    EXPECT_TRUE(Says(status, "chmod 600 '")) << status.message();
    EXPECT_TRUE(Says(status, "it'\\''s'")) << status.message();
  }
  EXPECT_TRUE(Says(ReadTokenFile(scratch.Path("none")).status(), "No such file"));
}

TEST(TokenFile, WhatItHoldsIsNotInErrors) {
  const ScratchFolder scratch;
  const std::string secrets[] = {"",
                                 " \n",
                                 "Secret",
                                 "wbt_Secret two",
                                 "wbt_\1Secret",
                                 "wbt_Secret\x80",
                                 "wbt_" + std::string(5000, 'S')};
  for (const std::string& secret : secrets) {
    const Status status = ReadTokenFile(scratch.Write("t", secret, 0600)).status();
    EXPECT_EQ(status.reason(), Reason::kInvalidArgument) << secret;
    EXPECT_FALSE(Says(status, "Secret")) << status.message();
    EXPECT_FALSE(Says(status, "SSSS"));
  }
}

TEST(ClientAddress, HasItsParts) {
  const auto parts = [](const char* text) {
    const Result<ClientAddress> address = ParseClientAddress(text);
    if (!address.ok()) return std::string("wrong");
    return address->host + "|" + address->port + "|" + address->target +
           (address->is_local ? "" : "|far");
  };
  EXPECT_EQ(parts("unix:///a/b"), "||unix:///a/b");
  EXPECT_EQ(parts("tcp://127.0.0.1:80"), "127.0.0.1|80|ipv4:127.0.0.1:80");
  EXPECT_EQ(parts("tls://[::1]:80"), "::1|80|ipv6:[::1]:80");
  EXPECT_EQ(parts("tls://gpu1:7443"), "gpu1|7443|dns:///gpu1:7443|far");
  EXPECT_EQ(parts("tcp://127.evil.example:80"),
            "127.evil.example|80|dns:///127.evil.example:80|far");
  EXPECT_EQ(parts("tcp://localhost:80"), "localhost|80|dns:///localhost:80");
  for (const char* wrong :
       {"tls://", "tls://a", "tls://:1", "tls://a:", "tls://a:x", "tls://a:70000", "tls://a:-1",
        "tls://a/b:1", "tls://::1:1", "TLS://a:1", "https://a:1"}) {
    EXPECT_EQ(parts(wrong), "wrong") << wrong;
  }
}

}  // namespace
}  // namespace wb::cli
