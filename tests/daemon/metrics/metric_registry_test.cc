#include "daemon/metrics/metric_registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

#include "tests/daemon/metrics/metric_text.h"

namespace wb {
namespace {

std::string TypeWord(MetricKind kind) {
  if (kind == MetricKind::kCounter) return "counter";
  return kind == MetricKind::kGauge ? "gauge" : "histogram";
}

MetricText TextOf(const MetricRegistry& registry) {
  MetricText text = ReadMetricText(registry.Text());
  EXPECT_EQ(text.errors, std::vector<std::string>());
  return text;
}

TEST(MetricRegistry, EveryRowOfTheTableIsDescribedInItsOrder) {
  const MetricText text = TextOf(MetricRegistry());
  ASSERT_EQ(text.names.size(), MetricTable().size());
  for (size_t i = 0; i < text.names.size(); ++i) {
    const MetricInfo& info = MetricTable()[i];
    EXPECT_EQ(text.names[i], info.name);
    EXPECT_EQ(text.types.at(info.name), TypeWord(info.kind)) << info.name;
  }
  EXPECT_TRUE(text.series.empty());
}

// promtool's rules, and ours.
TEST(MetricRegistry, NamesAreAsPrometheusWantsThem) {
  std::set<std::string> names;
  for (const MetricInfo& info : MetricTable()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    const bool known = info.name.starts_with("wasmburst_") ||
                       info.name.starts_with("grpc_server_") || info.name.starts_with("process_");
    EXPECT_TRUE(known) << info.name;
    EXPECT_EQ(info.name.ends_with("_total"), info.kind == MetricKind::kCounter) << info.name;
    if (!BucketsOf(info.kind).empty()) {
      EXPECT_TRUE(info.name.ends_with("_seconds")) << info.name;
    }
    EXPECT_TRUE(info.help.ends_with(".")) << info.name;
    for (const std::string& label : info.labels) {
      EXPECT_FALSE(label.empty() || label == "job" || label == "instance" || label == "le")
          << info.name;
    }
  }
}

TEST(MetricRegistry, CountersAndGaugesAdd) {
  MetricRegistry registry;
  registry.Add(Metric::kJobsCreated, {"ann"}, 0);
  registry.Add(Metric::kJobsCreated, {"bob"}, 2);
  registry.Add(Metric::kJobsCreated, {"bob"}, 3);
  registry.Add(Metric::kStreamClients, {}, 2);
  registry.Add(Metric::kStreamClients, {}, -1);
  const MetricText text = TextOf(registry);
  EXPECT_EQ(text.series,
            (std::map<std::string, double>{{"wasmburst_jobs_created_total{tenant=\"ann\"}", 0},
                                           {"wasmburst_jobs_created_total{tenant=\"bob\"}", 5},
                                           {"wasmburst_stream_clients", 1}}));
}

TEST(MetricRegistry, LabelsMayHoldAnything) {
  MetricRegistry registry;
  registry.Add(Metric::kJobsCreated, {"a\"b\\c\nd} 1 \xc3\xa4"}, 1);
  const MetricText text = TextOf(registry);
  ASSERT_EQ(text.series.size(), 1u);
  EXPECT_EQ(text.series.begin()->first,
            "wasmburst_jobs_created_total{tenant=\"a\\\"b\\\\c\\nd} 1 \xc3\xa4\"}");
}

TEST(MetricRegistry, HistogramsCountUpToTheirBounds) {
  MetricRegistry registry;
  for (const double time : {0.001, 0.0011, 0.2, 60.0}) {
    registry.Observe(Metric::kCommitTimes, {}, time);
  }
  const MetricText text = TextOf(registry);
  const std::string name = "wasmburst_storage_commit_duration_seconds";
  const auto bucket = [&](const std::string& bound) {
    return text.Value(name + "_bucket{le=\"" + bound + "\"}");
  };
  EXPECT_EQ(bucket("0.0005"), 0);
  EXPECT_EQ(bucket("0.001"), 1);  // a bound belongs to its bucket
  EXPECT_EQ(bucket("0.0025"), 2);
  EXPECT_EQ(bucket("0.1"), 2);
  EXPECT_EQ(bucket("0.25"), 3);
  EXPECT_EQ(bucket("10"), 3);
  EXPECT_EQ(bucket("+Inf"), 4);
  EXPECT_EQ(text.Value(name + "_count"), 4);
  EXPECT_NEAR(text.Value(name + "_sum"), 60.2021, 1e-9);
  EXPECT_EQ(text.series.size(), BucketsOf(MetricKind::kShortTimes).size() + 3);
}

TEST(MetricRegistry, BoundsRise) {
  for (const MetricKind kind : {MetricKind::kShortTimes, MetricKind::kLongTimes}) {
    const std::vector<double> bounds = BucketsOf(kind);
    EXPECT_GT(bounds.size(), 5u);
    EXPECT_TRUE(std::is_sorted(bounds.begin(), bounds.end()));
    EXPECT_EQ(std::adjacent_find(bounds.begin(), bounds.end()), bounds.end());
  }
}

TEST(MetricRegistry, AnExpectedHistogramIsThereAtZero) {
  MetricRegistry registry;
  registry.Expect(Metric::kJobQueue, {});
  registry.Expect(Metric::kJobQueue, {});
  const MetricText text = TextOf(registry);
  EXPECT_EQ(text.Value("wasmburst_job_queue_seconds_count"), 0);
  EXPECT_EQ(text.Value("wasmburst_job_queue_seconds_bucket{le=\"86400\"}"), 0);
}

TEST(MetricRegistry, SourcesAreAskedEveryTime) {
  MetricRegistry registry;
  double fuel = 1;
  registry.AddSource([&fuel](Samples* samples) {
    samples->push_back({Metric::kDeviceFuel, {"cpu0"}, fuel});
    samples->push_back({Metric::kDeviceState, {"cpu0", "idle"}, 1});
  });
  EXPECT_EQ(TextOf(registry).Value("wasmburst_device_fuel_total{device=\"cpu0\"}"), 1);
  fuel = 4611686018427387904;  // more than fits into the digits of a double's text by default
  const MetricText text = TextOf(registry);
  EXPECT_EQ(text.Value("wasmburst_device_fuel_total{device=\"cpu0\"}"), 4611686018427387904);
  EXPECT_EQ(text.Value("wasmburst_device_state{device=\"cpu0\",state=\"idle\"}"), 1);
}

TEST(MetricRegistry, ThreadsCountWhileOthersRead) {
  MetricRegistry registry;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&registry, i] {
      for (int n = 0; n < 1000; ++n) {
        registry.Add(Metric::kJobsCreated, {std::to_string(i % 2)}, 1);
        registry.Observe(Metric::kJobDuration, {}, 1);
        if (n % 100 == 0) (void)registry.Text();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const MetricText text = TextOf(registry);
  EXPECT_EQ(text.Value("wasmburst_jobs_created_total{tenant=\"0\"}"), 2000);
  EXPECT_EQ(text.Value("wasmburst_job_duration_seconds_count"), 4000);
}

}  // namespace
}  // namespace wb
