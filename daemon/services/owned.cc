#include "daemon/services/owned.h"

#include <utility>

#include "daemon/process/clock.h"
#include "daemon/services/stored_inputs.h"
#include "daemon/store/names.h"
#include "scheduler/base/quoted.h"

namespace wb {

bool MayUse(const ServiceContext& context, const Caller& caller, OwnedKind kind,
            const Digest& digest) {
  if (caller.role >= Role::kAdmin || context.owners->Has(kind, digest, caller.tenant)) return true;
  // Another daemon may have it since this one looked.
  return context.is_shared && context.owners->LoadAgain().ok() &&
         context.owners->Has(kind, digest, caller.tenant);
}

Result<StoredModule> ModuleFor(const ServiceContext& context, const Caller& caller,
                               const Digest& digest) {
  if (!MayUse(context, caller, OwnedKind::kModule, digest)) return NoSuchModule(digest);
  return ModuleOf(context, digest);
}

Result<StoredModule> ModuleOf(const ServiceContext& context, const Digest& digest) {
  Result<StoredModule> known = context.modules->Get(digest);
  if (known.ok() || !context.is_shared) return known;
  const Result<Bytes> wasm = context.module_blobs->Get(digest);
  if (!wasm.ok()) return wasm.status().reason() == Reason::kNotFound ? known : wasm.status();
  WB_TRY(RestoreModule(context, *wasm, UnixNow()));
  return context.modules->Get(digest);
}

Result<StoredInput> InputFor(const ServiceContext& context, const Caller& caller,
                             const Digest& digest) {
  if (!MayUse(context, caller, OwnedKind::kInput, digest)) return NoSuchInput(digest);
  return InputOf(context, digest);
}

Result<bool> Disown(const ServiceContext& context, const Caller& caller, OwnedKind kind,
                    const Digest& digest) {
  if (caller.role < Role::kAdmin) return context.owners->Remove(kind, digest, caller.tenant);
  WB_TRY(context.owners->RemoveAll(kind, digest));
  return true;
}

Result<JobInfo> JobFor(const ServiceContext& context, const Caller& caller, const std::string& name,
                       JobUse use) {
  WB_ASSIGN(const std::string id, ParseJobName(name));
  WB_ASSIGN(JobInfo job, context.intake->store().Get(id));
  const std::string& tenant = job.request->tenant;
  if (!caller.MaySeeJobsOf(tenant)) return NoSuchJob(id);
  if (use != JobUse::kUse || caller.MayUseThingsOf(tenant)) return job;
  return Status(Reason::kPermissionDenied,
                "The job " + Quoted(name) + " belongs to the tenant " + Quoted(tenant) +
                    ", and the caller " + Quoted(caller.name) + " to " + Quoted(caller.tenant) +
                    "; only an admin may do that with it.",
                {{"role", "admin"}});
}

JobFilter FilterFor(const Caller& caller, uint32_t states) {
  JobFilter filter = {states, std::nullopt};
  if (caller.role < Role::kOperator) filter.tenant = caller.tenant;
  return filter;
}

}  // namespace wb
