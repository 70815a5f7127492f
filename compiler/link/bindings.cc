#include "compiler/link/bindings.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/imports/primitive.h"
#include "compiler/link/generated_module.h"
#include "compiler/link/lookup_code.h"
#include "compiler/wasm/extern_type.h"

namespace wb {
namespace {

constexpr size_t kMostUnbound = 12;  // an error travels in the header of an answer

bool IsOwn(const std::string& module) {
  return module == kPrimitiveModule || module == kGpuStdModule ||
         module == "wasi_snapshot_preview1" || module == "wasi_unstable";
}

std::string NameOfImport(const Import& import) { return import.module + "." + import.name; }

bool IsPattern(const Binding& binding) { return binding.import.ends_with('*'); }

bool Matches(const Binding& binding, const std::string& name) {
  return IsPattern(binding) &&
         std::string_view(name).starts_with(
             std::string_view(binding.import).substr(0, binding.import.size() - 1));
}

Status Wrong(const Binding& binding, const std::string& words) {
  return Status(Reason::kInvalidArgument, "The binding of [" + binding.import + "] " + words + ".",
                {{"field", "job.bindings"}, {"import", binding.import}});
}

std::string TypesText(const std::vector<BoundValue>& values) {
  std::string text;
  for (const BoundValue& value : values) {
    text += (text.empty() ? "" : ", ") + std::string(TypeName(value.type));
  }
  return "(" + text + ")";
}

bool TypesFit(const std::vector<BoundValue>& values, const std::vector<ValueType>& types) {
  return std::equal(values.begin(), values.end(), types.begin(), types.end(),
                    [](const BoundValue& value, ValueType type) { return value.type == type; });
}

bool IsNumber(ValueType type) { return !IsReference(type) && type != ValueType::kV128; }

Status CheckHostType(const Binding& binding, const std::string& name, const FunctionType& type) {
  const bool numbers = std::all_of(type.params.begin(), type.params.end(), IsNumber) &&
                       std::all_of(type.results.begin(), type.results.end(), IsNumber);
  if (numbers && type.params.size() <= kMostHostParams && type.results.size() <= kMostHostResults)
    return {};
  return Wrong(binding, "asks the job's caller, with at most " + std::to_string(kMostHostParams) +
                            " parameters and " + std::to_string(kMostHostResults) +
                            " results of the types i32, i64, f32 and f64; [" + name +
                            "] is a function of the type " + type.ToString());
}

Status CheckCallBytes(const Binding& binding, const CallBytes& bytes, const FunctionType& type) {
  std::vector<uint32_t> named = {bytes.pointer};
  if (bytes.how == CallBytes::Length::kArgument) named.push_back(bytes.length);
  for (const uint32_t index : named) {
    if (index < type.params.size() && type.params[index] == ValueType::kI32) continue;
    return Wrong(binding, "sends bytes where the argument [" + std::to_string(index) +
                              "] says, which is no i32 of the type " + type.ToString());
  }
  return {};
}

struct Missing {
  const Module* module = nullptr;  // that imports it
  const Import* import = nullptr;
  uint32_t importers = 0;
};

// What stands for one module that is imported from.
struct Contents {
  std::vector<BoundFunction> functions;
  std::vector<BoundGlobal> globals;
  bool asks_host = false;
};

class ExportBinder {
 public:
  ExportBinder(const NamedModules& modules, const std::vector<Binding>& bindings)
      : modules_(modules), bindings_(bindings) {
    for (const auto& [name, module] : modules) {
      if (!name.empty()) given_.emplace(name, module.get());  // the last has no name
    }
    for (const auto& [name, module] : modules) Sort(*module);
  }

  Result<BoundModules> Run();

 private:
  bool IsGiven(const Import& import) const;
  // Imports to bind, and those that need no binding.
  void Sort(const Module& module);
  Status CheckNames() const;
  const Binding* BindingOf(const std::string& name) const;
  Status Add(const Binding& binding, const Missing& missing);
  Status AddFunction(const Binding& binding, const Missing& missing);
  Status AddLookup(const Binding& binding, const Missing& missing);
  Status AddGlobal(const Binding& binding, const Missing& missing);
  std::string BindsNothing(const Binding& binding) const;
  Status AddHost(const Binding& binding, const std::string& name, BoundFunction& function);
  const Export* OwnMemory() const;
  Status AddMade(const std::string& name, const Contents& contents, BoundModules* bound) const;

