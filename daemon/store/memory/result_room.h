#pragma once

// ResultRoom: what makes room for results of the store's jobs, and what is said of a job that has
// none. Pure; its owner locks.
//
// What makes room, in this order: acknowledged results; results of ended jobs that no client reads
// at the moment. In each the tenant that has most spare results gives first, its oldest job first.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/store/memory/job_table.h"
#include "daemon/store/result_ledger.h"

namespace wb {

// What is said of a job that starts no instances because of results.
struct HeldFacts {
  ResultBound bound = ResultBound::kJob;
  ResultLimits limits;
  std::string tenant;
  uint64_t unread = 0;          // results of the job that were not acknowledged
  uint64_t kept = 0;            // their bytes
  uint64_t kept_of_tenant = 0;  // bytes of the tenant's results that were not acknowledged
  // The jobs that hold results within that bound, with their bytes; the largest are named.
  std::vector<std::pair<uint64_t, std::string>> holders;
};
// Fills in why results keep the job from starting instances.
void SayHeld(HeldFacts facts, JobInfo* info);

class ResultRoom {
 public:
  // The table outlives this. The ledger outlives the table's results: its owner sees to both.
  ResultRoom(ResultLedger* ledger, JobTable* table) : ledger_(*ledger), table_(*table) {}

  // After results of the tenant have come.
  void MakeRoom(const std::string& tenant);
  // Results of an ended job give way to others once a client has them all or no client reads them.
  static void LetGiveWay(JobRecord* record);
  // Fills in why results keep the job from starting instances, if they do.
  void NoteHeldByResults(const JobRecord& record, JobInfo* info) const;

 private:
  std::vector<std::pair<uint64_t, std::string>> Holders(const std::string* tenant) const;
  void DropSpare(const std::string& tenant, const std::function<bool()>& is_over);

  ResultLedger& ledger_;
  JobTable& table_;
};

}  // namespace wb
