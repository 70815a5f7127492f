#pragma once

// SharedResults: what results of all shared jobs hold, and what makes room for more: results of
// ended jobs that nobody reads, the oldest first, as elsewhere (ResultRoom). What was acknowledged
// goes when it is (ClusterJobStore).
//
// Threads: any.

#include <chrono>
#include <string>

#include "daemon/cluster/shared_jobs.h"
#include "daemon/cluster/shared_room.h"
#include "daemon/database/shared_store.h"

namespace wb {

class SharedResults {
 public:
  // All live longer than this.
  SharedResults(SharedStore* store, SharedJobs* jobs, const ResultLimits& limits)
      : store_(*store), jobs_(*jobs), limits_(limits) {}

  // Room for results, once ended jobs have given way where they must. Waits for the database; one
  // that does not answer leaves them as they are.
  SharedRoom Room(const SharedJobs::Newer& newer, bool has_open) const;
  // Fills in why results keep the job from starting instances, if they do.
  void NoteHeld(JobInfo* info) const;
  // Whether acknowledged results of the job are to go.
  bool MustGo(const std::string& id, const std::string& tenant) const;
  // Ended jobs that clients of this host read are left alone for so long.
  void NoteReaders(std::chrono::nanoseconds time) const;

 private:
  bool GiveWay(const std::string& tenant, std::set<std::string>* asked, SharedRoom* room) const;

  SharedStore& store_;
  SharedJobs& jobs_;
  const ResultLimits limits_;
};

}  // namespace wb
