#pragma once

// The modules of a job made one.

#include "daemon/services.h"

namespace wb {

// `main` and the modules that it is linked with, to be instantiated in order before the first step;
// `main` alone if there are none. MODULE_MISSING, LIMIT_TOO_HIGH for all of them together,
// IMPORT_NOT_PROVIDED, and why one of them cannot run.
Result<std::shared_ptr<const Module>> LinkJob(const ServiceContext& context,
                                              const std::vector<LinkedModuleName>& linked,
                                              const StoredModule& main);

// MODULE_MISSING.
Result<StoredModule> UploadedModule(const ServiceContext& context, const Digest& digest);

}  // namespace wb
