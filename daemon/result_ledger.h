#pragma once

// ResultLedger: how many bytes of results are held, for each tenant, and how many more may come.
// Pure; its owner locks.
//
// Results of jobs that run are `active`: they stay until they are acknowledged. Those of ended jobs
// make room for others (JobStore drops them), so they never keep a job from running.
//
// Three bounds hold together: of one job, of one tenant, of all. An eighth of the last is a reserve
// for jobs that hold little (a sixty-fourth of all at most), so that results which nobody reads
// never stop a small job. Half of the reserve is open to every tenant. Of what is left a tenant may
// hold a quarter and a job may take an eighth, so that however many tenants come there is some
// left.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace wb {

struct ResultLimits {
  uint64_t max_bytes = uint64_t{1} << 30;        // of all jobs
  uint64_t max_tenant_bytes = 0;                 // of one tenant; 0: half of max_bytes
  uint64_t max_job_bytes = uint64_t{256} << 20;  // of one job

  uint64_t TenantBytes() const { return max_tenant_bytes != 0 ? max_tenant_bytes : max_bytes / 2; }
};

// Whose results leave no room for more of a job's.
enum class ResultBound : uint8_t { kJob, kTenant, kAll };

class ResultLedger {
 public:
  explicit ResultLedger(const ResultLimits& limits) : limits_(limits) {}

  void Add(const std::string& tenant, uint64_t bytes);     // of a job that runs
  void Remove(const std::string& tenant, uint64_t bytes);  // of a job that runs
  void End(const std::string& tenant, uint64_t bytes);     // the job has ended
  void RemoveEnded(const std::string& tenant, uint64_t bytes);

  // Bytes that may still come for a job of the tenant which holds `job_bytes`.
  uint64_t Free(const std::string& tenant, uint64_t job_bytes) const;
  // Which bound leaves the least. Meaningful where Free says little.
  ResultBound Tightest(const std::string& tenant, uint64_t job_bytes) const;

  bool IsOver() const { return bytes_ > limits_.max_bytes; }
  bool IsTenantOver(const std::string& tenant) const;
  // The tenant whose ended jobs hold most; nullopt: they hold nothing.
  std::optional<std::string> MostEnded() const;

  uint64_t bytes() const { return bytes_; }
  uint64_t active_of(const std::string& tenant) const;
  const ResultLimits& limits() const { return limits_; }

 private:
  struct Holding {
    uint64_t active = 0;
    uint64_t ended = 0;
  };
  uint64_t Reserve() const { return limits_.max_bytes / 8; }
  uint64_t FreeOfReserve(uint64_t tenant_active, uint64_t job_bytes) const;
  void Forget(const std::string& tenant);  // if it holds nothing

  const ResultLimits limits_;
  std::map<std::string, Holding> tenants_;
  uint64_t bytes_ = 0;   // of all, ended ones included
  uint64_t active_ = 0;  // of jobs that run
};

}  // namespace wb
