#include "daemon/services/link_job.h"

#include <string>
#include <utility>

#include "compiler/link/bindings.h"
#include "compiler/link/link.h"
#include "compiler/system/system_layer.h"
#include "daemon/services/owned.h"
#include "daemon/store/names.h"

namespace wb {
namespace {

// A module that only lacks imports may be linked.
Status CheckLinkable(const StoredModule& stored) {
  if (stored.runnable.reason() == Reason::kImportNotProvided) return {};
  return stored.runnable;
}

Status CheckSize(const NamedModules& modules, uint64_t most) {
  uint64_t size = 0;
  for (const auto& [name, module] : modules) size += module->binary().size();
  if (size <= most) return {};
  return Status(Reason::kLimitTooHigh,
                "The modules of the job have [" + std::to_string(size) +
                    "] bytes together; this daemon takes [" + std::to_string(most) + "].",
                {{"field", "job.linked"}, {"maximum", std::to_string(most)}});
}

// By names and digests, in their order.
Digest KeyOf(const BoundModules& bound, bool is_program) {
  std::string text = is_program ? "program " : "";
  for (size_t i = 0; i < bound.modules.size(); ++i) {
    const auto& [name, module] = bound.modules[i];
    text += std::to_string(name.size()) + ":" + name + ModuleName(module->digest());
    if (bound.is_bound[i]) text += " bound ";
  }
  return Sha256(AsBytes(text));
}

Result<NamedModules> ModulesOf(const ServiceContext& context, const Caller* caller,
                               const JobRequest& request, const StoredModule& main) {
  NamedModules modules;
  for (const LinkedModuleName& part : request.linked) {
    WB_ASSIGN(const StoredModule stored, UploadedModule(context, caller, part.module));
    WB_TRY(CheckLinkable(stored));
    modules.emplace_back(part.name, stored.module);
  }
  WB_TRY(CheckLinkable(main));
  modules.emplace_back("", main.module);
  return modules;
}

Result<std::shared_ptr<const Module>> LinkAll(const BoundModules& modules, bool is_program) {
  std::vector<LinkPart> parts = PartsOf(modules);
  if (is_program) {
    WB_ASSIGN(parts, WithSystemLayer(std::move(parts)));
  }
  return Link(parts, {}, Instantiation::kAtStart);
}

}  // namespace

std::shared_ptr<const Module> LinkedModules::Find(const Digest& key) {
  MutexLock lock(mutex_);
  auto at = modules_.find(key);
  return at == modules_.end() ? nullptr : at->second.lock();
}

std::shared_ptr<const Module> LinkedModules::Share(const Digest& key,
                                                   std::shared_ptr<const Module> module) {
  MutexLock lock(mutex_);
  std::erase_if(modules_, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<const Module>& shared = modules_[key];
  if (std::shared_ptr<const Module> first = shared.lock()) return first;
  shared = module;
  return module;
}

Result<StoredModule> UploadedModule(const ServiceContext& context, const Caller* caller,
                                    const Digest& digest) {
  Result<StoredModule> stored =
      caller == nullptr ? ModuleOf(context, digest) : ModuleFor(context, *caller, digest);
  if (stored.ok()) return stored;
  const std::string name = ModuleName(digest);
  return Status(Reason::kModuleMissing, "The module [" + name + "] has not been uploaded.",
                {{"resource", name}});
}

Result<std::shared_ptr<const Module>> LinkJob(const ServiceContext& context, const Caller* caller,
                                              const StoredModule& main, JobRequest* request) {
  if (request->linked.empty() && !request->has_command && request->bindings.empty()) {
    WB_TRY(main.runnable);
    return main.module;
  }
  WB_ASSIGN(const NamedModules modules, ModulesOf(context, caller, *request, main));
  WB_ASSIGN(const BoundModules bound, BindModules(modules, request->bindings));
  WB_TRY(CheckSize(bound.modules, context.config->Get()->max_module_bytes));
  request->recorded = bound.recorded;
  // The made modules hold the rows now.
  for (Binding& binding : request->bindings) binding.table = {};
  if (!bound.host.empty()) request->host_calls = std::make_shared<HostCallQueue>(bound.host);
  const Digest key = KeyOf(bound, request->has_command);
  if (std::shared_ptr<const Module> whole = context.linked->Find(key)) return whole;
  WB_ASSIGN(auto whole, LinkAll(bound, request->has_command));
  if (context.check_module) WB_TRY(context.check_module(whole));
  return context.linked->Share(key, std::move(whole));
}

}  // namespace wb
