#pragma once

// SharedResults: what results of all shared jobs hold, and what makes room for more: results of
// ended jobs that nobody reads, the oldest first, as elsewhere (ResultRoom). What was acknowledged
// goes when it is (ClusterJobStore).
//
// Threads: any.

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/cluster/shared_jobs.h"
#include "daemon/cluster/shared_room.h"
#include "daemon/database/shared_store.h"
#include "daemon/store/memory/result_room.h"

namespace wb {

class SharedResults {
 public:
  // All live longer than this.
  SharedResults(SharedJobRows* rows, SharedJobs* jobs, const ResultLimits& limits)
      : rows_(*rows), jobs_(*jobs), limits_(limits) {}

  // Room for results, once ended jobs have given way where they must. Waits for the database; one
  // that does not answer leaves them as they are.
  SharedRoom Room(const SharedJobs::Newer& newer, bool has_open) const;
  // Fills in why results keep these jobs from starting instances, where they do.
  void NoteHeld(std::vector<JobInfo>* jobs) const;
  // Whether acknowledged results of the job are to go.
  bool MustGo(const std::string& id, const std::string& tenant) const;
  // Ended jobs that clients of this host read are left alone for so long.
  void NoteReaders(std::chrono::nanoseconds time) const;

 private:
  // What all jobs of a list are told from: looked at once, where there is a need.
  struct View {
    std::optional<SharedRoom> room;
    std::map<std::string, SharedJobs::Holders> of_tenants;
    std::optional<SharedJobs::Holders> of_all;
  };
  void NoteHeldBy(View* view, JobInfo* info) const;
  HeldFacts FactsOf(const JobHolding& holding, View* view) const;
  bool GiveWay(const std::string& tenant, std::set<std::string>* asked, SharedRoom* room) const;

  SharedJobRows& rows_;
  SharedJobs& jobs_;
  const ResultLimits limits_;
};

}  // namespace wb
