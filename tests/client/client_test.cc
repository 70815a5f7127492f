// The client library against a daemon that goes away and comes back.

#include "client/client.h"
#include "client/request_id.h"
#include "client/services/jobs.h"
#include "client/services/server.h"

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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
  Status status = GetServerInfo(*client).status();
  EXPECT_EQ(status.reason(), Reason::kUnavailable);
  EXPECT_NE(status.message().find("[unix:///nowhere/wasmburstd.sock]"), std::string::npos);
}

TEST_F(ClientTest, InterruptEndsAFollowingStream) {
  Start();
  std::string name = Create("spin", 1);
  v1::ReadResultsRequest request;
  request.set_name(name);
  request.set_follow(true);
  Status status = ReadResults(*client_, request, [&](const v1::ReadResultsResponse&) {
    client_->Interrupt();  // at the first heartbeat
    return true;
  });
  EXPECT_EQ(status.reason(), Reason::kCancelled);
  EXPECT_EQ(GetServerInfo(*client_).status().reason(), Reason::kCancelled);
}

TEST_F(ClientTest, ACallOutlivesARestartOfTheDaemon) {
  Start();
  auto patient = NewClient(0);
  ASSERT_TRUE(GetServerInfo(*patient).ok());
  daemon_->Drain();
  daemon_.reset();
  std::thread later([this] { Start(); });
  EXPECT_TRUE(GetServerInfo(*patient).ok());  // tried again until it is back
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

// Serves one service on a socket of its own.
class Served {
 public:
  explicit Served(grpc::Service* service)
      : socket_("unix://" + std::filesystem::temp_directory_path().string() + "/wb_" +
                NewRequestId()) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort(socket_, grpc::InsecureServerCredentials());
    builder.RegisterService(service);
    server_ = builder.BuildAndStart();
    EXPECT_NE(server_, nullptr);
  }
  std::unique_ptr<Client> Connect(const ClientOptions& options) const {
    return Client::Connect(socket_, options).value();
  }

 private:
  std::string socket_;
  std::unique_ptr<grpc::Server> server_;
};

TEST(Client, AStreamThatOnlyBeatsAndBreaksIsGivenUp) {
  BrokenJobs jobs;
  const Served served(&jobs);
  ClientOptions options;
  options.attempts = 3;
  options.first_pause = std::chrono::milliseconds(1);
  int beats = 0;
  const Status status = WatchJob(*served.Connect(options), {}, [&](const v1::JobEvent& event) {
    beats += event.heartbeat() ? 1 : 0;
    return beats < 100;
  });
  EXPECT_EQ(status.reason(), Reason::kUnavailable);
  EXPECT_EQ(beats, 3);
  EXPECT_EQ(jobs.streams, 3);
}

// One stream of messages with one result each; notes what is acknowledged.
class RecordedJobs : public v1::Jobs::Service {
 public:
  // How many of `instances` have ended, bytes of output.
  void Add(uint64_t finished, uint64_t instances, size_t bytes) {
    v1::ReadResultsResponse message;
    message.set_cursor(std::to_string(messages_.size()));
    message.add_results()->add_outputs()->set_data(std::string(bytes, 'x'));
    message.mutable_counts()->set_finished(finished);
    message.mutable_counts()->set_instances(instances);
    messages_.push_back(std::move(message));
  }
  grpc::Status ReadResults(grpc::ServerContext*, const v1::ReadResultsRequest*,
                           grpc::ServerWriter<v1::ReadResultsResponse>* writer) override {
    for (size_t i = 0; i < messages_.size(); ++i) {
      if (i + 1 == messages_.size()) messages_[i].mutable_job()->set_name("jobs/1");
      writer->Write(messages_[i]);
    }
    return grpc::Status::OK;
  }
  grpc::Status AcknowledgeResults(grpc::ServerContext*,
                                  const v1::AcknowledgeResultsRequest* request,
                                  v1::AcknowledgeResultsResponse*) override {
    acknowledged += request->cursor() + " ";
    return grpc::Status::OK;
  }
  std::string acknowledged;  // calls come one after the other

 private:
  std::vector<v1::ReadResultsResponse> messages_;
};

// The end of the stream acknowledges; a job that could wait for it, and much at a time, are told
// before.
TEST(Client, WhatTheEndOfAStreamAcknowledgesCostsNoCall) {
  const auto acknowledged = [](auto fill) {
    RecordedJobs jobs;
    fill(jobs);
    const Served served(&jobs);
    int results = 0;
    const Status status =
        ReadResults(*served.Connect({}), {}, [&](const v1::ReadResultsResponse& message) {
          results += message.results_size();
          return true;
        });
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_GT(results, 0);
    return jobs.acknowledged;
  };
  EXPECT_EQ(acknowledged([](RecordedJobs& jobs) { jobs.Add(1, 1, 10); }), "");
  EXPECT_EQ(acknowledged([](RecordedJobs& jobs) {
              jobs.Add(1, 3, 10);
              jobs.Add(3, 3, 10);
              jobs.Add(3, 3, 10);
            }),
            "0 ");
  constexpr size_t kMuch = size_t{400} << 10;
  EXPECT_EQ(acknowledged([](RecordedJobs& jobs) {
              for (int i = 0; i < 8; ++i) jobs.Add(8, 8, kMuch);
            }),
            "2 5 ");
}

}  // namespace
}  // namespace wb
