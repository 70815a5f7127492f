// A server's stream that waits for its turn on a pool, and whose client leaves meanwhile.

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/config/default_config.h"
#include "daemon/identity/authenticator.h"
#include "daemon/process/worker_pool.h"
#include "daemon/rpc/server.h"
#include "wasmburst/v1/admin.grpc.pb.h"
#include "wasmburst/v1/jobs.grpc.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

// Always has a message, and rests after each.
class RestingSource : public StreamSource {
 public:
  RestingSource(std::chrono::nanoseconds rest, std::atomic<int>* asked)
      : rest_(rest), asked_(*asked) {}
  Item Next() override {
    ++asked_;
    return {std::make_shared<v1::JobEvent>(), false, {}};
  }
  MessagePtr Heartbeat() override { return std::make_shared<v1::JobEvent>(); }
  std::chrono::nanoseconds Rest() const override { return rest_; }

 private:
  const std::chrono::nanoseconds rest_;
  std::atomic<int>& asked_;
};

// Has long messages at all times, and a place that it loses where they are not taken.
class PlaceSource : public StreamSource {
 public:
  explicit PlaceSource(const PaceRule& rule) : rule_(rule) {}
  Item Next() override {
    auto event = std::make_shared<v1::JobEvent>();
    event->mutable_job()->set_name(std::string(kMessageBytes, 'x'));
    return {event, false, {}};
  }
  MessagePtr Heartbeat() override { return std::make_shared<v1::JobEvent>(); }
  std::optional<PaceRule> Pace() const override { return rule_; }

  static constexpr size_t kMessageBytes = size_t{1} << 20;

 private:
  const PaceRule rule_;
};

class ServerStreamTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_stream_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    Config config = DefaultConfig();
    config.listen.resize(1);
    config.listen[0].address.path = folder_ + "/socket";
    server_ = Server::Open(config).value();
    ASSERT_TRUE(server_->Serve(Tables(), &runtime_).ok());
    channel_ = grpc::CreateChannel(server_->addresses()[0], grpc::InsecureChannelCredentials());
  }
  void TearDown() override {
    server_.reset();
    std::filesystem::remove_all(folder_);
  }

  // RunJob counts how often it is opened; GetServerInfo is answered on gRPC's own thread.
  std::vector<MethodTable> Tables() {
    std::vector<MethodTable> tables;
    tables.emplace_back("wasmburst.v1.Jobs")
        .AddServerStream<v1::RunJobRequest>(
            "RunJob",
            [this](const v1::RunJobRequest&, const Call&,
                   const std::function<void()>&) -> Result<std::unique_ptr<StreamSource>> {
              ++opened_;
              return Status(Reason::kQueueFull, "It was opened.");
            });
    tables.back().AddServerStream<v1::WatchJobRequest>(
        "WatchJob",
        [this](const v1::WatchJobRequest&, const Call&,
               std::function<void()> wake) -> Result<std::unique_ptr<StreamSource>> {
          waker_.set_value(std::move(wake));
          std::unique_ptr<StreamSource> source = std::make_unique<RestingSource>(rest_, &asked_);
          if (pace_) source = std::make_unique<PlaceSource>(*pace_);
          return source;
        });
    tables.emplace_back("wasmburst.v1.Admin")
        .AddUnary<v1::GetServerInfoRequest>(
            "GetServerInfo", RunOn::kCaller,
            [](const v1::GetServerInfoRequest&) -> Result<v1::ServerInfo> {
              return v1::ServerInfo();
            });
    return tables;
  }
  // What was sent on the connection before has arrived.
  void RoundTrip() {
    grpc::ClientContext context;
    v1::ServerInfo info;
    EXPECT_TRUE(v1::Admin::NewStub(channel_)->GetServerInfo(&context, {}, &info).ok());
  }

  std::string folder_;
  std::atomic<int> opened_{0};
  std::chrono::nanoseconds rest_{};
  std::optional<PaceRule> pace_;
  std::atomic<int> asked_{0};
  std::promise<std::function<void()>> waker_;  // of the first WatchJob
  std::promise<Reason> ended_;                 // the first RunJob, as it is logged
  std::promise<Status> watched_;               // the first WatchJob
  WorkerPool prepare_{1, 8};
  WorkerPool others_{1, 8};
  TokenTable tokens_;
  Authenticator authenticator_{RulesOf(DefaultConfig()).value(), &tokens_,
                               [] { return int64_t{1}; }};
  RpcRuntime runtime_{{&prepare_, &prepare_, &others_, &others_, &others_},
                      std::chrono::hours(1),
                      [this](const AccessLine& line) {
                        if (line.path.ends_with("RunJob")) ended_.set_value(line.status.reason());
                        if (pace_ && line.path.ends_with("WatchJob")) {
                          watched_.set_value(line.status);
                        }
                      },
                      &authenticator_};
  std::unique_ptr<Server> server_;
  std::shared_ptr<grpc::Channel> channel_;
};

