// A daemon whose spans go to a receiver: what is in them, and that a restart goes on with a trace.

#include <algorithm>

#include "client/services/jobs.h"
#include "tests/daemon/services/caller_fixture.h"
#include "tests/daemon/traces/span_receiver.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;
using nlohmann::json;

constexpr const char* kTraceId = "4bf92f3577b34da6a3ce929d0e0e4736";
constexpr const char* kTraceParent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

class TracedDaemonTest : public DaemonTest {
 protected:
  void SetUp() override {
    DaemonTest::SetUp();
    config_.traces_endpoint = receiver_.endpoint();
    config_.traces_sample_percent = 0;  // only those that a test asks for
    config_.burst_max_duration = 1'000'000;
  }
  void TearDown() override { DaemonTest::TearDown(); }
  void Begin() {
    Start();
    ClientOptions options;
    options.traceparent = kTraceParent;
    traced_ = Client::Connect(daemon_->addresses()[0], options).value();
  }
  void End() {
    traced_.reset();
    client_.reset();
    daemon_.reset();
  }
  static const json& Named(const std::vector<json>& spans, const std::string& name) {
    static const json kNone;
    const auto at = std::find_if(spans.begin(), spans.end(),
                                 [&name](const json& span) { return span["name"] == name; });
    return at == spans.end() ? kNone : *at;
  }

  SpanReceiver receiver_;
  std::unique_ptr<Client> traced_;
};

TEST_F(TracedDaemonTest, ACallAndItsJobAreInTheCallersTrace) {
  Begin();
  scheduler_->Hold();
  const v1::Job job = CreateJob(*traced_, Request("identity", 20)).value();
  EXPECT_EQ(job.trace().trace_id(), kTraceId);
  BuildRecord build;
  build.job_name = job.name().substr(5);
  build.build = KernelBuild::kFull;
  observers_->OnBuild(build);
  BurstRecord burst;
  burst.device = "fake0";
  burst.shares.resize(2);
  burst.shares[0].name = "01OTHER";
  burst.shares[0].tenant = "bert";
  burst.shares[1].name = job.name().substr(5);
  observers_->OnBurst(burst);
  scheduler_->Release();
  WaitForEnd(job.name());
  const std::vector<json> spans = receiver_.AwaitSpan("job");
  const json& whole = Named(spans, "job");
  EXPECT_EQ(whole["traceId"], kTraceId);
  EXPECT_EQ(whole["spanId"], job.trace().span_id());
  const json& call = Named(spans, "wasmburst.v1.Jobs/CreateJob");
  ASSERT_FALSE(call.is_null());
  EXPECT_EQ(call["parentSpanId"], "00f067aa0ba902b7");
  EXPECT_EQ(call["kind"], 2);
  EXPECT_EQ(whole["parentSpanId"], call["spanId"]);
  for (const char* name : {"queue", "compile", "burst", "store results"}) {
    EXPECT_EQ(Named(spans, name)["parentSpanId"], whole["spanId"]) << name;
  }
  for (const json& span : spans) {
    EXPECT_EQ(span.dump().find("OTHER"), std::string::npos);
    EXPECT_EQ(span.dump().find("bert"), std::string::npos);
  }
}

TEST_F(TracedDaemonTest, WhatIsNotSampledStaysHereAndHasItsIdAllTheSame) {
  Begin();
  const std::string name = Create("identity", 5);
  WaitForEnd(name);
  const v1::Job job = GetJob(*client_, name).value();
  EXPECT_EQ(job.trace().trace_id().size(), 32u);
  EXPECT_FALSE(job.trace().sampled());
  const v1::Job traced = CreateJob(*traced_, Request("identity", 5)).value();
  WaitForEnd(traced.name());
  for (const json& span : receiver_.AwaitSpan("job")) {
    EXPECT_EQ(span["traceId"], kTraceId) << span.dump();
  }
}

TEST_F(TracedDaemonTest, WhatARequestSaysOfItsTraceIsNotBelieved) {
  Begin();
  v1::CreateJobRequest request = Request("identity", 5);
  request.mutable_job()->mutable_trace()->set_trace_id("0af7651916cd43dd8448eb211c80319c");
  const v1::Job job = CreateJob(*traced_, request).value();
  EXPECT_EQ(job.trace().trace_id(), kTraceId);
}

TEST_F(TracedDaemonTest, ARestartGoesOnWithTheTrace) {
  state_directory_ = folder_ + "/state";
  Begin();
  scheduler_->Hold();
  const v1::Job job = CreateJob(*traced_, Request("identity", 20)).value();
  End();
  scheduler_ = std::make_unique<FakeScheduler>();
  Begin();
  const v1::Job again = WaitForEnd(job.name());
  EXPECT_EQ(again.state(), v1::Job::SUCCEEDED);
  EXPECT_EQ(again.trace().SerializeAsString(), job.trace().SerializeAsString());
  const json whole = Named(receiver_.AwaitSpan("job"), "job");
  EXPECT_EQ(whole["spanId"], job.trace().span_id());
  EXPECT_EQ(whole["traceId"], kTraceId);
}

TEST_F(TracedDaemonTest, AHeadersFileThatOthersMayReadKeepsTheDaemonFromStarting) {
  config_.traces_headers_file = "/etc/passwd";
  DaemonParts parts;
  parts.scheduler = scheduler_.get();
  const auto daemon = Daemon::Start(config_, parts);
  ASSERT_FALSE(daemon.ok());
  EXPECT_NE(daemon.status().message().find("[/etc/passwd]"), std::string::npos);
}

}  // namespace
}  // namespace wb
