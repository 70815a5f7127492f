// The spans of a job, and spans as JSON.

#include "daemon/traces/job_spans.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "daemon/traces/otlp_json.h"

namespace wb {
namespace {

using namespace std::chrono_literals;

class JobSpansTest : public testing::Test {
 protected:
  static JobSpans::Origin Origin() {
    JobSpans::Origin origin;
    origin.job = "01JOB";
    origin.module = "abcd";
    origin.instances = 9;
    origin.trace = {"4bf92f3577b34da6a3ce929d0e0e4736", "1111111111111111", "2222222222222222",
                    true};
    origin.create_unix_ns = 1000;
    return origin;
  }
  bool Run(int64_t now, bool has_room = true) {
    BurstRecord burst;
    burst.device = "cpu0";
    burst.number = 7;
    burst.since_start = 300ns;
    burst.duration = 200ns;
    BurstShare share;
    share.fuel = 55;
    share.build = KernelBuild::kFull;
    return job_.Ran(burst, share, now, has_room);
  }
  // By name; the last of that name.
  std::map<std::string, Span> Spans() const {
    std::map<std::string, Span> spans;
    for (const Span& span : job_.Spans()) spans[span.name] = span;
    return spans;
  }
  static SpanAttribute Of(const Span& span, const std::string& key) {
    for (const SpanAttribute& attribute : span.attributes) {
      if (attribute.key == key) return attribute;
    }
    return {key, std::string("none")};
  }

  JobSpans job_{Origin()};
};

TEST_F(JobSpansTest, EachPartIsASpanBelowTheWholeJob) {
  job_.Reached(JobPhase::kQueued, 1100);
  job_.Reached(JobPhase::kCompiling, 1500);
  job_.Reached(JobPhase::kRunning, 1700);
  BuildRecord build;
  build.build = KernelBuild::kQuick;
  build.time = 150ns;
  job_.Built(build, 1700);
  job_.Stored(4, 1900);
  job_.Stored(5, 2050);
  EXPECT_TRUE(job_.Spans().empty()) << "it has not ended";
  JobUsage usage;
  usage.fuel = 77;
  job_.End({}, false, usage, 2100);
  EXPECT_TRUE(Run(2150));  // the burst ends after the job
  const auto spans = Spans();
  ASSERT_EQ(spans.size(), 5u);
  const Span& whole = spans.at("job");
  EXPECT_EQ(whole.span_id, "1111111111111111");
  EXPECT_EQ(whole.parent_span_id, "2222222222222222");
  EXPECT_EQ(whole.start_unix_ns, 1000);
  EXPECT_EQ(whole.end_unix_ns, 2100);
  EXPECT_EQ(std::get<int64_t>(Of(whole, "wasmburst.fuel").value), 77);
  EXPECT_EQ(std::get<int64_t>(Of(whole, "wasmburst.bursts").value), 1);
  EXPECT_EQ(spans.at("queue").end_unix_ns, 1500);
  EXPECT_EQ(spans.at("compile").start_unix_ns, 1550);
  EXPECT_EQ(std::get<std::string>(Of(spans.at("compile"), "wasmburst.build").value), "quick");
  EXPECT_EQ(spans.at("burst").start_unix_ns, 1850);
  EXPECT_EQ(spans.at("burst").end_unix_ns, 2050);
  EXPECT_EQ(std::get<int64_t>(Of(spans.at("burst"), "wasmburst.fuel").value), 55);
  EXPECT_EQ(spans.at("store results").start_unix_ns, 1900);
  EXPECT_EQ(std::get<int64_t>(Of(spans.at("store results"), "wasmburst.results").value), 9);
  for (const auto& [name, span] : spans) {
    EXPECT_EQ(span.trace_id, whole.trace_id);
    EXPECT_EQ(span.parent_span_id, name == "job" ? "2222222222222222" : whole.span_id) << name;
  }
}

TEST_F(JobSpansTest, BurstsBeyondTheBoundAreCountedAlone) {
  for (size_t i = 0; i < JobSpans::kMostBursts; ++i) EXPECT_TRUE(Run(2000));
  EXPECT_FALSE(Run(2000));
  EXPECT_FALSE(Run(2000, false));
  job_.End({}, false, {}, 3000);
  EXPECT_EQ(job_.bursts(), JobSpans::kMostBursts);
  const Span whole = Spans().at("job");
  EXPECT_EQ(std::get<int64_t>(Of(whole, "wasmburst.bursts").value), 130);
  EXPECT_EQ(std::get<int64_t>(Of(whole, "wasmburst.bursts_left_out").value), 2);
}

TEST_F(JobSpansTest, AFailureIsToldByItsReasonAlone) {
  job_.End(Status(Reason::kCompileFailed, "names of somebody"), false, {}, 3000);
  EXPECT_EQ(Spans().at("job").error, "COMPILE_FAILED");
  EXPECT_EQ(Spans().at("queue").end_unix_ns, 3000) << "it waited to its end";
}

TEST(OtlpJson, IsWhatTheProtocolAsksFor) {
  Span span;
  span.trace_id = "4bf92f3577b34da6a3ce929d0e0e4736";
  span.span_id = "1111111111111111";
  span.name = "job \xff";
  span.kind = SpanKind::kServer;
  span.start_unix_ns = 1'800'000'000'123'456'789;
  span.end_unix_ns = 1'800'000'000'223'456'789;
  span.attributes = {{"a", std::string("text")}, {"b", int64_t{1} << 62}, {"c", 0.5}, {"d", true}};
  const auto json = nlohmann::json::parse(OtlpJson({"1.2", "host"}, {span, span}));
  const auto& from = json["resourceSpans"][0];
  EXPECT_EQ(from["resource"]["attributes"][0]["key"], "service.name");
  EXPECT_EQ(from["resource"]["attributes"][0]["value"]["stringValue"], "wasmburstd");
  EXPECT_EQ(from["resource"]["attributes"][2]["value"]["stringValue"], "host");
  EXPECT_EQ(from["scopeSpans"][0]["scope"]["version"], "1.2");
  ASSERT_EQ(from["scopeSpans"][0]["spans"].size(), 2u);
  const auto& shown = from["scopeSpans"][0]["spans"][0];
  EXPECT_EQ(shown["traceId"], span.trace_id);
  EXPECT_EQ(shown["kind"], 2);
  EXPECT_EQ(shown["startTimeUnixNano"], "1800000000123456789");
  EXPECT_EQ(shown["attributes"][1]["value"]["intValue"], "4611686018427387904");
  EXPECT_EQ(shown["attributes"][2]["value"]["doubleValue"], 0.5);
  EXPECT_EQ(shown["attributes"][3]["value"]["boolValue"], true);
  EXPECT_FALSE(shown.contains("parentSpanId"));
  EXPECT_FALSE(shown.contains("status"));
  span.error = "COMPILE_FAILED";
  span.parent_span_id = "2222222222222222";
  const auto failed = nlohmann::json::parse(OtlpJson({}, {span}));
  const auto& other = failed["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
  EXPECT_EQ(other["status"]["code"], 2);
  EXPECT_EQ(other["status"]["message"], "COMPILE_FAILED");
  EXPECT_EQ(other["parentSpanId"], "2222222222222222");
}

}  // namespace
}  // namespace wb
