#pragma once

// A job as it is submitted, of a job as a client sent it.

#include <memory>
#include <string>

#include "daemon/rpc/rpc.h"
#include "daemon/services/services.h"
#include "daemon/store/job_intake.h"

namespace wasmburst::v1 {
class Job;
}  // namespace wasmburst::v1

namespace wb {

// `caller`: who uploaded what the job uses; null: the daemon itself, which may use all.
// MODULE_MISSING; INVALID_ARGUMENT.
Result<StoredModule> ModuleNamed(const ServiceContext& context, const Caller* caller,
                                 const std::string& name);

// Errors as JobFromProto's and LinkJob's. NOT_FOUND: it was a call of a session.
Result<Submission> PrepareJob(const ServiceContext& context, const Caller* caller,
                              const wasmburst::v1::Job& proto, const StoredModule& module);

// A request up to this length is in memory until the job ends, so that it can be kept if an
// instance traps. A longer one only where the job says dump_on_trap.
inline constexpr size_t kShortRequest = 64 << 10;
// Gives the submission what its job is kept by for Inspection. LIMIT_TOO_HIGH: it is too long.
Status KeepForInspection(const ServiceContext& context,
                         const std::shared_ptr<const SentRequest>& sent, Submission* submission);

// As PrepareJob for a request that a store has kept, with what its results may hold. IO_ERROR: it
// is damaged.
Result<Submission> PrepareKept(const ServiceContext& context, const std::string& whole);

// Whose the caller's things are: its tenant's, an admin's those of the label. PERMISSION_DENIED:
// the label names another tenant.
Status LabelTenant(const Caller& caller, wasmburst::v1::Job* proto);

// Of a call of a session, what its job has besides what is sent.
struct SessionCall {
  std::string name;
  std::shared_ptr<ResidentInstances> residents;
};

// As PrepareJob for a request that has just come, with what a store on disk keeps of it. The job
// belongs to the caller's tenant, an admin's to the tenant of its label; it is part of the call's
// trace. PERMISSION_DENIED: the label names another tenant.
Result<Submission> PrepareRequest(const ServiceContext& context, const Call& call,
                                  wasmburst::v1::Job proto, const StoredModule& module,
                                  const std::string& request_id, const Message& request,
                                  const SessionCall& session = {});

}  // namespace wb
