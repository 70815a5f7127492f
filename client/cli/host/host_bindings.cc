#include "client/cli/host/host_bindings.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "client/cli/program/literal.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

// Of "(i32, i64) -> i32" and "() -> (i32, i32)" (ModuleImport.type). nullopt: a type that no value
// can be written of.
std::optional<std::vector<v1::ValueType>> ResultsOf(const std::string& function_type) {
  constexpr std::string_view kArrow = " -> ";
  const size_t arrow = function_type.rfind(kArrow);
  if (arrow == std::string::npos) return std::nullopt;
  std::string results = function_type.substr(arrow + kArrow.size());
  std::replace_if(
      results.begin(), results.end(), [](char c) { return c == '(' || c == ')' || c == ','; }, ' ');
  std::istringstream words(results);
  std::vector<v1::ValueType> types;
  for (std::string word; words >> word;) {
    const std::optional<v1::ValueType> type = TypeNamed(word);
    if (!type) return std::nullopt;
    types.push_back(*type);
  }
  return types;
}

std::string FullName(const v1::ModuleImport& import) {
  return import.module() + "." + import.name();
}

bool IsOfDaemon(const std::string& module) {
  return module == "wasmburst" || module == "gpu_std" || module == "wasi_snapshot_preview1" ||
         module == "wasi_unstable";
}

bool Matches(const v1::Binding& binding, const std::string& name) {
  std::string_view pattern = binding.import();
  if (!pattern.ends_with('*')) return pattern == name;
  pattern.remove_suffix(1);
  return std::string_view(name).starts_with(pattern);
}

bool IsGiven(const v1::ModuleImport& import, const v1::Job& job) {
  if (IsOfDaemon(import.module())) return true;
  for (const v1::LinkedModule& linked : job.linked()) {
    if (linked.name() == import.module()) return true;
  }
  const std::string name = FullName(import);
  return std::any_of(job.bindings().begin(), job.bindings().end(),
                     [&name](const v1::Binding& binding) { return Matches(binding, name); });
}

}  // namespace

ResultTypes ResultTypesOf(const std::vector<v1::Module>& modules) {
  ResultTypes types;
  std::set<std::string> ambiguous;
  for (const v1::Module& module : modules) {
    for (const v1::ModuleImport& import : module.imports()) {
      if (import.kind() != "function") continue;
      auto results = ResultsOf(import.type());
      if (!results) continue;
      const auto [at, is_new] = types.try_emplace(FullName(import), *results);
      if (!is_new && at->second != *results) ambiguous.insert(FullName(import));
    }
  }
  for (const std::string& name : ambiguous) types.erase(name);
  return types;
}

bool BindsToHost(const v1::Job& job) {
  return std::any_of(job.bindings().begin(), job.bindings().end(),
                     [](const v1::Binding& binding) { return binding.has_host(); });
}

void BindRestToHost(const std::vector<v1::Module>& modules, v1::Job* job) {
  std::set<std::string> names;
  for (const v1::Module& module : modules) {
    for (const v1::ModuleImport& import : module.imports()) {
      if (import.kind() == "function" && !IsGiven(import, *job)) names.insert(FullName(import));
    }
  }
  for (const std::string& name : names) {
    v1::Binding* binding = job->add_bindings();
    binding->set_import(name);
    binding->mutable_host();
  }
}

}  // namespace wb::cli
