#pragma once

// Bindings -> modules that stand for the ones that are imported from. They are linked with the
// job's, as modules that a client gives are, so no later stage knows of bindings. Pure.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/link/binding.h"
#include "compiler/link/link.h"

namespace wb {

// Under the names that others import from them by; the last is the job's own.
using NamedModules = std::vector<std::pair<std::string, std::shared_ptr<const Module>>>;

struct BoundModules {
  // Those made of bindings, each under the name that is imported from, then the job's. Where a
  // module of the job gives a part of what is imported from it, the made one follows it under the
  // same name, and passes on what it gives.
  NamedModules modules;
  std::vector<bool> is_bound;  // of the modules: made of bindings
  std::vector<RecordedImport> recorded;
  std::vector<HostImport> host;
};

// As PartsByName.
std::vector<LinkPart> PartsOf(const BoundModules& bound);

// Errors: INVALID_ARGUMENT with the binding's import, for one that binds nothing, is given twice,
// gives another type, or is for what a module of the job, the system layer or the engine gives.
// Imports without a binding are left to Link.
Result<BoundModules> BindModules(const NamedModules& modules, const std::vector<Binding>& bindings);

}  // namespace wb
