// The client library over TLS, with a small server; certificates are those of `tls init`.

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>

#include "client/cli/identity/certificates.h"
#include "client/cli/identity/tls_folder.h"
#include "client/client.h"
#include "client/services/tenants.h"
#include "tests/client/identity/scratch_folder.h"
#include "wasmburst/v1/tenants.grpc.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;
using cli::CertifiedKey;

constexpr cli::Validity kNow{-3600, cli::kDay};

// Tells the caller what it sent of itself.
class EchoTenants : public v1::Tenants::Service {
 public:
  grpc::Status GetCaller(grpc::ServerContext* context, const v1::GetCallerRequest*,
                         v1::Caller* caller) override {
    const auto found = context->client_metadata().find("authorization");
    if (found != context->client_metadata().end()) {
      caller->set_name(std::string(found->second.data(), found->second.size()));
    }
    for (const auto& name : context->auth_context()->FindPropertyValues("x509_common_name")) {
      caller->set_tenant(std::string(name.data(), name.size()));
    }
    return grpc::Status::OK;
  }
  grpc::Status CreateToken(grpc::ServerContext*, const v1::CreateTokenRequest*,
                           v1::CreateTokenResponse*) override {
    ++creations;
    return {grpc::StatusCode::UNAVAILABLE, "just then it went away"};
  }
  std::atomic<int> creations{0};
};

class TlsTest : public testing::Test {
 protected:
  void SetUp() override {
    authority_ = cli::MakeAuthority(kNow).value();
    scratch_.Write("ca.pem", authority_.certificate);
    options_.ca_file = scratch_.Path("ca.pem");
    options_.attempts = 3;
    options_.first_pause = std::chrono::milliseconds(1);
    options_.timeout = std::chrono::seconds(20);
  }
  CertifiedKey Certificate(const std::vector<std::string>& hosts, cli::Validity validity = kNow) {
    return cli::MakeServerCertificate(authority_, hosts, validity).value();
  }
  void Serve(const CertifiedKey& pair, const std::string& client_ca = "") {
    grpc::SslServerCredentialsOptions ssl(
        client_ca.empty() ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                          : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
    ssl.pem_root_certs = client_ca;
    ssl.pem_key_cert_pairs.push_back({pair.key, pair.certificate});
    Listen(grpc::SslServerCredentials(ssl));
  }
  void Listen(const std::shared_ptr<grpc::ServerCredentials>& credentials) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", credentials, &port_);
    builder.RegisterService(&tenants_);
    server_ = builder.BuildAndStart();
    ASSERT_NE(server_, nullptr);
  }
  std::string At(const std::string& scheme) const {
    return scheme + "://127.0.0.1:" + std::to_string(port_);
  }
  // Writes the pair as the client's own.
  void Present(const CertifiedKey& pair) {
    options_.certificate_file = scratch_.Write("own.pem", pair.certificate);
    options_.key_file = scratch_.Write("own.key", pair.key, 0600);
  }
  Result<v1::Caller> Call(const std::string& scheme = "tls") const {
    WB_ASSIGN(const auto client, Client::Connect(At(scheme), options_));
    return GetCaller(*client);
  }
  // The call fails for good, and says so.
  void ExpectRefused(const std::string& words, Reason reason = Reason::kUnauthenticated,
                     const std::string& scheme = "tls") const {
    const Status status = Call(scheme).status();
    EXPECT_EQ(status.reason(), reason) << status.ToString();
    EXPECT_NE(status.message().find(words), std::string::npos) << status.message();
    EXPECT_NE(status.message().find(At(scheme)), std::string::npos) << status.message();
  }

