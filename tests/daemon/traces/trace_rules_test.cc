// Ids of traces, which are exported, and what the receiver's answers and the file of headers mean.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "compiler/base/trace_context.h"
#include "daemon/config/traces_endpoint.h"
#include "daemon/traces/export_rules.h"
#include "daemon/traces/trace_collector.h"
#include "daemon/traces/trace_headers.h"

namespace wb {
namespace {

using namespace std::chrono_literals;

TEST(TraceParent, IsTakenWhereItHasTheForm) {
  const auto trace = ParseTraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
  ASSERT_TRUE(trace.has_value());
  EXPECT_EQ(trace->trace_id, "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(trace->parent_span_id, "00f067aa0ba902b7");
  EXPECT_TRUE(trace->sampled);
  EXPECT_FALSE(
      ParseTraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-02")->sampled);
  EXPECT_TRUE(
      ParseTraceParent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more").has_value());
}

TEST(TraceParent, AnythingElseIsNone) {
  for (const char* text : {"", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
                           "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                           "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                           "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                           "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                           "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
                           "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more",
                           "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                           "00-4bf92f3577b34da6a3ce929d0e0e473\n-00f067aa0ba902b7-01"}) {
    EXPECT_FALSE(ParseTraceParent(text).has_value()) << text;
  }
}

TEST(TraceParent, ACallHasASpanOfItsOwnInTheCallersTraceOrInANewOne) {
  const TraceContext call = TraceOfCall("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
  EXPECT_EQ(call.parent_span_id, "00f067aa0ba902b7");
  EXPECT_EQ(call.span_id.size(), 16u);
  const TraceContext job = ChildOf(call);
  EXPECT_EQ(job.trace_id, call.trace_id);
  EXPECT_EQ(job.parent_span_id, call.span_id);
  EXPECT_NE(job.span_id, call.span_id);
  EXPECT_TRUE(job.sampled);
  const TraceContext alone = TraceOfCall("nonsense");
  EXPECT_EQ(alone.trace_id.size(), 32u);
  EXPECT_EQ(alone.parent_span_id, "");
  EXPECT_TRUE(ParseTraceParent(TraceParentOf(alone)).has_value());
}

TEST(TraceSampling, ByThePercentAndByTheCallersWord) {
  int sampled = 0;
  for (int i = 0; i < 2000; ++i) sampled += IsSampled(TraceOfCall(""), 25) ? 1 : 0;
  EXPECT_GT(sampled, 300);
  EXPECT_LT(sampled, 700);
  TraceContext trace = TraceOfCall("");
  EXPECT_TRUE(IsSampled(trace, 100));
  EXPECT_FALSE(IsSampled(trace, 0));
  trace.sampled = true;
  EXPECT_TRUE(IsSampled(trace, 0));
  EXPECT_FALSE(IsSampled({}, 100));
  EXPECT_TRUE(IsTracedMethod("/wasmburst.v1.Jobs/CreateJob"));
  EXPECT_FALSE(IsTracedMethod("/wasmburst.v1.Jobs/AcknowledgeResults"));
  EXPECT_FALSE(IsTracedMethod("/wasmburst.v1.Admin/ListDevices"));
}

TEST(ExportRules, WhatIsTriedAgainAndWhen) {
  EXPECT_EQ(VerdictOf(200), ExportVerdict::kTaken);
  for (const long status : {0L, 429L, 502L, 503L, 504L}) {
    EXPECT_EQ(VerdictOf(status), ExportVerdict::kAgain) << status;
  }
  for (const long status : {301L, 400L, 401L, 404L, 500L}) {
    EXPECT_EQ(VerdictOf(status), ExportVerdict::kRefused) << status;
  }
  EXPECT_EQ(ExportPause(1, 0s), 1s);
  EXPECT_EQ(ExportPause(3, 0s), 4s);
  EXPECT_EQ(ExportPause(100, 0s), 30s);
  EXPECT_EQ(ExportPause(1, 17s), 17s);
  EXPECT_EQ(ExportPause(1, 24h), 5min);
}

TEST(TraceHeaders, LinesOfNamesAndValues) {
  const auto headers = ParseTraceHeaders("# of the lab\n\nx-token:  a b \r\nX-Other: c:d\n", "f");
  ASSERT_TRUE(headers.ok()) << headers.status().message();
  EXPECT_EQ(*headers, (std::vector<std::string>{"x-token: a b", "X-Other: c:d"}));
  for (const char* bad : {"secret", "secret: ", ": secret", "a b: secret", "a: secret\x01"}) {
    const Status status = ParseTraceHeaders(std::string("x: y\n") + bad, "f").status();
    EXPECT_EQ(status.reason(), Reason::kConfigInvalid) << bad;
    EXPECT_NE(status.message().find("line [2]"), std::string::npos) << status.message();
    EXPECT_EQ(status.message().find("secret"), std::string::npos) << status.message();
  }
}

TEST(TraceHeaders, AFileThatOthersMayReadIsRefused) {
  char name[] = "/tmp/wb_headers_XXXXXX";
  close(mkstemp(name));
  std::ofstream(name) << "authorization: Bearer x\n";
  EXPECT_EQ(ReadTraceHeaders(name).value().size(), 1u);
  chmod(name, 0640);
  EXPECT_NE(ReadTraceHeaders(name).status().message().find("chmod 600"), std::string::npos);
  std::filesystem::remove(name);
  EXPECT_EQ(ReadTraceHeaders(name).status().reason(), Reason::kConfigInvalid);
  EXPECT_TRUE(ReadTraceHeaders("").value().empty());
}

TEST(TracesEndpoint, IsAnAddressOfHttp) {
  EXPECT_TRUE(CheckTracesEndpoint("http://127.0.0.1:4318").ok());
  EXPECT_TRUE(CheckTracesEndpoint("https://collector.example/otlp/").ok());
  for (const char* bad : {"127.0.0.1:4318", "ftp://a", "http://", "http:///x", "http://:4318",
                          "http://name:word@host", "http://a b", "http://a?b", "http://a\nb"}) {
    EXPECT_EQ(CheckTracesEndpoint(bad).reason(), Reason::kConfigInvalid) << bad;
  }
}

}  // namespace
}  // namespace wb
