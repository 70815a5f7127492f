#pragma once

// SharedRoom: for how many further results of shared jobs there is room: ResultLedger's bounds of a
// job, a tenant and all, over the jobs as one host knows them. Pure.
//
// Hosts that claim at the same moment do not see each other's claims: each takes its part of what
// is left (PartOf), so that all of them together take no more than that and one group each.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "daemon/store/result_ledger.h"

namespace wb {

// What one job holds and will hold.
struct JobHolding {
  std::string tenant;
  uint64_t bytes = 0;      // of its results in the database
  uint64_t results = 0;    // that have them
  uint64_t claimed = 0;    // instances that hosts have, and that have no result
  uint64_t most_each = 0;  // bytes of a result, as long as there is none; 0: not known here
};

class SharedRoom {
 public:
  explicit SharedRoom(const ResultLimits& limits) : limits_(limits), ledger_(limits) {}

  void Add(const JobHolding& job);  // that has not ended; each once
  // Of ended jobs, which give way.
  void AddSpare(const std::string& tenant, uint64_t bytes);
  // Hosts have claimed more of a job that was added.
  void Claimed(const JobHolding& job, uint64_t instances);

  // Instances that may be claimed of a job that was added, which start in such groups. One group at
  // least of a job that has no result and none under way, where its own bound alone is in the way:
  // no job waits for ever for its own results.
  uint64_t Of(const JobHolding& job, uint32_t group = 1) const;
  ResultBound Tightest(const JobHolding& job) const;
  uint64_t kept_of(const std::string& tenant) const { return ledger_.kept_of(tenant); }

  // The tenant whose ended jobs have to give way now.
  std::optional<std::string> MustGive() const;
  // What ended jobs of the tenant held: so much is gone.
  void Gave(const std::string& tenant, uint64_t bytes);
  void MustStay(const std::string& tenant, uint64_t bytes);  // or is read by somebody

 private:
  uint64_t EachOf(const JobHolding& job) const;
  uint64_t BytesOf(const JobHolding& job) const;  // that it has, and is to have

  const ResultLimits limits_;
  ResultLedger ledger_;
  std::map<std::string, uint64_t> spare_;  // bytes of ended jobs, by tenant
};

// Of so many instances, what one of so many hosts may claim: whole groups, if there is one.
uint64_t PartOf(uint64_t room, uint32_t hosts, uint32_t group);

}  // namespace wb
