#pragma once

// ResultLedger: how many bytes of results are held for each tenant, how many are promised to
// instances that run, and how many more may come. Pure; its owner locks.
//
// `Kept` bytes stay until a client acknowledges them. `Spare` bytes make room for others when room
// is short (JobStore drops them), so they never keep a job from running: those of acknowledged
// results, and those of ended jobs that no client reads.
//
// Three bounds hold together: of one job, of one tenant, of all. An eighth of the last is a reserve
// for jobs that hold little (a sixty-fourth of all at most), so that results that no client
// reads never stop a small job. Half of the reserve is open to every tenant. Of what is left a
// tenant may hold a quarter and a job may take an eighth, so that however many tenants come there
// is some left.

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

// What instances that run may bring: bytes as results of their job have been so far, and the excess
// of the most that their program may write over that. The excess has the limits of a tenant and of
// all for itself, so that even results that all are as large as they may be hold at most twice
// those.
struct PromisedBytes {
  uint64_t expected = 0;
  uint64_t excess = 0;
};

class ResultLedger {
 public:
  explicit ResultLedger(const ResultLimits& limits) : limits_(limits) {}

  void AddKept(const std::string& tenant, uint64_t bytes);
  void RemoveKept(const std::string& tenant, uint64_t bytes);
  void AddSpare(const std::string& tenant, uint64_t bytes);
  void RemoveSpare(const std::string& tenant, uint64_t bytes);
  void Promise(const std::string& tenant, const PromisedBytes& promised);
  void Withdraw(const std::string& tenant, const PromisedBytes& promised);

  // Bytes that may still come for a job of the tenant which holds `job_bytes`, kept and expected.
  uint64_t Free(const std::string& tenant, uint64_t job_bytes) const;
  uint64_t FreeExcess(const std::string& tenant) const;
  // Which bound leaves the least. Meaningful where Free says little.
  ResultBound Tightest(const std::string& tenant, uint64_t job_bytes) const;

  bool IsOver() const { return bytes_ > limits_.max_bytes; }
  bool IsTenantOver(const std::string& tenant) const;  // and has spare bytes
  // The tenant that has most spare bytes; nullopt: there are none.
  std::optional<std::string> MostSpare() const;

  uint64_t bytes() const { return bytes_; }
  uint64_t kept_of(const std::string& tenant) const;
  const ResultLimits& limits() const { return limits_; }

 private:
  struct Holding {
    uint64_t kept = 0;
    uint64_t spare = 0;
    PromisedBytes promised;
    uint64_t taken() const { return kept + promised.expected; }
  };
  uint64_t Reserve() const { return limits_.max_bytes / 8; }
  uint64_t FreeOfReserve(uint64_t tenant_taken, uint64_t job_bytes) const;
  Holding Of(const std::string& tenant) const;
  void Forget(const std::string& tenant);  // if it holds nothing

  const ResultLimits limits_;
  std::map<std::string, Holding> tenants_;
  uint64_t bytes_ = 0;   // held by all, spare ones included
  uint64_t taken_ = 0;   // kept and expected, of all
  uint64_t excess_ = 0;  // of all
};

}  // namespace wb
