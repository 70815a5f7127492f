#pragma once

// What an earlier daemon left: modules, and jobs with their results. What failed may be called
// again: what is restored already stays as it is.

#include "daemon/services/services.h"
#include "daemon/store/durable/durable_job_store.h"

namespace wb {

// Modules on the disk are in the store again. Damaged ones are left out, and the log says so.
// MACHINE_FAULT: the database does not answer.
Status RestoreModules(const ServiceContext& context);

// Modules that other daemons put there are in the store as well, and those that they removed are
// not. Where several share it. IO_ERROR, MACHINE_FAULT.
Status RefreshModules(const ServiceContext& context);

// What is shown of a job's request (SentRequest::shown). IO_ERROR: it is damaged.
Result<JobRequest> ReadShownRequest(const std::string& shown);

// Ended jobs are shown again; the others go on with the instances that have no result. A job that
// cannot go on (its module is gone) has failed, and says why. IO_ERROR: the database cannot be
// read. MACHINE_FAULT: it does not answer; then no more jobs are taken up, and none has failed.
Status RestoreJobs(const ServiceContext& context, DurableJobStore* store);

// After both: what nobody owns and no job needs goes; what is from before owners were kept is given
// to the tenant without a name. IO_ERROR, NOSPACE: nothing that has no owner was removed.
Status RestoreOwners(const ServiceContext& context);

}  // namespace wb
