#pragma once

// JobProfiles: profiles that jobs ask for when they are submitted (Job.profile). Each is made once
// its job has ended, and takes no more than a part of the time that the job's launches took. A job
// whose daemon ended between the two has none until somebody asks for one.
//
// Threads: any; Make runs on a thread that may wait for seconds.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "compiler/base/mutex.h"
#include "daemon/profiles/kept_profiles.h"
#include "daemon/services/services.h"

namespace wb {

class JobProfiles {
 public:
  // The context outlives it.
  JobProfiles(const ServiceContext* context, std::unique_ptr<KeptProfiles> kept)
      : context_(*context), kept_(std::move(kept)) {}

  // A job that was accepted, or goes on. No effect unless it asks for a profile.
  void Watch(const JobInfo& job);
  // Now and then: profiles of jobs that were forgotten go. True: Make has something to do.
  bool Tick();
  void Make();  // of one job that has ended, if there is one

  std::optional<wasmburst::v1::Profile> Get(const std::string& job) const {
    return kept_->Get(job);
  }

 private:
  void MakeOf(const JobInfo& job) const;
  // Of one that has ended; those that are not known any more are left out.
  std::optional<JobInfo> TakeEnded();

  const ServiceContext& context_;
  const std::unique_ptr<KeptProfiles> kept_;
  Mutex mutex_;
  std::set<std::string> watched_ WB_GUARDED_BY(mutex_);  // ids
  bool making_ WB_GUARDED_BY(mutex_) = false;
};

// So long a profile of the job may take.
std::chrono::nanoseconds TimeOfProfile(const JobUsage& usage, const ProfileLimits& limits);

}  // namespace wb
