// What is on the wire: bytes that are no messages, health, reflection, RunJob.

#include <google/protobuf/descriptor.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/impl/codegen/client_unary_call.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>
#include <unistd.h>

#include "client/services/server.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "grpc/health/v1/health.pb.h"
#include "tests/daemon/services/daemon_fixture.h"
#include "tests/daemon/services/raw_call.h"
#include "wasmburst/v1/inputs.pb.h"
#include "wasmburst/v1/jobs.grpc.pb.h"
#include "wasmburst/v1/modules.grpc.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class WireTest : public DaemonTest {
 protected:
  std::shared_ptr<grpc::Channel> Channel(size_t listener = 0) const {
    std::string address = daemon_->addresses()[listener];
    if (listener == 1) address = address.substr(6);
    return grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
  }
  grpc::Status CallRaw(const std::string& path, const std::string& bytes,
                       grpc::ByteBuffer* answer = nullptr) const {
    return wb::CallRaw(Channel(), path, bytes, "", answer);
  }
};

std::string ReasonOf(const grpc::Status& status) {
  google::rpc::Status proto;
  google::rpc::ErrorInfo info;
  if (!proto.ParseFromString(status.error_details()) || proto.details_size() == 0) return "";
  proto.details(0).UnpackTo(&info);
  return info.reason();
}

