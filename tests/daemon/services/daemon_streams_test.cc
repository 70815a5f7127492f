// Results and changes as streams: resumed, quiet, slow, abandoned.

#include "client/services/jobs.h"
#include "tests/daemon/services/daemon_fixture.h"

#include <vector>

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

TEST_F(DaemonTest, RunsAJobOverBothListeners) {
  Start();
  for (size_t listener : {0u, 1u}) {
    client_ = NewClient(listener);
    std::string name = Create("identity", 100);
    std::vector<uint64_t> instances;
    v1::ReadResultsRequest request;
    request.set_name(name);
    request.set_follow(true);
    v1::Job ended;
    Status status = ReadResults(*client_, request, [&](const v1::ReadResultsResponse& part) {
      for (const v1::InstanceResult& result : part.results()) {
        instances.push_back(result.instance());
        EXPECT_EQ(result.steps(0).values(0).i32(), static_cast<int>(result.instance()));
      }
      if (part.has_job()) ended = part.job();
      return true;
    });
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_EQ(instances.size(), 100u);
    for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(instances[i], i);
    EXPECT_EQ(ended.state(), v1::Job::SUCCEEDED);
    EXPECT_EQ(ended.counts().returned(), 100u);
    EXPECT_EQ(ended.usage().fuel(), 300u);
  }
}

TEST_F(DaemonTest, ResumesAtEveryMessageBoundary) {
  Start();
  std::string name = Create("identity", 600);
  WaitForEnd(name);
  std::vector<std::string> cursors = {""};
  std::vector<uint64_t> whole;
  v1::ReadResultsRequest request;
  request.set_name(name);
  ASSERT_TRUE(ReadResults(*client_, request, [&](const v1::ReadResultsResponse& part) {
                for (const auto& result : part.results()) {
                  whole.push_back(result.instance());
                }
                cursors.push_back(part.cursor());
                return true;
              }).ok());
  ASSERT_EQ(whole.size(), 600u);
  ASSERT_GT(cursors.size(), 10u);
  size_t seen = 0;
  for (size_t cut = 0; cut < cursors.size(); ++cut) {
    // One message after each cursor must be the one that came after it before.
    request.set_cursor(cursors[cut]);
    size_t count = 0;
    bool ended = false;
    EXPECT_TRUE(ReadResults(*client_, request, [&](const v1::ReadResultsResponse& part) {
                  for (const auto& result : part.results()) {
                    EXPECT_EQ(result.instance(), whole[seen + count]);
                    ++count;
                  }
                  ended = part.has_job();
                  return false;
                }).ok());
    seen += count;
    EXPECT_TRUE(ended || cut + 1 < cursors.size());
  }
  EXPECT_EQ(seen, 600u);
}

TEST_F(DaemonTest, AQuietStreamHasAHeartbeat) {
  Start();
  std::string name = Create("spin", 3);
  v1::ReadResultsRequest results;
  results.set_name(name);
  results.set_follow(true);
  bool heartbeat = false;
  EXPECT_TRUE(ReadResults(*client_, results, [&](const v1::ReadResultsResponse& part) {
                heartbeat = heartbeat || part.heartbeat();
                return !heartbeat;
              }).ok());
  v1::WatchJobRequest watch;
  watch.set_name(name);
  bool beat = false;
  EXPECT_TRUE(WatchJob(*client_, watch, [&](const v1::JobEvent& event) {
                beat = beat || event.heartbeat();
                return !beat;
              }).ok());
  EXPECT_TRUE(heartbeat && beat);
  EXPECT_TRUE(CancelJob(*client_, name).ok());
}

TEST_F(DaemonTest, AVanishedReaderHurtsNobody) {
  Start();
  scheduler_->Hold();
  std::string name = Create("bytes", 300);
  for (int i = 0; i < 20; ++i) {
    auto gone = NewClient(static_cast<size_t>(i % 2));
    v1::ReadResultsRequest request;
    request.set_name(name);
    request.set_follow(true);
    // It stops at its first heartbeat, and the channel goes with it.
    EXPECT_TRUE(
        ReadResults(*gone, request, [](const v1::ReadResultsResponse&) { return false; }).ok());
  }
  scheduler_->Release();
  EXPECT_EQ(WaitForEnd(name).counts().returned(), 300u);
}

TEST_F(DaemonTest, AJobWaitsForASlowReaderAndGoesOn) {
  config_.max_job_results_bytes = 200'000;
  Start();
  std::string name = Create("bytes", 2000);  // 2 MB of outputs
  v1::ReadResultsRequest request;
  request.set_name(name);
  request.set_follow(true);
  uint64_t next = 0;
  Status status = ReadResults(*client_, request, [&](const v1::ReadResultsResponse& part) {
    for (const v1::InstanceResult& result : part.results()) {
      EXPECT_EQ(result.instance(), next++);
      EXPECT_EQ(result.outputs(0).data().size(), result.instance());
    }
    return true;
  });
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(next, 2000u);
  EXPECT_EQ(
      ReadResults(*client_, request, [](const v1::ReadResultsResponse&) { return true; }).reason(),
      Reason::kCursorExpired);
}
}  // namespace
}  // namespace wb
