// What is counted as it happens: calls, jobs; and what the process knows of itself.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

#include "daemon/metrics/label_text.h"
#include "daemon/metrics/process_facts.h"
#include "daemon/metrics/rpc_metrics.h"
#include "daemon/metrics/store_metrics.h"
#include "daemon/process/log.h"
#include "tests/daemon/metrics/metric_text.h"

namespace wb {
namespace {

using std::chrono::milliseconds;

constexpr const char* kGetJobLabels =
    "{grpc_method=\"GetJob\",grpc_service=\"wasmburst.v1.Jobs\",grpc_type=\"unary\"}";

class CountingTest : public testing::Test {
 protected:
  MetricText Read() const {
    MetricText text = ReadMetricText(registry_->Text());
    EXPECT_EQ(text.errors, std::vector<std::string>());
    return text;
  }
  static std::string Handled(const std::string& code) {
    return "grpc_server_handled_total{grpc_code=\"" + code +
           "\",grpc_method=\"GetJob\",grpc_service=\"wasmburst.v1.Jobs\",grpc_type=\"unary\"}";
  }
  const std::shared_ptr<MetricRegistry> registry_ = std::make_shared<MetricRegistry>();
};

TEST_F(CountingTest, AMethodHasItsSeriesBeforeItsFirstCall) {
  RpcMetrics calls(registry_);
  calls.Know("/wasmburst.v1.Jobs/GetJob", RpcType::kUnary);
  const MetricText text = Read();
  EXPECT_EQ(text.Value(std::string("grpc_server_started_total") + kGetJobLabels), 0);
  EXPECT_EQ(text.Value(std::string("grpc_server_handling_seconds_count") + kGetJobLabels), 0);
  for (const char* code : {"OK", "NotFound", "ResourceExhausted", "Internal", "Canceled"}) {
    EXPECT_EQ(text.Value(Handled(code)), 0) << code;
  }
  EXPECT_EQ(text.Value("wasmburst_stream_clients"), 0);
  EXPECT_EQ(text.Value("wasmburst_queue_rejected_total{reason=\"QUEUE_FULL\"}"), 0);
  EXPECT_EQ(text.Value("wasmburst_queue_rejected_total{reason=\"DRAINING\"}"), 0);
  EXPECT_FALSE(text.Has("wasmburst_queue_rejected_total{reason=\"NOT_FOUND\"}"));
  EXPECT_FALSE(text.Has("wasmburst_queue_rejected_total{reason=\"COMPILE_TIMEOUT\"}"));
}

TEST_F(CountingTest, CallsCountByMethodAndCode) {
  RpcMetrics calls(registry_);
  calls.Know("/wasmburst.v1.Jobs/GetJob", RpcType::kUnary);
  for (int i = 0; i < 3; ++i) calls.Started("/wasmburst.v1.Jobs/GetJob");
  calls.Ended("/wasmburst.v1.Jobs/GetJob", {}, milliseconds(20));
  calls.Ended("/wasmburst.v1.Jobs/GetJob", Status(Reason::kNotFound, "x"), milliseconds(300));
  const MetricText text = Read();
  EXPECT_EQ(text.Value(std::string("grpc_server_started_total") + kGetJobLabels), 3);
  EXPECT_EQ(text.Value(Handled("OK")), 1);
  EXPECT_EQ(text.Value(Handled("NotFound")), 1);
  EXPECT_EQ(text.Value(Handled("Internal")), 0);
  EXPECT_EQ(text.Value(std::string("grpc_server_handling_seconds_count") + kGetJobLabels), 2);
  EXPECT_NEAR(text.Value(std::string("grpc_server_handling_seconds_sum") + kGetJobLabels), 0.32,
              1e-9);
}

TEST_F(CountingTest, MethodsThatClientsInventAreNotCounted) {
  RpcMetrics calls(registry_);
  const size_t before = Read().series.size();
  calls.Started("/wasmburst.v1.Jobs/Nothing");
  calls.Ended("/wasmburst.v1.Jobs/Nothing", Status(Reason::kQueueFull, "x"), milliseconds(1));
  EXPECT_EQ(Read().series.size(), before);
}

TEST_F(CountingTest, StreamsAreClientsWhileTheyAreOpen) {
  RpcMetrics calls(registry_);
  calls.Know("/a.B/Watch", RpcType::kServerStream);
  calls.Know("/a.B/Upload", RpcType::kClientStream);
  calls.Know("/a.B/Talk", RpcType::kBidiStream);
  for (const char* path : {"/a.B/Watch", "/a.B/Watch", "/a.B/Upload", "/a.B/Talk"}) {
    calls.Started(path);
  }
  EXPECT_EQ(Read().Value("wasmburst_stream_clients"), 3);
  calls.Ended("/a.B/Watch", {}, milliseconds(1));
  calls.Ended("/a.B/Upload", {}, milliseconds(1));
  EXPECT_EQ(Read().Value("wasmburst_stream_clients"), 2);
}

TEST_F(CountingTest, RefusalsCountByReason) {
  RpcMetrics calls(registry_);
  calls.Know("/a.B/C", RpcType::kUnary);
  calls.Ended("/a.B/C", Status(Reason::kQueueFull, "x"), milliseconds(1));
  calls.Ended("/a.B/C", Status(Reason::kDraining, "x"), milliseconds(1));
  calls.Ended("/a.B/C", Status(Reason::kDraining, "x"), milliseconds(1));
  calls.Ended("/a.B/C", Status(Reason::kCompileTimeout, "x"), milliseconds(1));
  const MetricText text = Read();
  EXPECT_EQ(text.Value("wasmburst_queue_rejected_total{reason=\"QUEUE_FULL\"}"), 1);
  EXPECT_EQ(text.Value("wasmburst_queue_rejected_total{reason=\"DRAINING\"}"), 2);
  EXPECT_FALSE(text.Has("wasmburst_queue_rejected_total{reason=\"COMPILE_TIMEOUT\"}"));
}

TEST_F(CountingTest, JobsOfConfiguredTenantsHaveSeriesAtOnce) {
  StoreMetrics jobs(registry_, {"ann"}, {"succeeded", "failed"});
  const MetricText text = Read();
  for (const char* tenant : {"ann", "default", "other"}) {
    const std::string label = std::string("tenant=\"") + tenant + "\"}";
    EXPECT_EQ(text.Value("wasmburst_jobs_created_total{" + label), 0) << tenant;
    EXPECT_EQ(text.Value("wasmburst_jobs_finished_total{state=\"failed\"," + label), 0) << tenant;
  }
  EXPECT_EQ(text.Value("wasmburst_instances_finished_total{outcome=\"out_of_fuel\"}"), 0);
  EXPECT_EQ(text.Value("wasmburst_job_queue_seconds_count"), 0);
  EXPECT_EQ(text.Value("wasmburst_storage_commit_failures_total"), 0);
}

TEST_F(CountingTest, JobsAndInstancesCount) {
  StoreMetrics jobs(registry_, {}, {"succeeded"});
  jobs.Created("");
  jobs.Started(milliseconds(40));
  jobs.InstancesEnded(End::kReturned, 7);
  jobs.InstancesEnded(End::kTrapped, 1);
  jobs.InstancesEnded(End::kReturned, 5);
  jobs.Ended("", "succeeded", milliseconds(2000));
  jobs.Committed(milliseconds(3), true);
  jobs.Committed(milliseconds(300), false);
  const MetricText text = Read();
  EXPECT_EQ(text.Value("wasmburst_jobs_created_total{tenant=\"default\"}"), 1);
  EXPECT_EQ(text.Value("wasmburst_jobs_finished_total{state=\"succeeded\",tenant=\"default\"}"), 1);
  EXPECT_EQ(text.Value("wasmburst_instances_finished_total{outcome=\"returned\"}"), 12);
  EXPECT_EQ(text.Value("wasmburst_instances_finished_total{outcome=\"trapped\"}"), 1);
  EXPECT_EQ(text.Value("wasmburst_job_queue_seconds_bucket{le=\"0.03\"}"), 0);
  EXPECT_EQ(text.Value("wasmburst_job_queue_seconds_bucket{le=\"0.1\"}"), 1);
  EXPECT_EQ(text.Value("wasmburst_job_duration_seconds_sum"), 2);
  EXPECT_EQ(text.Value("wasmburst_storage_commit_duration_seconds_count"), 2);
  EXPECT_EQ(text.Value("wasmburst_storage_commit_failures_total"), 1);
}

TEST(TenantLabels, TheFirstFiftyHaveTheirOwn) {
  TenantLabels labels({"configured"});
  for (size_t i = 0; i < kMostTenantLabels - 1; ++i) {
    const std::string tenant = "t" + std::to_string(i);
    EXPECT_EQ(labels.Of(tenant), tenant);
  }
  EXPECT_EQ(labels.Of("one more"), "other");
  EXPECT_EQ(labels.Of("and another"), "other");
  EXPECT_EQ(labels.Of("t0"), "t0");
  EXPECT_EQ(labels.Of("configured"), "configured");
  EXPECT_EQ(labels.Of(""), "default");
  EXPECT_EQ(labels.known().size(), kMostTenantLabels);
}

TEST(TenantLabels, LongNamesShareOne) {
  TenantLabels labels({});
  EXPECT_EQ(labels.Of(std::string(64, 'a')), std::string(64, 'a'));
  EXPECT_EQ(labels.Of(std::string(65, 'a')), "other");
  EXPECT_EQ(labels.known().size(), 1u);
}

TEST_F(CountingTest, ManyTenantsMakeNoMoreSeries) {
  StoreMetrics jobs(registry_, {}, {"succeeded"});
  for (int i = 0; i < 200; ++i) jobs.Created("tenant " + std::to_string(i));
  const MetricText text = Read();
  EXPECT_EQ(text.Value("wasmburst_jobs_created_total{tenant=\"other\"}"), 150);
  size_t count = 0;
  for (const auto& [key, value] : text.series) {
    count += key.starts_with("wasmburst_jobs_created_total") ? 1 : 0;
  }
  EXPECT_EQ(count, kMostTenantLabels + 2);
}

TEST(LabelText, NamesInLowerCaseWithoutBlanks) {
  EXPECT_EQ(LabelText("OUT_OF_FUEL"), "out_of_fuel");
  EXPECT_EQ(LabelText("not responding"), "not_responding");
}

double ProcessValue(Metric metric, const LabelValues& labels = {}) {
  Samples samples;
  AddProcessSamples(&samples);
  for (const Sample& sample : samples) {
    if (sample.metric == metric && sample.labels == labels) return sample.value;
  }
  return -1;
}

TEST(ProcessFacts, LinesOfTheLogCount) {
  const double warnings = ProcessValue(Metric::kLogLines, {"warning"});
  const double errors = ProcessValue(Metric::kLogLines, {"error"});
  Log(LogLevel::kWarning, "a_test", {});
  EXPECT_EQ(ProcessValue(Metric::kLogLines, {"warning"}), warnings + 1);
  EXPECT_EQ(ProcessValue(Metric::kLogLines, {"error"}), errors);
}

TEST(ProcessFacts, TimeAndDescriptors) {
  EXPECT_GT(ProcessValue(Metric::kProcessCpu), 0);
  EXPECT_GT(ProcessValue(Metric::kProcessMaxFds), 10);
#ifdef __linux__
  EXPECT_GT(ProcessValue(Metric::kProcessResident), 1e6);
  const double open_before = ProcessValue(Metric::kProcessOpenFds);
  const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(ProcessValue(Metric::kProcessOpenFds), open_before + 1);
  close(fd);
  const double start = ProcessValue(Metric::kProcessStart);
  const auto now = static_cast<double>(time(nullptr));
  EXPECT_LE(start, now + 1);
  EXPECT_GT(start, now - 24 * 3600);
#endif
}

}  // namespace
}  // namespace wb