TEST_F(ServerStreamTest, AQueuedStreamWhoseClientHasGoneEndsAtOnceAndIsNeverOpened) {
  std::promise<void> gate;
  ASSERT_TRUE(prepare_.TryPost({}, [&gate] { gate.get_future().wait(); }));
  grpc::ClientContext context;
  const auto reader = v1::Jobs::NewStub(channel_)->RunJob(&context, {});
  RoundTrip();
  context.TryCancel();
  // The thread that would open it is still held at the gate.
  std::future<Reason> ended = ended_.get_future();
  const bool ends_at_once = ended.wait_for(std::chrono::seconds(30)) == std::future_status::ready;
  gate.set_value();
  ASSERT_TRUE(ends_at_once);
  EXPECT_EQ(ended.get(), Reason::kCancelled);
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  std::promise<void> later;
  ASSERT_TRUE(prepare_.TryPost({}, [&later] { later.set_value(); }));
  later.get_future().wait();
  EXPECT_EQ(opened_, 0);
}

TEST_F(ServerStreamTest, AStreamIsOpenedOnceWhenItsTurnComes) {
  grpc::ClientContext context;
  const auto reader = v1::Jobs::NewStub(channel_)->RunJob(&context, {});
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(ended_.get_future().get(), Reason::kQueueFull);
  EXPECT_EQ(opened_, 1);
}

TEST_F(ServerStreamTest, AClientThatDoesNotTakeAStreamLosesItsPlaceAndHearsWhy) {
  pace_ = PaceRule{.patience = std::chrono::milliseconds(50)};
  grpc::ClientContext context;
  const auto reader = v1::Jobs::NewStub(channel_)->WatchJob(&context, {});
  v1::JobEvent event;
  ASSERT_TRUE(reader->Read(&event));
  std::future<Status> watched = watched_.get_future();
  while (watched.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready) {
    runtime_.Tick();
  }
  const Status logged = watched.get();
  EXPECT_EQ(logged.reason(), Reason::kDeadlineExceeded) << logged.message();
  EXPECT_NE(logged.message().find("less than [65536] bytes in [50] ms"), std::string::npos);
  while (reader->Read(&event)) {
  }
  const grpc::Status status = reader->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED) << status.error_message();
  EXPECT_NE(status.error_message().find("took the stream too slowly"), std::string::npos)
      << status.error_message();
}

TEST_F(ServerStreamTest, OneThatTakesItKeepsItsPlace) {
  pace_ = PaceRule{};
  grpc::ClientContext context;
  const auto reader = v1::Jobs::NewStub(channel_)->WatchJob(&context, {});
  v1::JobEvent event;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(reader->Read(&event));
    EXPECT_EQ(event.job().name().size(), PlaceSource::kMessageBytes);
    runtime_.Tick();
  }
  context.TryCancel();
  while (reader->Read(&event)) {
  }
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_EQ(watched_.get_future().get().reason(), Reason::kCancelled);
}

TEST_F(ServerStreamTest, WhatHappensWhileAStreamRestsComesLater) {
  rest_ = std::chrono::hours(1);
  grpc::ClientContext context;
  const auto reader = v1::Jobs::NewStub(channel_)->WatchJob(&context, {});
  v1::JobEvent event;
  ASSERT_TRUE(reader->Read(&event));
  const std::function<void()> wake = waker_.get_future().get();
  for (int i = 0; i < 100; ++i) {
    wake();
    RoundTrip();
  }
  EXPECT_EQ(asked_, 1);
  context.TryCancel();  // which no rest holds up
  EXPECT_FALSE(reader->Read(&event));
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(ServerStreamTest, AStreamGoesOnAfterItsRest) {
  rest_ = std::chrono::milliseconds(1);
  grpc::ClientContext context;
  const auto reader = v1::Jobs::NewStub(channel_)->WatchJob(&context, {});
  v1::JobEvent event;
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(reader->Read(&event));
  context.TryCancel();
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
}

}  // namespace
}  // namespace wb
