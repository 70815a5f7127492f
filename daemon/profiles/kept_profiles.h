#pragma once

// KeptProfiles: the profiles that jobs asked for, until their jobs are forgotten. Bounded: the
// oldest go first, and may be made anew. On the disk where jobs are, as blobs; they are no part of
// a backup.
//
// Threads: any.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "compiler/base/digest.h"
#include "compiler/base/mutex.h"
#include "daemon/database/blob_folder.h"
#include "wasmburst/v1/profiles.pb.h"

namespace wb {

class KeptProfiles {
 public:
  static constexpr uint64_t kMostBytes = uint64_t{64} << 20;

  // What an earlier daemon left in the folder is there again. Empty: in memory alone. IO_ERROR.
  static Result<std::unique_ptr<KeptProfiles>> Open(const std::string& folder);

  // Profile::job names its job, which gets no second one.
  Status Put(const wasmburst::v1::Profile& profile);
  // nullopt: there is none, or it cannot be read.
  std::optional<wasmburst::v1::Profile> Get(const std::string& job) const;
  // Those of jobs that are not known.
  void Forget(const std::function<bool(const std::string& job)>& is_known);

 private:
  struct Kept {
    Digest digest;
    uint64_t bytes = 0;
    std::string text;  // where there is no disk
  };

  KeptProfiles() = default;
  void Add(const std::string& job, Kept kept) WB_REQUIRES(mutex_);
  void Remove(const std::string& job) WB_REQUIRES(mutex_);

  std::optional<BlobFolder> blobs_;
  mutable Mutex mutex_;
  std::map<std::string, Kept> kept_ WB_GUARDED_BY(mutex_);  // by job, hence by time
  uint64_t bytes_ WB_GUARDED_BY(mutex_) = 0;
};

}  // namespace wb
