// The client library against a daemon that goes away and comes back.

#include "client/client.h"

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "tests/daemon/services/daemon_fixture.h"
#include "wasmburst/v1/jobs.grpc.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class ClientTest : public DaemonTest {};

TEST(Client, BadAddressesAreRefused) {
  for (const char* bad : {"", "nonsense", "http://x", "unix:relative", "tcp://nohost"}) {
    EXPECT_EQ(Client::Connect(bad, {}).status().reason(), Reason::kInvalidArgument) << bad;
  }
}

TEST(Client, AnAbsentDaemonIsNamed) {
  ClientOptions options;
  options.attempts = 2;
  options.first_pause = std::chrono::milliseconds(1);
  auto client = Client::Connect("unix:///nowhere/wasmburstd.sock", options).value();
  Status status = client->GetServerInfo().status();
  EXPECT_EQ(status.reason(), Reason::kUnavailable);
  EXPECT_NE(status.message().find("[unix:///nowhere/wasmburstd.sock]"), std::string::npos);
}

TEST_F(ClientTest, InterruptEndsAFollowingStream) {
  Start();
  std::string name = Create("spin", 1);
  v1::ReadResultsRequest request;
  request.set_name(name);
  request.set_follow(true);
  Status status = client_->ReadResults(request, [&](const v1::ReadResultsResponse&) {
    client_->Interrupt();  // at the first heartbeat
    return true;
  });
  EXPECT_EQ(status.reason(), Reason::kCancelled);
  EXPECT_EQ(client_->GetServerInfo().status().reason(), Reason::kCancelled);
}

TEST_F(ClientTest, ACallOutlivesARestartOfTheDaemon) {
  Start();
  auto patient = NewClient(0);
  ASSERT_TRUE(patient->GetServerInfo().ok());
  daemon_->Drain();
  daemon_.reset();
  std::thread later([this] { Start(); });
  EXPECT_TRUE(patient->GetServerInfo().ok());  // tried again until it is back
  later.join();
}

// Every stream beats once and breaks.
class BrokenJobs : public v1::Jobs::Service {
 public:
  grpc::Status WatchJob(grpc::ServerContext*, const v1::WatchJobRequest*,
                        grpc::ServerWriter<v1::JobEvent>* writer) override {
    ++streams;
    v1::JobEvent beat;
    beat.set_heartbeat(true);
    writer->Write(beat);
    return {grpc::StatusCode::UNAVAILABLE, "broken"};
  }
  std::atomic<int> streams{0};
};

TEST(Client, AStreamThatOnlyBeatsAndBreaksIsGivenUp) {
  const std::string socket =
      "unix://" + std::filesystem::temp_directory_path().string() + "/wb_" + NewRequestId();
  BrokenJobs jobs;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(socket, grpc::InsecureServerCredentials());
  builder.RegisterService(&jobs);
  const auto server = builder.BuildAndStart();
  ASSERT_NE(server, nullptr);
  ClientOptions options;
  options.attempts = 3;
  options.first_pause = std::chrono::milliseconds(1);
  int beats = 0;
  const Status status =
      Client::Connect(socket, options).value()->WatchJob({}, [&](const v1::JobEvent& event) {
        beats += event.heartbeat() ? 1 : 0;
        return beats < 100;
      });
  EXPECT_EQ(status.reason(), Reason::kUnavailable);
  EXPECT_EQ(beats, 3);
  EXPECT_EQ(jobs.streams, 3);
}

}  // namespace
}  // namespace wb
