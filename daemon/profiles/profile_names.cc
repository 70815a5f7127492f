#include "daemon/profiles/profile_names.h"

#include <utility>

#include "compiler/imports/primitive.h"
#include "compiler/system/system_layer.h"
#include "scheduler/trace/job_profile.h"

namespace wb {

ProfileNames::ProfileNames(const ServiceContext& context, std::shared_ptr<const Module> main,
                           std::shared_ptr<const Module> whole)
    : context_(context), main_(std::move(main)), whole_(std::move(whole)) {}

std::string_view ProfileNames::PrimitiveOf(uint32_t instance, uint32_t function) const {
  if (instance != ProfileFrame::kNoInstance || whole_->instances.empty()) return "";
  const uint32_t defined = function - whole_->imported_functions;
  if (defined >= whole_->bodies.size()) return "";
  const Primitive primitive = whole_->bodies[defined].primitive;
  return primitive == Primitive::kNone ? "" : FactsOf(primitive).name;
}

std::string ProfileNames::ModuleOf(uint32_t instance, uint32_t function) const {
  if (!PrimitiveOf(instance, function).empty()) return std::string(kPrimitiveModule);
  return instance < whole_->instances.size() ? whole_->instances[instance].name : "";
}

std::shared_ptr<const Module> ProfileNames::Find(const Digest& digest) const {
  if (digest == main_->digest()) return main_;
  if (const Result<StoredModule> stored = context_.modules->Get(digest); stored.ok()) {
    return stored->module;
  }
  // The system layer, which is made for each program.
  const auto parts = WithSystemLayer({{"", main_, {}}});
  if (!parts.ok()) return nullptr;
  for (const LinkPart& part : *parts) {
    if (part.module->digest() == digest) return part.module;
  }
  return nullptr;
}

DebugInfo* ProfileNames::InfoOf(uint32_t instance) {
  const auto known = infos_.find(instance);
  if (known != infos_.end()) return known->second.get();
  const bool is_linked = instance < whole_->instances.size();
  const std::shared_ptr<const Module> module =
      is_linked ? Find(whole_->instances[instance].digest) : main_;
  std::unique_ptr<DebugInfo>& info = infos_[instance];
  if (module != nullptr) info = std::make_unique<DebugInfo>(module);
  return info.get();
}

std::string ProfileNames::FunctionOf(uint32_t instance, uint32_t function) {
  std::string name(PrimitiveOf(instance, function));
  if (name.empty()) {
    DebugInfo* info = InfoOf(instance);
    if (info != nullptr) name = info->FunctionName(function);
  }
  if (name.size() > left_) return "";
  left_ -= name.size();
  return name;
}

}  // namespace wb
