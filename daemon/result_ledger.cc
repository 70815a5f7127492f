#include "daemon/result_ledger.h"

#include <algorithm>

#include "compiler/base/check.h"

namespace wb {
namespace {

uint64_t Less(uint64_t from, uint64_t what) { return from - std::min(from, what); }

}  // namespace

void ResultLedger::Add(const std::string& tenant, uint64_t bytes) {
  tenants_[tenant].active += bytes;
  active_ += bytes;
  bytes_ += bytes;
}

void ResultLedger::Remove(const std::string& tenant, uint64_t bytes) {
  Holding& holding = tenants_[tenant];
  WB_CHECK(holding.active >= bytes);
  holding.active -= bytes;
  active_ -= bytes;
  bytes_ -= bytes;
  Forget(tenant);
}

void ResultLedger::End(const std::string& tenant, uint64_t bytes) {
  Holding& holding = tenants_[tenant];
  WB_CHECK(holding.active >= bytes);
  holding.active -= bytes;
  holding.ended += bytes;
  active_ -= bytes;
  Forget(tenant);
}

void ResultLedger::RemoveEnded(const std::string& tenant, uint64_t bytes) {
  Holding& holding = tenants_[tenant];
  WB_CHECK(holding.ended >= bytes);
  holding.ended -= bytes;
  bytes_ -= bytes;
  Forget(tenant);
}

void ResultLedger::Forget(const std::string& tenant) {
  auto at = tenants_.find(tenant);
  if (at != tenants_.end() && at->second.active == 0 && at->second.ended == 0) tenants_.erase(at);
}

uint64_t ResultLedger::active_of(const std::string& tenant) const {
  auto at = tenants_.find(tenant);
  return at == tenants_.end() ? 0 : at->second.active;
}

uint64_t ResultLedger::FreeOfReserve(uint64_t tenant_active, uint64_t job_bytes) const {
  const uint64_t small_job = limits_.max_bytes / 64;
  const uint64_t of_half = std::min(Less(limits_.TenantBytes() + Reserve() / 4, tenant_active),
                                    Less(limits_.max_bytes - Reserve() / 2, active_));
  const uint64_t rest = Less(limits_.max_bytes, active_);
  const uint64_t of_rest = std::min(rest / 8, Less(rest / 4, tenant_active));
  return std::min(Less(small_job, job_bytes), std::max(of_half, of_rest));
}

uint64_t ResultLedger::Free(const std::string& tenant, uint64_t job_bytes) const {
  const uint64_t tenant_active = active_of(tenant);
  const uint64_t shared = std::min(Less(limits_.TenantBytes(), tenant_active),
                                   Less(limits_.max_bytes - Reserve(), active_));
  return std::min(Less(limits_.max_job_bytes, job_bytes),
                  std::max(shared, FreeOfReserve(tenant_active, job_bytes)));
}

ResultBound ResultLedger::Tightest(const std::string& tenant, uint64_t job_bytes) const {
  const uint64_t of_job = Less(limits_.max_job_bytes, job_bytes);
  const uint64_t of_tenant = Less(limits_.TenantBytes(), active_of(tenant));
  const uint64_t of_all = Less(limits_.max_bytes - Reserve(), active_);
  if (of_job <= of_tenant && of_job <= of_all) return ResultBound::kJob;
  return of_tenant <= of_all ? ResultBound::kTenant : ResultBound::kAll;
}

bool ResultLedger::IsTenantOver(const std::string& tenant) const {
  auto at = tenants_.find(tenant);
  return at != tenants_.end() && at->second.ended > 0 &&
         at->second.active + at->second.ended > limits_.TenantBytes();
}

std::optional<std::string> ResultLedger::MostEnded() const {
  std::optional<std::string> most;
  uint64_t bytes = 0;
  for (const auto& [tenant, holding] : tenants_) {
    if (holding.ended <= bytes) continue;
    bytes = holding.ended;
    most = tenant;
  }
  return most;
}

}  // namespace wb
