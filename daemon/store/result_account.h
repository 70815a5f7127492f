#pragma once

// ResultAccount: one job's part of the ledger: bytes held, kept or spare, and room reserved for
// instances that run. Learns from the results that came how large the next ones are. Pure; the
// ledger's owner locks. What it holds is given back when it goes.

#include <cstdint>
#include <string>

#include "daemon/store/result_ledger.h"

namespace wb {

class ResultAccount {
 public:
  // `most_each`: the most bytes that a result of the job may hold. The ledger outlives the account.
  ResultAccount(ResultLedger* ledger, std::string tenant, uint64_t most_each);
  ~ResultAccount();
  ResultAccount(const ResultAccount&) = delete;
  ResultAccount& operator=(const ResultAccount&) = delete;

  uint64_t Room() const;  // instances that Reserve would grant
  uint64_t Reserve(uint64_t instances);
  void Release(uint64_t instances);  // those reserved at most
  // So many results came, of so many bytes in all, the largest of so many.
  void Arrive(uint64_t results, uint64_t bytes, uint64_t largest);
  void MakeSpare(uint64_t bytes);  // of those kept
  void KeepAgain(uint64_t bytes);  // of those spare
  void DropSpare(uint64_t bytes);

  ResultBound Tightest() const { return ledger_->Tightest(tenant_, kept_ + Promised().expected); }
  uint64_t most_job_bytes() const { return ledger_->limits().max_job_bytes; }
  const std::string& tenant() const { return tenant_; }
  uint64_t bytes() const { return kept_ + spare_; }
  uint64_t kept() const { return kept_; }
  uint64_t reserved() const { return reserved_; }

 private:
  uint64_t Each() const;  // bytes that the next result is expected to hold
  PromisedBytes Promised() const;
  void SetReserved(uint64_t instances);

  ResultLedger* const ledger_;
  const std::string tenant_;
  const uint64_t most_each_;
  uint64_t largest_ = 0;  // of the results that came
  uint64_t kept_ = 0;
  uint64_t spare_ = 0;
  uint64_t reserved_ = 0;  // instances
};

}  // namespace wb
