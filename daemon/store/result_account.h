#pragma once

// ResultAccount: one job's part of the ledger: bytes held, kept or spare, and room promised to
// instances that run. Learns from the results that came how large the next ones are. Pure; the
// ledger's owner locks. What it holds is given back when it goes.
//
// An instance that starts is promised what its record holds of a result; one whose output outgrows
// that is promised all of it, and nothing of that output is held before. No job waits for ever:
// an instance without a seat holds no room, so none waits while it keeps room from others; what
// runs with its room ends; and a job that holds no result and has widened no instance widens one,
// whatever the bounds say. So all jobs together may hold more than the bounds by one result each.

#include <cstdint>
#include <string>

#include "daemon/store/result_ledger.h"

namespace wb {

class ResultAccount {
 public:
  // `most_each`: the most bytes that a result of the job may hold; `most_part`: of one whose output
  // fits into its record, for which Reserve gives room; `least`: so many instances start together
  // or not at all. The ledger outlives the account.
  ResultAccount(ResultLedger* ledger, std::string tenant, uint64_t most_each,
                uint64_t most_part = UINT64_MAX, uint64_t least = 1);
  ~ResultAccount();
  ResultAccount(const ResultAccount&) = delete;
  ResultAccount& operator=(const ResultAccount&) = delete;

  uint64_t Room() const;  // instances that Reserve would grant
  uint64_t Reserve(uint64_t instances);
  void Release(uint64_t instances);  // those reserved at most
  // Reserved instances that get room for a whole result.
  uint64_t WholeRoom() const;  // that Widen would grant
  uint64_t Widen(uint64_t instances);
  void Narrow(uint64_t instances);  // those widened at most
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
  uint64_t PartOf(uint64_t each) const { return each < most_part_ ? each : most_part_; }
  PromisedBytes Promised() const;
  void SetPromised(uint64_t reserved, uint64_t widened);
  // Instances that there is room for, each of which is expected to bring so many bytes.
  uint64_t Fitting(uint64_t expected, uint64_t excess) const;

  ResultLedger* const ledger_;
  const std::string tenant_;
  const uint64_t most_each_;
  const uint64_t most_part_;
  const uint64_t least_;
  uint64_t largest_ = 0;  // of the results that came
  uint64_t kept_ = 0;
  uint64_t spare_ = 0;
  uint64_t reserved_ = 0;  // instances
  uint64_t widened_ = 0;   // instances
};

}  // namespace wb
