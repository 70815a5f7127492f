#include "daemon/metrics/store_metrics.h"

#include <utility>

#include "daemon/metrics/label_text.h"

namespace wb {

StoreMetrics::StoreMetrics(std::shared_ptr<MetricRegistry> metrics,
                           const std::vector<std::string>& tenants,
                           const std::vector<std::string>& end_states)
    : metrics_(std::move(metrics)), tenants_(tenants) {
  std::vector<std::string> named = tenants_.known();
  named.push_back(kNoTenant);
  named.push_back(kOtherTenants);
  for (const std::string& tenant : named) {
    metrics_->Add(Metric::kJobsCreated, {tenant}, 0);
    for (const std::string& state : end_states) {
      metrics_->Add(Metric::kJobsFinished, {tenant, state}, 0);
    }
  }
  for (uint32_t end = 0; end < kEnds; ++end) InstancesEnded(static_cast<End>(end), 0);
  metrics_->Expect(Metric::kJobQueue, {});
  metrics_->Expect(Metric::kJobDuration, {});
  metrics_->Expect(Metric::kCommitTimes, {});
  metrics_->Add(Metric::kCommitFailures, {}, 0);
}

void StoreMetrics::Created(const std::string& tenant) {
  metrics_->Add(Metric::kJobsCreated, {tenants_.Of(tenant)}, 1);
}

void StoreMetrics::Started(std::chrono::nanoseconds after) {
  metrics_->Observe(Metric::kJobQueue, {}, SecondsOf(after));
}

void StoreMetrics::Ended(const std::string& tenant, std::string_view state,
                         std::chrono::nanoseconds after) {
  metrics_->Add(Metric::kJobsFinished, {tenants_.Of(tenant), std::string(state)}, 1);
  metrics_->Observe(Metric::kJobDuration, {}, SecondsOf(after));
}

void StoreMetrics::InstancesEnded(End end, uint64_t count) {
  metrics_->Add(Metric::kInstancesFinished, {LabelText(EndName(end))}, static_cast<double>(count));
}

void StoreMetrics::Committed(std::chrono::nanoseconds took, bool ok) {
  metrics_->Observe(Metric::kCommitTimes, {}, SecondsOf(took));
  if (!ok) metrics_->Add(Metric::kCommitFailures, {}, 1);
}

}  // namespace wb