  const ScratchFolder scratch_;
  CertifiedKey authority_;
  ClientOptions options_;
  EchoTenants tenants_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

TEST_F(TlsTest, ATokenGoesWithTheCall) {
  Serve(Certificate({"127.0.0.1", "localhost"}));
  EXPECT_EQ(Call().value().name(), "");
  options_.token = "wbt_0123";
  EXPECT_EQ(Call().value().name(), "Bearer wbt_0123");
}

TEST_F(TlsTest, ATokenGoesOverPlainTextOnThisMachineAlone) {
  Listen(grpc::InsecureServerCredentials());
  options_.ca_file = "";
  options_.token = "wbt_0123";
  EXPECT_EQ(Call("tcp").value().name(), "Bearer wbt_0123");
  const Status far = Client::Connect("tcp://192.0.2.1:7443", options_).status();
  EXPECT_EQ(far.reason(), Reason::kInvalidArgument);
  EXPECT_NE(far.message().find("plain text"), std::string::npos);
  EXPECT_EQ(far.ToString().find("wbt_"), std::string::npos);
  EXPECT_TRUE(Client::Connect("unix:///x", options_).ok());
}

// gRPC would end the process over such a header.
TEST_F(TlsTest, ATokenIsCheckedBeforeItIsSent) {
  for (const char* token : {"wbt_\n", "wbt_a b", "x", "wbt_\x80"}) {
    ClientOptions options;
    options.token = token;
    EXPECT_EQ(Client::Connect("unix:///x", options).status().reason(), Reason::kInvalidArgument)
        << token;
  }
}

TEST_F(TlsTest, FilesOfTlsNeedTls) {
  EXPECT_EQ(Client::Connect("unix:///x", options_).status().reason(), Reason::kInvalidArgument);
  EXPECT_EQ(Client::Connect("tcp://127.0.0.1:1", options_).status().reason(),
            Reason::kInvalidArgument);
}

TEST_F(TlsTest, AnotherAuthority) {
  Serve(Certificate({"127.0.0.1"}));
  scratch_.Write("ca.pem", cli::MakeAuthority(kNow).value().certificate);
  ExpectRefused("ca.pem] did not sign it; name the certificate of the authority");
}

TEST_F(TlsTest, TheSystemsAuthorities) {
  Serve(Certificate({"127.0.0.1"}));
  options_.ca_file = "";
  ExpectRefused("is not trusted");
  ExpectRefused("--ca FILE");
}

TEST_F(TlsTest, AnotherName) {
  Serve(Certificate({"gpu1.example", "10.0.0.1", "::1"}));
  ExpectRefused("is not for [127.0.0.1], but for [gpu1.example], [10.0.0.1], [0:0:0:0:0:0:0:1]");
  options_.server_name = "gpu2.example";
  ExpectRefused("is not for [gpu2.example]");
  options_.server_name = "gpu1.example";
  EXPECT_TRUE(Call().ok());
}

TEST_F(TlsTest, AnExpiredCertificate) {
  Serve(Certificate({"127.0.0.1"}, {-2 * cli::kDay, -cli::kDay}));
  ExpectRefused("is not valid now (certificate has expired)");
}

TEST_F(TlsTest, ACertificateOfLater) {
  Serve(Certificate({"127.0.0.1"}, {cli::kDay, 2 * cli::kDay}));
  ExpectRefused("is not valid now (certificate is not yet valid)");
}

TEST_F(TlsTest, AClientCertificateIsDemanded) {
  Serve(Certificate({"127.0.0.1"}), authority_.certificate);
  ExpectRefused("demands a client certificate: name yours by --cert FILE --key FILE");
  Present(cli::MakeClientCertificate(authority_, {"render", ""}, kNow).value());
  const Result<v1::Caller> caller = Call();
  ASSERT_TRUE(caller.ok()) << caller.status().ToString();
  EXPECT_EQ(caller->tenant(), "render");
}

TEST_F(TlsTest, AClientCertificateOfAnotherAuthority) {
  Serve(Certificate({"127.0.0.1"}), authority_.certificate);
  const CertifiedKey other = cli::MakeAuthority(kNow).value();
  Present(cli::MakeClientCertificate(other, {"render", ""}, kNow).value());
  ExpectRefused("refuses the client certificate [" + scratch_.Path("own.pem"));
  Present(
      cli::MakeClientCertificate(authority_, {"render", ""}, {-2 * cli::kDay, -cli::kDay}).value());
  ExpectRefused("refuses the client certificate");
}

TEST_F(TlsTest, AServersCertificateIsNoClients) {
  Serve(Certificate({"127.0.0.1"}), authority_.certificate);
  Present(Certificate({"127.0.0.1"}));
  ExpectRefused("refuses the client certificate");
}

TEST_F(TlsTest, TlsToADaemonWithoutIt) {
  Listen(grpc::InsecureServerCredentials());
  ExpectRefused("speaks no TLS", Reason::kUnavailable);
}

TEST_F(TlsTest, PlainTextToADaemonWithTls) {
  Serve(Certificate({"127.0.0.1"}));
  options_.ca_file = "";
  ExpectRefused("wants TLS: use --addr " + At("tls"), Reason::kUnavailable, "tcp");
}

TEST_F(TlsTest, PlainTextToADaemonWithTlsForCertifiedClients) {
  Serve(Certificate({"127.0.0.1"}), authority_.certificate);
  options_.ca_file = "";
  ExpectRefused("wants TLS: use --addr " + At("tls"), Reason::kUnavailable, "tcp");
}

TEST_F(TlsTest, NobodyAnswers) {
  Serve(Certificate({"127.0.0.1"}));
  server_->Shutdown();
  server_.reset();
  ExpectRefused("cannot be reached", Reason::kUnavailable);
}

// Trying again does not help, so it is not done.
TEST_F(TlsTest, WhatIsNotTrustedIsTriedOnce) {
  Serve(Certificate({"gpu1.example"}));
  options_.attempts = 50;
  options_.first_pause = std::chrono::seconds(1);
  const auto start = std::chrono::steady_clock::now();
  ExpectRefused("is not for [127.0.0.1]");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
}

// A second token, of which nobody knows, would stay.
TEST_F(TlsTest, ATokenIsMadeOnce) {
  Serve(Certificate({"127.0.0.1"}));
  const auto client = Client::Connect(At("tls"), options_).value();
  EXPECT_EQ(CreateToken(*client, {}).status().reason(), Reason::kUnavailable);
  EXPECT_EQ(tenants_.creations, 1);
}

}  // namespace
}  // namespace wb
