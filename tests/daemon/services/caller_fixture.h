#pragma once

// A daemon and callers of all kinds: an admin on the Unix socket, others by tokens over loopback.

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <chrono>
#include <memory>
#include <string>

#include "tests/daemon/services/daemon_fixture.h"
#include "wasmburst/v1/jobs.grpc.pb.h"
#include "wasmburst/v1/modules.grpc.pb.h"
#include "wasmburst/v1/tenants.grpc.pb.h"

namespace wb {

class CallerTest : public DaemonTest {
 protected:
  void SetUp() override {
    DaemonTest::SetUp();
    config_.listen[1] = ParseListenSetting("tcp://127.0.0.1:0").value();
  }
  std::shared_ptr<grpc::Channel> AdminChannel() const {
    return grpc::CreateChannel(daemon_->addresses()[0], grpc::InsecureChannelCredentials());
  }
  std::shared_ptr<grpc::Channel> TokenChannel() const {
    return grpc::CreateChannel(daemon_->addresses()[1].substr(6),
                               grpc::InsecureChannelCredentials());
  }
  // With the header, where there is a token, and a deadline that no call here comes near.
  static std::unique_ptr<grpc::ClientContext> Context(const std::string& token) {
    auto context = std::make_unique<grpc::ClientContext>();
    context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    if (!token.empty()) context->AddMetadata("authorization", "Bearer " + token);
    return context;
  }
  std::string NewToken(const std::string& tenant, wasmburst::v1::Role role) const {
    wasmburst::v1::CreateTokenRequest request;
    request.mutable_token()->set_tenant(tenant);
    request.mutable_token()->set_role(role);
    wasmburst::v1::CreateTokenResponse response;
    const grpc::Status status = wasmburst::v1::Tenants::NewStub(AdminChannel())
                                    ->CreateToken(Context("").get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.text();
  }
};

}  // namespace wb
