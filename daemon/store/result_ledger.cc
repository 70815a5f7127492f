#include "daemon/store/result_ledger.h"

#include <algorithm>

#include "compiler/base/check.h"

namespace wb {
namespace {

uint64_t Less(uint64_t from, uint64_t what) { return from - std::min(from, what); }

}  // namespace

void ResultLedger::AddKept(const std::string& tenant, uint64_t bytes) {
  tenants_[tenant].kept += bytes;
  taken_ += bytes;
  bytes_ += bytes;
}

void ResultLedger::RemoveKept(const std::string& tenant, uint64_t bytes) {
  Holding& holding = tenants_[tenant];
  WB_CHECK(holding.kept >= bytes);
  holding.kept -= bytes;
  taken_ -= bytes;
  bytes_ -= bytes;
  Forget(tenant);
}

void ResultLedger::AddSpare(const std::string& tenant, uint64_t bytes) {
  tenants_[tenant].spare += bytes;
  bytes_ += bytes;
}

void ResultLedger::RemoveSpare(const std::string& tenant, uint64_t bytes) {
  Holding& holding = tenants_[tenant];
  WB_CHECK(holding.spare >= bytes);
  holding.spare -= bytes;
  bytes_ -= bytes;
  Forget(tenant);
}

void ResultLedger::Promise(const std::string& tenant, const PromisedBytes& promised) {
  Holding& holding = tenants_[tenant];
  holding.promised.expected += promised.expected;
  holding.promised.excess += promised.excess;
  taken_ += promised.expected;
  excess_ += promised.excess;
}

void ResultLedger::Withdraw(const std::string& tenant, const PromisedBytes& promised) {
  Holding& holding = tenants_[tenant];
  WB_CHECK(holding.promised.expected >= promised.expected);
  WB_CHECK(holding.promised.excess >= promised.excess);
  holding.promised.expected -= promised.expected;
  holding.promised.excess -= promised.excess;
  taken_ -= promised.expected;
  excess_ -= promised.excess;
  Forget(tenant);
}

void ResultLedger::Forget(const std::string& tenant) {
  const auto at = tenants_.find(tenant);
  if (at == tenants_.end()) return;
  const Holding& holding = at->second;
  if (holding.taken() + holding.spare + holding.promised.excess == 0) tenants_.erase(at);
}

ResultLedger::Holding ResultLedger::Of(const std::string& tenant) const {
  const auto at = tenants_.find(tenant);
  return at == tenants_.end() ? Holding() : at->second;
}

uint64_t ResultLedger::kept_of(const std::string& tenant) const { return Of(tenant).kept; }

uint64_t ResultLedger::FreeOfReserve(uint64_t tenant_taken, uint64_t job_bytes) const {
  const uint64_t small_job = limits_.max_bytes / 64;
  const uint64_t of_half = std::min(Less(limits_.TenantBytes() + Reserve() / 4, tenant_taken),
                                    Less(limits_.max_bytes - Reserve() / 2, taken_));
  const uint64_t rest = Less(limits_.max_bytes, taken_);
  const uint64_t of_rest = std::min(rest / 8, Less(rest / 4, tenant_taken));
  return std::min(Less(small_job, job_bytes), std::max(of_half, of_rest));
}

uint64_t ResultLedger::Free(const std::string& tenant, uint64_t job_bytes) const {
  const uint64_t tenant_taken = Of(tenant).taken();
  const uint64_t shared = std::min(Less(limits_.TenantBytes(), tenant_taken),
                                   Less(limits_.max_bytes - Reserve(), taken_));
  return std::min(Less(limits_.max_job_bytes, job_bytes),
                  std::max(shared, FreeOfReserve(tenant_taken, job_bytes)));
}

uint64_t ResultLedger::FreeExcess(const std::string& tenant) const {
  return std::min(Less(limits_.TenantBytes(), Of(tenant).promised.excess),
                  Less(limits_.max_bytes, excess_));
}

ResultBound ResultLedger::Tightest(const std::string& tenant, uint64_t job_bytes) const {
  const uint64_t of_job = Less(limits_.max_job_bytes, job_bytes);
  const uint64_t of_tenant = Less(limits_.TenantBytes(), Of(tenant).taken());
  const uint64_t of_all = Less(limits_.max_bytes - Reserve(), taken_);
  if (of_job <= of_tenant && of_job <= of_all) return ResultBound::kJob;
  return of_tenant <= of_all ? ResultBound::kTenant : ResultBound::kAll;
}

bool ResultLedger::IsTenantOver(const std::string& tenant) const {
  const Holding holding = Of(tenant);
  return holding.spare > 0 && holding.kept + holding.spare > limits_.TenantBytes();
}

std::optional<std::string> ResultLedger::MostSpare() const {
  std::optional<std::string> most;
  uint64_t bytes = 0;
  for (const auto& [tenant, holding] : tenants_) {
    if (holding.spare <= bytes) continue;
    bytes = holding.spare;
    most = tenant;
  }
  return most;
}

}  // namespace wb
