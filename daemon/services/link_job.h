#pragma once

// The modules of a job made one.

#include <map>
#include <memory>

#include "compiler/base/mutex.h"
#include "daemon/services/services.h"

namespace wb {

// Linked modules that some job holds, by what they were made of: jobs of the same modules share
// one. Threads: any.
class LinkedModules {
 public:
  std::shared_ptr<const Module> Find(const Digest& key);  // null: no job holds it
  // The one that others hold already, or this one.
  std::shared_ptr<const Module> Share(const Digest& key, std::shared_ptr<const Module> module);

 private:
  Mutex mutex_;
  std::map<Digest, std::weak_ptr<const Module>> modules_ WB_GUARDED_BY(mutex_);
};

// `main` and the modules that it is linked with, to be instantiated in order before the first step;
// `main` alone if there are none. A program has the system layer in front. MODULE_MISSING,
// LIMIT_TOO_HIGH for all of them together, IMPORT_NOT_PROVIDED, and why one of them cannot run.
Result<std::shared_ptr<const Module>> LinkJob(const ServiceContext& context, const Caller* caller,
                                              const StoredModule& main, JobRequest* request);

// For the caller, or for the daemon itself (null). MODULE_MISSING.
Result<StoredModule> UploadedModule(const ServiceContext& context, const Caller* caller,
                                    const Digest& digest);

}  // namespace wb