TEST_F(WireTest, BytesThatAreNoMessageAreMalformedOnEveryMethod) {
  Start();
  const auto* pool = google::protobuf::DescriptorPool::generated_pool();
  int methods = 0;
  for (const char* name :
       {"wasmburst.v1.Modules", "wasmburst.v1.Inputs", "wasmburst.v1.Jobs", "wasmburst.v1.Admin"}) {
    const auto* service = pool->FindServiceByName(name);
    ASSERT_NE(service, nullptr) << name;
    for (int i = 0; i < service->method_count(); ++i) {
      std::string path = "/" + std::string(name) + "/" + service->method(i)->name();
      for (const std::string& bytes : {std::string("\xff\xff\xff"), std::string("\x0a\x7f")}) {
        grpc::Status status = CallRaw(path, bytes);
        EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << path;
        EXPECT_EQ(ReasonOf(status), "MALFORMED_REQUEST") << path;
        ++methods;
      }
    }
  }
  EXPECT_EQ(methods, 2 * 33);
  EXPECT_EQ(CallRaw("/wasmburst.v1.Jobs/Nothing", "").error_code(),
            grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_TRUE(GetServerInfo(*client_).ok());
}

// What runs strangers' modules has the daemon's user, who is an admin.
TEST_F(WireTest, AnEngineHostIsNoCaller) {
#ifndef __linux__
  GTEST_SKIP() << "elsewhere no host is isolated, and it is not known who connects";
#endif
  Start();
  const auto call = [this] {
    grpc::ChannelArguments own;
    own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    const auto channel =
        grpc::CreateCustomChannel(daemon_->addresses()[0], grpc::InsecureChannelCredentials(), own);
    return wb::CallRaw(channel, "/wasmburst.v1.Admin/GetServerInfo", "", "", nullptr).error_code();
  };
  scheduler_->HasHost(getpid());
  EXPECT_EQ(call(), grpc::StatusCode::UNAVAILABLE);
  scheduler_->HasHost(getpid() + 1);
  EXPECT_EQ(call(), grpc::StatusCode::OK);
}

TEST_F(WireTest, TooLargeMessagesAreRefused) {
  Start();
  std::string bytes(config_.max_message_bytes + 1, '\0');
  grpc::Status status = CallRaw("/wasmburst.v1.Modules/CreateModule", bytes);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

// gRPC unpacks before it looks at the size, so compressed requests are not taken at all.
TEST_F(WireTest, CompressedMessagesAreRefused) {
  Start();
  for (const size_t size : {size_t{100}, size_t{config_.max_message_bytes} + 1}) {
    auto stub = v1::Modules::NewStub(Channel());
    grpc::ClientContext context;
    context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
    v1::CreateModuleRequest request;
    request.set_wasm(std::string(size, '\0'));
    v1::Module module;
    const grpc::Status status = stub->CreateModule(&context, request, &module);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED) << status.error_message();
    EXPECT_NE(status.error_message().find("gzip"), std::string::npos) << status.error_message();
  }
  EXPECT_TRUE(GetServerInfo(*client_).ok());
}

TEST_F(WireTest, ResultsAreKeptUntilTheyAreAcknowledged) {
  config_.max_job_results_bytes = 200'000;
  config_.result_message_bytes = 20'000;
  Start();
  const std::string name = Create("bytes", 2000);  // 2 MB of outputs
  auto stub = v1::Jobs::NewStub(Channel());
  v1::ReadResultsRequest read;
  read.set_name(name);
  read.set_follow(true);
  grpc::ClientContext context;
  auto reader = stub->ReadResults(&context, read);
  v1::ReadResultsResponse part;
  uint64_t results = 0;
  // What was sent stays: the job waits with a part of its results.
  while (results < 150 && reader->Read(&part))
    results += static_cast<uint64_t>(part.results_size());
  context.TryCancel();
  v1::ReadResultsRequest again;
  again.set_name(name);
  grpc::ClientContext second;
  auto reread = stub->ReadResults(&second, again);
  ASSERT_TRUE(reread->Read(&part));
  EXPECT_EQ(part.results(0).instance(), 0u);
  const std::string cursor = part.cursor();
  while (reread->Read(&part)) {
  }
  EXPECT_TRUE(reread->Finish().ok());
  v1::AcknowledgeResultsRequest acknowledge;
  acknowledge.set_name(name);
  acknowledge.set_cursor(cursor);
  v1::AcknowledgeResultsResponse answer;
  grpc::ClientContext third;
  EXPECT_TRUE(stub->AcknowledgeResults(&third, acknowledge, &answer).ok());
  acknowledge.set_cursor("nonsense");
  grpc::ClientContext fourth;
  EXPECT_EQ(stub->AcknowledgeResults(&fourth, acknowledge, &answer).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(WireTest, HealthKnowsTheWholeAndEachService) {
  Start();
  for (const char* service : {"", "wasmburst.v1.Jobs", "wasmburst.v1.Inputs",
                              "wasmburst.v1.Modules", "wasmburst.v1.Admin"}) {
    grpc::health::v1::HealthCheckRequest request;
    request.set_service(service);
    grpc::ByteBuffer answer;
    grpc::Status status =
        CallRaw("/grpc.health.v1.Health/Check", request.SerializeAsString(), &answer);
    ASSERT_TRUE(status.ok()) << service << status.error_message();
    grpc::Slice slice;
    ASSERT_TRUE(answer.DumpToSingleSlice(&slice).ok());
    grpc::health::v1::HealthCheckResponse response;
    ASSERT_TRUE(response.ParseFromArray(slice.begin(), static_cast<int>(slice.size())));
    EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::SERVING);
  }
  grpc::health::v1::HealthCheckRequest unknown;
  unknown.set_service("nothing");
  EXPECT_EQ(CallRaw("/grpc.health.v1.Health/Check", unknown.SerializeAsString()).error_code(),
            grpc::StatusCode::NOT_FOUND);
}

TEST_F(WireTest, RunJobGivesTheJobThenItsResults) {
  Start();
  auto stub = v1::Jobs::NewStub(Channel(1));
  v1::RunJobRequest request;
  *request.mutable_job() = Request("identity", 50).job();
  request.set_wasm(cli::AssembleWat(kFakeModule, "t").value());
  grpc::ClientContext context;
  auto reader = stub->RunJob(&context, request);
  v1::RunJobResponse response;
  ASSERT_TRUE(reader->Read(&response));
  EXPECT_TRUE(response.job().name().starts_with("jobs/"));
  int results = 0;
  bool ended = false;
  while (reader->Read(&response)) {
    results += response.results().results_size();
    ended = ended || response.results().has_job();
  }
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_EQ(results, 50);
  EXPECT_TRUE(ended);
  request.set_columns(true);
  grpc::ClientContext third;
  reader = stub->RunJob(&third, request);
  int rows = 0;
  while (reader->Read(&response)) {
    EXPECT_EQ(response.results().results_size(), 0);
    for (const auto& columns : response.results().columns()) rows += columns.fuel_size();
  }
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_EQ(rows, 50);
  request.set_wasm("no wasm");
  grpc::ClientContext second;
  auto refused = stub->RunJob(&second, request);
  EXPECT_FALSE(refused->Read(&response));
  EXPECT_EQ(ReasonOf(refused->Finish()), "WASM_MALFORMED");
}

}  // namespace
}  // namespace wb
