// The record of bursts over the wire: what is kept, what comes, and who sees which jobs.

#include <future>
#include <thread>

#include "client/services/devices.h"
#include "client/services/server.h"
#include "tests/daemon/services/caller_fixture.h"
#include "wasmburst/v1/admin.grpc.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class DaemonBurstsTest : public CallerTest {
 protected:
  void Tell(uint64_t number, const std::string& device = "fake0") {
    BurstRecord burst;
    burst.device = device;
    burst.number = number;
    burst.since_start = burst.duration = std::chrono::milliseconds(20);
    burst.launches = 2;
    burst.instances = 30;
    burst.jobs = 2;
    burst.end = BurstEnd::kFull;
    burst.rest_after = std::chrono::seconds(1);
    burst.rest_after_cause = RestCause::kCooldown;
    burst.shares = {Share("01AAAAAAAAAAAAAAAAAAAAAAAA", "anna", 10),
                    Share("01BBBBBBBBBBBBBBBBBBBBBBBB", "bert", 20)};
    observers_->OnBurst(burst);
  }
  static BurstShare Share(const std::string& job, const std::string& tenant, uint64_t instances) {
    BurstShare share;
    share.name = job;
    share.tenant = tenant;
    share.instances = instances;
    share.fuel = instances * 7;
    share.build = KernelBuild::kQuick;
    return share;
  }
  // All that are there, as this caller sees them.
  grpc::Status Read(const std::string& token, v1::WatchBurstsRequest request,
                    std::vector<v1::Burst>* bursts) {
    const auto admin = v1::Admin::NewStub(token.empty() ? AdminChannel() : TokenChannel());
    const auto context = Context(token);
    const auto reader = admin->WatchBursts(context.get(), request);
    v1::BurstEvent event;
    while (reader->Read(&event)) {
      last_ = event;
      bursts->insert(bursts->end(), event.bursts().begin(), event.bursts().end());
    }
    return reader->Finish();
  }
  std::vector<v1::Burst> Read(const std::string& token = "", const std::string& resume = "") {
    v1::WatchBurstsRequest request;
    request.set_resume_token(resume);
    std::vector<v1::Burst> bursts;
    const grpc::Status status = Read(token, request, &bursts);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return bursts;
  }

  v1::BurstEvent last_;
};

TEST_F(DaemonBurstsTest, WhatWasToldIsThere) {
  Start();
  EXPECT_TRUE(Read().empty());
  const int64_t before = std::chrono::system_clock::now().time_since_epoch().count();
  Tell(1);
  const std::vector<v1::Burst> bursts = Read();
  ASSERT_EQ(bursts.size(), 1u);
  EXPECT_EQ(bursts[0].device(), "devices/fake0");
  EXPECT_EQ(bursts[0].number(), 1u);
  EXPECT_EQ(bursts[0].duration().nanos(), 20'000'000);
  EXPECT_GE(bursts[0].start_time().seconds(), before / 1'000'000'000 - 1);
  EXPECT_EQ(bursts[0].end(), "full");
  EXPECT_FALSE(bursts[0].has_rest_before());
  EXPECT_EQ(bursts[0].rest_after().seconds(), 1);
  EXPECT_EQ(bursts[0].rest_after_cause(), "cooldown");
  EXPECT_FALSE(bursts[0].has_celsius());
  ASSERT_EQ(bursts[0].jobs_size(), 2);
  EXPECT_EQ(bursts[0].jobs(1).job(), "jobs/01BBBBBBBBBBBBBBBBBBBBBBBB");
  EXPECT_EQ(bursts[0].jobs(1).instances(), 20u);
  EXPECT_EQ(bursts[0].jobs(1).build(), v1::QUICK);
}

TEST_F(DaemonBurstsTest, JobsOfOtherTenantsHaveNoNames) {
  Start();
  const std::string anna = NewToken("anna", v1::VIEWER);
  const std::string olga = NewToken("olga", v1::OPERATOR);
  Tell(1);
  const std::vector<v1::Burst> of_anna = Read(anna);
  ASSERT_EQ(of_anna.size(), 1u);
  EXPECT_EQ(of_anna[0].jobs(0).job(), "jobs/01AAAAAAAAAAAAAAAAAAAAAAAA");
  EXPECT_EQ(of_anna[0].jobs(1).job(), "");
  EXPECT_EQ(of_anna[0].DebugString().find("BBBB"), std::string::npos);
  EXPECT_EQ(of_anna[0].DebugString().find("bert"), std::string::npos);
  EXPECT_EQ(Read(olga)[0].jobs(1).job(), "jobs/01BBBBBBBBBBBBBBBBBBBBBBBB");
}

TEST_F(DaemonBurstsTest, AReaderGoesOnWhereItWasAndIsToldWhatItMissed) {
  Start();
  for (uint64_t number = 1; number <= 40; ++number) Tell(number);
  EXPECT_EQ(Read().size(), 40u);
  const std::string token = last_.resume_token();
  EXPECT_TRUE(Read("", token).empty());
  for (uint64_t number = 41; number <= 40 + 1024 + 7; ++number) Tell(number);
  v1::WatchBurstsRequest request;
  request.set_resume_token(token);
  uint64_t missed = 0;
  uint64_t read = 0;
  ASSERT_TRUE(WatchBursts(*client_, request, [&](const v1::BurstEvent& event) {
                missed += event.missed();
                read += static_cast<uint64_t>(event.bursts_size());
                return true;
              }).ok());
  EXPECT_EQ(missed, 7u);
  EXPECT_EQ(read, 1024u);
}

TEST_F(DaemonBurstsTest, AFollowerSeesEachBurstAsItEnds) {
  Start();
  Tell(1);
  v1::WatchBurstsRequest request;
  request.set_device("devices/fake0");
  request.set_follow(true);
  std::vector<uint64_t> numbers;
  const Status status = WatchBursts(*client_, request, [&](const v1::BurstEvent& event) {
    for (const v1::Burst& burst : event.bursts()) numbers.push_back(burst.number());
    if (event.heartbeat()) Tell(numbers.size() + 1);
    return numbers.size() < 3;
  });
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(numbers, (std::vector<uint64_t>{1, 2, 3}));
}

TEST_F(DaemonBurstsTest, ATokenOfAnEarlierDaemonBeginsAnew) {
  Start();
  Tell(1);
  Read();
  const std::string token = last_.resume_token();
  client_.reset();
  daemon_.reset();
  observers_ = std::make_shared<ObserverRelay>();
  Start();
  Tell(1);
  ASSERT_EQ(Read("", token).size(), 1u);
  EXPECT_TRUE(last_.restarted());
  EXPECT_EQ(last_.missed(), 0u);
}

TEST_F(DaemonBurstsTest, WrongDevicesAndTokensAreRefused) {
  Start();
  std::vector<v1::Burst> bursts;
  v1::WatchBurstsRequest request;
  request.set_device("devices/other");
  const grpc::Status unknown = Read("", request, &bursts);
  EXPECT_EQ(unknown.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_NE(unknown.error_message().find("fake0"), std::string::npos);
  request.set_device("fake0");
  EXPECT_EQ(Read("", request, &bursts).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  request.clear_device();
  request.set_resume_token("nonsense");
  EXPECT_EQ(Read("", request, &bursts).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(DaemonBurstsTest, TheServersClockIsTold) {
  Start();
  const Result<v1::ServerInfo> info = GetServerInfo(*client_);
  ASSERT_TRUE(info.ok());
  EXPECT_GE(info->current_time().seconds(), info->start_time().seconds());
  EXPECT_GT(info->start_time().seconds(), 0);
}

}  // namespace
}  // namespace wb
