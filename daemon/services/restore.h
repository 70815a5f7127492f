#pragma once

// What an earlier daemon left: modules, and jobs with their results.

#include "daemon/services/services.h"
#include "daemon/store/durable/durable_job_store.h"

namespace wb {

// Modules on the disk are in the store again. Damaged ones are left out, and the log says so.
void RestoreModules(const ServiceContext& context);

// Ended jobs are shown again; the others go on with the instances that have no result. A job that
// cannot go on (its module is gone) has failed, and says why. IO_ERROR: the database cannot be
// read.
Status RestoreJobs(const ServiceContext& context, DurableJobStore* store);

// After both: what nobody owns and no job needs goes. `adopt`: the store is of a version that knew
// no owners, and all of it is given to the tenant without a name.
void RestoreOwners(const ServiceContext& context, bool adopt);

}  // namespace wb
