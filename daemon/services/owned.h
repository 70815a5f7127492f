#pragma once

// Modules, inputs and jobs as a caller sees them: what belongs to other tenants is answered as what
// does not exist, in the same words.

#include <string>

#include "daemon/services/services.h"

namespace wb {

bool MayUse(const ServiceContext& context, const Caller& caller, OwnedKind kind,
            const Digest& digest);
Result<StoredModule> ModuleFor(const ServiceContext& context, const Caller& caller,
                               const Digest& digest);  // NOT_FOUND
Result<StoredInput> InputFor(const ServiceContext& context, const Caller& caller,
                             const Digest& digest);  // NOT_FOUND, and InputOf's
// Of a digest alone. Where daemons share a store, one that another daemon took is fetched.
// NOT_FOUND, IO_ERROR, MACHINE_FAULT.
Result<StoredModule> ModuleOf(const ServiceContext& context, const Digest& digest);
// The caller's tenant gives it up; an admin takes it from all. True: nobody owns it any more.
Result<bool> Disown(const ServiceContext& context, const Caller& caller, OwnedKind kind,
                    const Digest& digest);

enum class JobUse : uint8_t {
  kSee,  // look at it, or cancel it
  kUse,  // read what is in it, or end its life
};
// The job of that name. NOT_FOUND; PERMISSION_DENIED: the caller sees it, and may not do that.
Result<JobInfo> JobFor(const ServiceContext& context, const Caller& caller, const std::string& name,
                       JobUse use);
// The jobs that the caller sees, in those states.
JobFilter FilterFor(const Caller& caller, uint32_t states);

}  // namespace wb