  const NamedModules& modules_;
  const std::vector<Binding>& bindings_;
  std::map<std::string, const Module*> given_;
  std::map<std::string, Missing> missing_;  // by full name
  std::set<std::string> present_;           // full names
  std::map<std::string, Contents> contents_;
  std::vector<RecordedImport> recorded_;
  std::vector<HostImport> host_;
};

void ExportBinder::Sort(const Module& module) {
  for (const Import& import : module.imports) {
    if (IsOwn(import.module) || IsGiven(import)) {
      present_.insert(NameOfImport(import));
    } else {
      ++missing_.try_emplace(NameOfImport(import), Missing{&module, &import, 0})
            .first->second.importers;
    }
  }
}

bool ExportBinder::IsGiven(const Import& import) const {
  const auto from = given_.find(import.module);
  if (from == given_.end()) return false;
  const std::vector<Export>& exports = from->second->exports;
  return std::any_of(exports.begin(), exports.end(),
                     [&import](const Export& item) { return item.name == import.name; });
}

const Binding* ExportBinder::BindingOf(const std::string& name) const {
  const Binding* matching = nullptr;
  for (const Binding& binding : bindings_) {
    if (binding.import == name) return &binding;
    if (matching == nullptr && Matches(binding, name)) matching = &binding;
  }
  return matching;
}

std::string ExportBinder::BindsNothing(const Binding& binding) const {
  const size_t dot = binding.import.find('.');
  const std::string module = binding.import.substr(0, dot);
  if (IsOwn(module)) return "is for a function of the daemon's own, which cannot be bound";
  if (present_.count(binding.import) != 0) return "is for what a module of the job gives";
  std::string listed;
  size_t left = missing_.size();
  for (const auto& [name, missing] : missing_) {
    if (missing_.size() - left == kMostUnbound) break;
    listed += (listed.empty() ? "[" : ", [") + name + "]";
    --left;
  }
  if (left > 0) listed += " and " + std::to_string(left) + " more";
  return "binds nothing: no module of the job imports that. " +
         (listed.empty() ? "No import is missing" : "Missing are " + listed);
}

Status ExportBinder::CheckNames() const {
  std::set<std::string> seen;
  for (const Binding& binding : bindings_) {
    if (!seen.insert(binding.import).second) return Wrong(binding, "is given twice");
    const bool used = missing_.count(binding.import) != 0 ||
                      std::any_of(missing_.begin(), missing_.end(), [&](const auto& missing) {
                        return Matches(binding, missing.first);
                      });
    if (!used) return Wrong(binding, BindsNothing(binding));
  }
  return {};
}

Status ExportBinder::Add(const Binding& binding, const Missing& missing) {
  if (missing.import->kind == ExternKind::kFunction) return AddFunction(binding, missing);
  if (missing.import->kind == ExternKind::kGlobal) return AddGlobal(binding, missing);
  if (IsPattern(binding)) return {};
  return Wrong(binding, "is for a " + std::string(ExternKindName(missing.import->kind)) +
                            ", which only a module gives: --module " + missing.import->module +
                            "=FILE");
}

Status ExportBinder::AddFunction(const Binding& binding, const Missing& missing) {
  const FunctionType& type = missing.module->type_of(missing.import->index);
  const std::string name = NameOfImport(*missing.import);
  if (binding.way == Binding::Way::kLookup) return AddLookup(binding, missing);
  const bool needs_values = binding.way == Binding::Way::kConstant;
  if ((needs_values || !binding.values.empty()) && !TypesFit(binding.values, type.results)) {
    return Wrong(binding, "gives " + TypesText(binding.values) + ", but [" + name +
                              "] is a function of the type " + type.ToString());
  }
  BoundFunction function{missing.import->name, type, binding.way, binding.values, {}, 0};
  if (binding.way == Binding::Way::kRecord) {
    if (std::any_of(type.params.begin(), type.params.end(), IsReference)) {
      return Wrong(binding, "records no references; [" + name + "] is a function of the type " +
                                type.ToString());
    }
    function.number = static_cast<uint32_t>(recorded_.size());
    recorded_.push_back({name, type.params});
  }
  if (binding.way == Binding::Way::kHost) {
    if (missing.module != modules_.back().second.get() || missing.importers > 1) {
      return Wrong(binding,
                   "is for the caller of the job, which answers calls of the job's own "
                   "module only; another module imports [" +
                       name + "] too");
    }
    WB_TRY(AddHost(binding, name, function));
  }
  contents_[missing.import->module].functions.push_back(std::move(function));
  return {};
}

Status ExportBinder::AddLookup(const Binding& binding, const Missing& missing) {
  if (IsPattern(binding)) {
    return Wrong(binding, "looks up the results of one function; name it whole, without the *");
  }
  const FunctionType& type = missing.module->type_of(missing.import->index);
  if (!(binding.table.type == type)) {
    return Wrong(binding, "looks up " + binding.table.type.ToString() + ", but [" + binding.import +
                              "] is a function of the type " + type.ToString());
  }
  if (!binding.values.empty() && !TypesFit(binding.values, type.results)) {
    return Wrong(binding, "gives " + TypesText(binding.values) + " where no row fits, but [" +
                              binding.import + "] is a function of the type " + type.ToString());
  }
  BoundFunction function{missing.import->name, type, binding.way, binding.values, {}, 0};
  WB_ASSIGN(function.table, SortedTable(binding.table, binding.import));
  contents_[missing.import->module].functions.push_back(std::move(function));
  return {};
}

// A memory that the job's module defines and exports: only that can be imported from it.
const Export* ExportBinder::OwnMemory() const {
  const Module& module = *modules_.back().second;
  const auto found =
      std::find_if(module.exports.begin(), module.exports.end(), [&module](const Export& item) {
        return item.kind == ExternKind::kMemory && item.index == 0 &&
               !module.memories.front().imported;
      });
  return found == module.exports.end() ? nullptr : &*found;
}

Status ExportBinder::AddHost(const Binding& binding, const std::string& name,
                             BoundFunction& function) {
  const FunctionType& type = function.type;
  WB_TRY(CheckHostType(binding, name, type));
  for (const CallBytes& bytes : binding.bytes) WB_TRY(CheckCallBytes(binding, bytes, type));
  if (!binding.bytes.empty() && OwnMemory() == nullptr) {
    return Wrong(binding, "sends bytes of memory, but the module defines and exports no memory 0");
  }
  function.number = static_cast<uint32_t>(host_.size());
  host_.push_back({name, type, binding.bytes, OwnMemory() != nullptr});
  contents_[name.substr(0, name.size() - function.name.size() - 1)].asks_host = true;
  return {};
}

Status ExportBinder::AddGlobal(const Binding& binding, const Missing& missing) {
  const Global& global = missing.module->globals[missing.import->index];
  if (binding.way != Binding::Way::kConstant) {
    if (IsPattern(binding)) return {};
    return Wrong(binding, "is for a global, which is bound to a constant: constant:" +
                              std::string(TypeName(global.type)) + ":VALUE");
  }
  if (!TypesFit(binding.values, {global.type})) {
    return Wrong(binding,
                 "gives " + TypesText(binding.values) + ", but [" + NameOfImport(*missing.import) +
                     "] is a global of the type " +
                     ExternTypeText(*missing.module, ExternKind::kGlobal, missing.import->index));
  }
  contents_[missing.import->module].globals.push_back(
      {missing.import->name, global.is_mutable, binding.values[0]});
  return {};
}

Result<BoundModules> ExportBinder::Run() {
  WB_TRY(CheckNames());
  for (const auto& [name, missing] : missing_) {
    const Binding* binding = BindingOf(name);
    if (binding != nullptr) WB_TRY(Add(*binding, missing));
  }
  BoundModules bound;
  for (const auto& [name, contents] : contents_) {
    if (given_.count(name) == 0) WB_TRY(AddMade(name, contents, &bound));
  }
  for (const auto& [name, module] : modules_) {
    bound.modules.emplace_back(name, module);
    bound.is_bound.push_back(false);
    const auto contents = contents_.find(name);
    if (contents == contents_.end() || given_.count(name) == 0) continue;
    WB_TRY(AddMade(name, contents->second, &bound));
  }
  bound.recorded = std::move(recorded_);
  bound.host = std::move(host_);
  return bound;
}

Status ExportBinder::AddMade(const std::string& name, const Contents& contents,
                             BoundModules* bound) const {
  const auto from = given_.find(name);
  const PassedOn passed = {name, from == given_.end() ? nullptr : from->second};
  const std::string memory =
      contents.asks_host && OwnMemory() != nullptr ? OwnMemory()->name : std::string();
  WB_ASSIGN(auto module,
            Module::Decode(GeneratedModule(contents.functions, contents.globals, passed, memory)));
  bound->modules.emplace_back(name, std::move(module));
  bound->is_bound.push_back(true);
  return {};
}

}  // namespace

std::vector<LinkPart> PartsOf(const BoundModules& bound) {
  std::vector<LinkPart> parts = PartsByName(bound.modules);
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i].is_bound = bound.is_bound[i];
    if (!parts[i].is_bound) continue;
    parts[i].imports_from[std::string(kImporter)] = static_cast<uint32_t>(parts.size() - 1);
  }
  return parts;
}

Result<BoundModules> BindModules(const NamedModules& modules,
                                 const std::vector<Binding>& bindings) {
  return ExportBinder(modules, bindings).Run();
}

}  // namespace wb
