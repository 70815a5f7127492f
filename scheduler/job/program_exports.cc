#include "scheduler/job/program_exports.h"

#include <vector>

namespace wb {
namespace {

constexpr size_t kListedExports = 20;

std::string TypeText(const Module& module, const Export& exported) {
  if (exported.kind == ExternKind::kFunction) return module.type_of(exported.index).ToString();
  return "(" + std::string(TypeName(module.globals[exported.index].type)) + ")";
}

}  // namespace

std::optional<uint32_t> InstanceNamed(const Module& module, const std::string& name) {
  const std::vector<LinkedInstance>& instances = module.instances;
  if (name.empty()) return instances.empty() ? 0 : static_cast<uint32_t>(instances.size() - 1);
  for (uint32_t i = 0; i < instances.size(); ++i) {
    if (instances[i].name == name) return i;
  }
  return std::nullopt;
}

std::string InstanceNames(const Module& module) {
  std::string names;
  for (const LinkedInstance& instance : module.instances) {
    names += (names.empty() ? "" : ", ") + instance.name;
  }
  return names.empty() ? "one module without a name" : names;
}

std::string ListExports(const Module& module, ExternKind kind, uint32_t instance) {
  std::string list;
  size_t count = 0;
  for (const Export& exported : module.exports) {
    if (exported.kind != kind || exported.instance != instance) continue;
    if (++count > kListedExports) continue;
    if (!list.empty()) list += ", ";
    list += exported.name + " " + TypeText(module, exported);
  }
  if (count > kListedExports) list += " and " + std::to_string(count - kListedExports) + " more";
  return list.empty() ? "no " + std::string(ExternKindName(kind)) : list;
}

const ExportedGlobals::Place* ExportedGlobals::Find(uint32_t instance, std::string_view name) {
  if (!indexed_) MakeIndex();
  const auto found = places_.find({instance, name});
  return found == places_.end() ? nullptr : &found->second;
}

void ExportedGlobals::MakeIndex() {
  indexed_ = true;
  const std::vector<uint32_t> words = module_.GlobalWords();
  for (const Export& exported : module_.exports) {
    if (exported.kind != ExternKind::kGlobal) continue;
    places_[{exported.instance, exported.name}] = {module_.globals[exported.index].type,
                                                   words[exported.index]};
  }
}

}  // namespace wb
