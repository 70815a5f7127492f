#include "daemon/cluster/shared_room.h"

#include <algorithm>

namespace wb {

void SharedRoom::Add(const JobHolding& job) {
  ledger_.AddKept(job.tenant, job.bytes);
  Claimed(job, job.claimed);
}

void SharedRoom::AddSpare(const std::string& tenant, uint64_t bytes) {
  if (bytes == 0) return;
  ledger_.AddSpare(tenant, bytes);
  spare_[tenant] += bytes;
}

void SharedRoom::Claimed(const JobHolding& job, uint64_t instances) {
  const uint64_t each = EachOf(job);
  const uint64_t most = limits_.max_bytes / std::max<uint64_t>(each, 1);
  ledger_.Promise(job.tenant, {std::min(instances, most) * each, 0});
}

uint64_t SharedRoom::EachOf(const JobHolding& job) const {
  const uint64_t each = job.results > 0 ? job.bytes / job.results : job.most_each;
  return std::min(each, limits_.max_job_bytes);
}

uint64_t SharedRoom::BytesOf(const JobHolding& job) const {
  const uint64_t each = std::max<uint64_t>(EachOf(job), 1);
  return job.bytes + std::min(job.claimed, limits_.max_job_bytes / each + 1) * each;
}

uint64_t SharedRoom::Of(const JobHolding& job, uint32_t group) const {
  const uint64_t each = std::max<uint64_t>(EachOf(job), 1);
  const uint64_t room = ledger_.Free(job.tenant, BytesOf(job)) / each;
  const bool has_none =
      job.results == 0 && job.claimed == 0 && ledger_.Free(job.tenant, 0) >= limits_.max_job_bytes;
  return has_none ? std::max<uint64_t>(room, std::max(group, 1u)) : room;
}

ResultBound SharedRoom::Tightest(const JobHolding& job) const {
  return ledger_.Tightest(job.tenant, BytesOf(job));
}

std::optional<std::string> SharedRoom::MustGive() const {
  for (const auto& [tenant, bytes] : spare_) {
    if (ledger_.IsTenantOver(tenant)) return tenant;
  }
  return ledger_.IsOver() ? ledger_.MostSpare() : std::nullopt;
}

// A job may hold more than it did when it was added.
void SharedRoom::Gave(const std::string& tenant, uint64_t bytes) {
  const uint64_t there = std::min(bytes, spare_[tenant]);
  spare_[tenant] -= there;
  ledger_.RemoveSpare(tenant, there);
}

void SharedRoom::MustStay(const std::string& tenant, uint64_t bytes) {
  Gave(tenant, bytes);
  ledger_.AddKept(tenant, bytes);
}

uint64_t PartOf(uint64_t room, uint32_t hosts, uint32_t group) {
  return std::max(room / std::max(hosts, 1u), std::min<uint64_t>(room, group));
}

}  // namespace wb
