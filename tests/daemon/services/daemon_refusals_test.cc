// Refusals that pass, over the wire: they say when to try again. A disk with too little space.

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <atomic>
#include <thread>

#include "client/grpc_status.h"
#include "client/services/jobs.h"
#include "client/services/modules.h"
#include "client/services/server.h"
#include "google/rpc/error_details.pb.h"
#include "tests/daemon/services/daemon_fixture.h"
#include "tests/daemon/services/raw_call.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;
using std::chrono::milliseconds;

class DaemonRefusalsTest : public DaemonTest {
 protected:
  void StartOnDisk() {
    state_directory_ = folder_ + "/state";
    std::filesystem::create_directory(state_directory_);
    config_.min_free_bytes = 1000;
    room_at_ = [this](const std::string&) { return DiskRoom{true, false, free_}; };
    Start();
  }
  grpc::Status CreateRaw(const v1::CreateJobRequest& request) const {
    const auto channel = grpc::CreateChannel("unix:" + config_.listen[0].address.path,
                                             grpc::InsecureChannelCredentials());
    return CallRaw(channel, "/wasmburst.v1.Jobs/CreateJob", request.SerializeAsString());
  }
  // Nobody looks at the alarm but the daemon's own ticker.
  Reason CreateUntil(const v1::CreateJobRequest& request, Reason wanted) {
    Reason reason = Reason::kInternal;
    for (int tries = 0; tries < 600 && reason != wanted; ++tries) {
      if (tries > 0) std::this_thread::sleep_for(milliseconds(50));
      reason = CreateJob(*client_, request).status().reason();
    }
    return reason;
  }

  std::atomic<uint64_t> free_{1 << 30};
};

TEST_F(DaemonRefusalsTest, ALowDiskRefusesNewWorkAndNothingElse) {
  StartOnDisk();
  const std::string ended = Create("identity", 3);
  ASSERT_EQ(WaitForEnd(ended).state(), v1::Job::SUCCEEDED);
  scheduler_->Hold();
  const std::string waits = Create("identity", 3);
  const v1::CreateJobRequest request = Request("identity", 1);
  EXPECT_EQ(GetServerInfo(*client_)->alarms_size(), 0);

  free_ = 999;
  EXPECT_EQ(CreateUntil(request, Reason::kNoSpace), Reason::kNoSpace);
  const grpc::Status refused = CreateRaw(request);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(RetryAfter(refused), std::chrono::seconds(30));
  const std::string other = cli::AssembleWat("(module)", "other.wat").value();
  EXPECT_EQ(PushModule(*client_, other).status().reason(), Reason::kNoSpace);
  const v1::ServerInfo info = GetServerInfo(*client_).value();
  ASSERT_EQ(info.alarms_size(), 1);
  EXPECT_EQ(info.alarms(0).name(), "disk");
  EXPECT_NE(info.alarms(0).reason().find("[999] bytes free"), std::string::npos);
  EXPECT_GE(info.alarms(0).since().seconds(), info.start_time().seconds());
  EXPECT_NE(info.alarms(0).advice(), "");
  // Reads, cancels and deletions go on.
  v1::ReadResultsRequest read;
  read.set_name(ended);
  int results = 0;
  EXPECT_TRUE(ReadResults(*client_, read, [&results](const v1::ReadResultsResponse& message) {
                results += message.results_size();
                return true;
              }).ok());
  EXPECT_EQ(results, 3);
  EXPECT_TRUE(CancelJob(*client_, waits).ok());
  EXPECT_TRUE(DeleteJob(*client_, ended).ok());
  scheduler_->Release();

  free_ = 1 << 30;
  EXPECT_EQ(CreateUntil(request, Reason::kOk), Reason::kOk);
  EXPECT_EQ(GetServerInfo(*client_)->alarms_size(), 0);
}

TEST_F(DaemonRefusalsTest, ALowDiskAtTheStartIsKnownAtOnce) {
  free_ = 10;
  StartOnDisk();
  EXPECT_EQ(GetServerInfo(*client_)->alarms_size(), 1);
  const std::string wasm = cli::AssembleWat("(module)", "one.wat").value();
  EXPECT_EQ(PushModule(*client_, wasm).status().reason(), Reason::kNoSpace);
}

TEST_F(DaemonRefusalsTest, ADaemonThatDrainsSaysWhenTheNextIsThere) {
  config_.drain_timeout = 600'000'000'000;
  Start();
  scheduler_->Hold();
  const v1::CreateJobRequest request = Request("identity", 1);
  ASSERT_TRUE(CreateJob(*client_, request).ok());
  std::thread draining([this] { daemon_->Drain(); });
  grpc::Status refused;
  for (int tries = 0; tries < 600 && refused.ok(); ++tries) {
    std::this_thread::sleep_for(milliseconds(10));
    refused = CreateRaw(request);
  }
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(RetryAfter(refused), std::chrono::seconds(1));
  scheduler_->Release();
  draining.join();
}

TEST_F(DaemonRefusalsTest, AFullQueueSaysWhenAndAPatientClientGetsThrough) {
  config_.max_jobs = 1;
  Start();
  scheduler_->Hold();
  const std::string first = Create("spin", 1);
  const v1::CreateJobRequest request = Request("identity", 1);
  const grpc::Status refused = CreateRaw(request);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(RetryAfter(refused), std::chrono::seconds(1));
  const Status told = CreateJob(*client_, request).status();
  EXPECT_EQ(told.reason(), Reason::kQueueFull);
  ASSERT_FALSE(told.details().empty());
  EXPECT_EQ(told.details().back(), (Detail{"retry_after", "1"}));

  ClientOptions options;
  options.attempts = 100;
  options.retries_refusals = true;
  auto patient = Client::Connect(daemon_->addresses()[0], options).value();
  Status status;
  std::thread waiting([&] { status = CreateJob(*patient, request).status(); });
  EXPECT_TRUE(CancelJob(*client_, first).ok());
  scheduler_->Release();
  waiting.join();
  EXPECT_TRUE(status.ok()) << status.message();
}

}  // namespace
}  // namespace wb
