// A daemon that listens with TLS: whom it lets in, as whom, and what a new certificate changes.

#include "daemon/rpc/tls_files.h"

#include <sys/stat.h>

#include <fstream>

#include "tests/daemon/services/caller_fixture.h"
#include "tests/daemon/test_certificates.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class TlsTest : public CallerTest {
 protected:
  void SetUp() override {
    CallerTest::SetUp();
    config_.listen[1] = ParseListenSetting("tls://127.0.0.1:0").value();
    config_.tls_certificate = folder_ + "/server.pem";
    config_.tls_key = folder_ + "/server.key";
    WriteServer(authority_.Sign("server", "IP:127.0.0.1"));
  }
  void Write(const std::string& path, const std::string& text, mode_t mode) {
    std::ofstream(path) << text;
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
  }
  void WriteServer(const TestCertificate& certificate) {
    Write(config_.tls_certificate, certificate.certificate, 0644);
    Write(config_.tls_key, certificate.key, 0600);
  }
  void AskForClients() {
    config_.tls_client_ca = folder_ + "/clients.pem";
    Write(config_.tls_client_ca, clients_.certificate(), 0644);
  }
  std::shared_ptr<grpc::Channel> Connect(const std::string& roots,
                                         const TestCertificate& client = {}) {
    grpc::SslCredentialsOptions options;
    options.pem_root_certs = roots;
    options.pem_private_key = client.key;
    options.pem_cert_chain = client.certificate;
    // Channels of the same settings would share their connections.
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return grpc::CreateCustomChannel(daemon_->addresses()[1].substr(6),
                                     grpc::SslCredentials(options), arguments);
  }
  // "name tenant ROLE", or the code.
  static std::string WhoIs(const std::shared_ptr<grpc::Channel>& channel,
                           const std::string& token = "") {
    v1::Caller caller;
    const grpc::Status status =
        v1::Tenants::NewStub(channel)->GetCaller(Context(token).get(), {}, &caller);
    if (!status.ok()) return std::to_string(status.error_code());
    return caller.name() + " " + caller.tenant() + " " + v1::Role_Name(caller.role());
  }

  const std::string kUnauthenticated =
      std::to_string(static_cast<int>(grpc::StatusCode::UNAUTHENTICATED));
  const std::string kUnavailable = std::to_string(static_cast<int>(grpc::StatusCode::UNAVAILABLE));
  TestAuthority authority_;
  TestAuthority clients_;
};

TEST_F(TlsTest, WithoutCertificatesClientsAreKnownByTokens) {
  Start();
  const auto channel = Connect(authority_.certificate());
  EXPECT_EQ(WhoIs(channel), kUnauthenticated);
  const std::string token = NewToken("shop", v1::SUBMITTER);
  EXPECT_EQ(WhoIs(channel, token), "token:" + token.substr(4, 16) + " shop SUBMITTER");
  EXPECT_EQ(WhoIs(Connect(clients_.certificate()), token), kUnavailable) << "another authority";
}

TEST_F(TlsTest, AClientsCertificateIsWhomTheConfigurationNames) {
  AskForClients();
  config_.identities.push_back({"", "", "spiffe://x/render", "render", Role::kSubmitter});
  config_.identities.push_back({"", "", "looker", {}, Role::kViewer});
  Start();
  const std::string& roots = authority_.certificate();
  EXPECT_EQ(WhoIs(Connect(roots, clients_.Sign("render", "URI:spiffe://x/render"))),
            "certificate:spiffe://x/render render SUBMITTER");
  EXPECT_EQ(WhoIs(Connect(roots, clients_.Sign("looker", ""))), "certificate:looker looker VIEWER");
  EXPECT_EQ(WhoIs(Connect(roots, clients_.Sign("stranger", ""))), kUnauthenticated);
  // A name that looks like a URI is not one.
  EXPECT_EQ(WhoIs(Connect(roots, clients_.Sign("spiffe://x/render", ""))), kUnauthenticated);
}

TEST_F(TlsTest, WithoutAGoodCertificateNobodyGetsAsFarAsACall) {
  AskForClients();
  Start();
  const std::string token = NewToken("shop", v1::ADMIN);
  const std::string& roots = authority_.certificate();
  EXPECT_EQ(WhoIs(Connect(roots), token), kUnavailable);
  EXPECT_EQ(WhoIs(Connect(roots, authority_.Sign("x", "")), token), kUnavailable);
  EXPECT_EQ(WhoIs(Connect(roots, clients_.Sign("x", "", -60)), token), kUnavailable);
  EXPECT_TRUE(WhoIs(Connect(roots, clients_.Sign("x", "")), token).ends_with("shop ADMIN"));
}

TEST_F(TlsTest, ANewCertificateHoldsForNewConnections) {
  Start();
  const std::string token = NewToken("shop", v1::VIEWER);
  const auto before = Connect(authority_.certificate());
  EXPECT_TRUE(WhoIs(before, token).ends_with("VIEWER"));
  const TestAuthority next;
  WriteServer(next.Sign("server", "IP:127.0.0.1"));
  ASSERT_TRUE(daemon_->Reload(config_).ok());
  EXPECT_TRUE(WhoIs(before, token).ends_with("VIEWER"));
  EXPECT_TRUE(WhoIs(Connect(next.certificate()), token).ends_with("VIEWER"));
  EXPECT_EQ(WhoIs(Connect(authority_.certificate()), token), kUnavailable);
  // A bad one changes nothing.
  Write(config_.tls_key, "no key", 0600);
  EXPECT_EQ(daemon_->Reload(config_).reason(), Reason::kConfigInvalid);
  EXPECT_TRUE(WhoIs(Connect(next.certificate()), token).ends_with("VIEWER"));
}

TEST_F(TlsTest, FilesThatDoNotBelongTogetherAreRefusedByName) {
  const auto problem = [this] { return ReadTlsFiles(config_).status().message(); };
  EXPECT_TRUE(ReadTlsFiles(config_).ok());
  Write(config_.tls_key, authority_.Sign("other", "").key, 0600);
  EXPECT_NE(problem().find("does not belong to the certificate"), std::string::npos) << problem();
  WriteServer(authority_.Sign("server", "", -60));
  EXPECT_NE(problem().find("has expired"), std::string::npos) << problem();
  WriteServer(authority_.Sign("server", ""));
  chmod(config_.tls_key.c_str(), 0640);
  EXPECT_NE(problem().find("chmod 600"), std::string::npos) << problem();
  config_.tls_certificate = folder_ + "/nowhere.pem";
  EXPECT_NE(problem().find("nowhere.pem] of tls.certificate cannot be read"), std::string::npos)
      << problem();
}

}  // namespace
}  // namespace wb
