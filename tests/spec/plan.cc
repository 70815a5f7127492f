#include "tests/spec/plan.h"

#include <optional>
#include <utility>

namespace wb::spec {
namespace {

class Planner {
 public:
  Planner(const Script& script, const ImportsOf& imports_of)
      : script_(script), imports_of_(imports_of) {
    plan_.outcomes.resize(script.commands.size());
  }

  Plan Run();

 private:
  void Instantiate(size_t index);
  void Register(const Command& command);
  void Call(size_t index);
  void ShareImported(const Command& command);
  void Refuse(size_t index, std::string reason) {
    plan_.outcomes[index] = {Verdict::kRefused, std::move(reason)};
  }
  std::optional<size_t> Resolve(const std::string& name) const;

  const Script& script_;
  const ImportsOf& imports_of_;
  Plan plan_;
  std::vector<bool> shared_;  // per instance: another module may hold parts of it
  std::optional<size_t> current_;
  std::map<std::string, size_t> named_;
  std::map<std::string, size_t> registered_;
};

std::optional<size_t> Planner::Resolve(const std::string& name) const {
  if (name.empty()) return current_;
  const auto it = named_.find(name);
  if (it == named_.end()) return std::nullopt;
  return it->second;
}

void Planner::Instantiate(size_t index) {
  const Command& command = script_.commands[index];
  ShareImported(command);
  const size_t instance = plan_.instances.size();
  plan_.instances.push_back({index, {}});
  shared_.push_back(false);
  if (command.kind != CommandKind::kModule) return;  // nothing can be asked of the other kind
  current_ = instance;
  if (!command.name.empty()) named_[command.name] = instance;
}

void Planner::ShareImported(const Command& command) {
  for (const std::string& module : imports_of_(command.filename)) {
    const auto it = registered_.find(module);
    if (it != registered_.end()) shared_[it->second] = true;
  }
}

void Planner::Register(const Command& command) {
  if (const auto instance = Resolve(command.name)) registered_[command.as] = *instance;
}

void Planner::Call(size_t index) {
  const Action& action = script_.commands[index].action;
  const auto instance = Resolve(action.module);
  if (!instance) {
    plan_.outcomes[index] = {Verdict::kFailed, "no module is named [" + action.module + "]"};
  } else if (shared_[*instance]) {
    Refuse(index, "linking: another module imports from this one");
  } else {
    plan_.instances[*instance].calls.push_back(index);
  }
}

Plan Planner::Run() {
  for (size_t i = 0; i < script_.commands.size(); ++i) {
    const Command& command = script_.commands[i];
    switch (command.kind) {
      case CommandKind::kModule:
      case CommandKind::kAssertUninstantiable: Instantiate(i); break;
      case CommandKind::kRegister: Register(command); break;
      case CommandKind::kAction:
      case CommandKind::kAssertReturn:
      case CommandKind::kAssertTrap:
      case CommandKind::kAssertExhaustion: Call(i); break;
      case CommandKind::kAssertInvalid:
      case CommandKind::kAssertMalformed: plan_.decoder_checks.push_back(i); break;
      case CommandKind::kAssertUnlinkable:
        ShareImported(command);
        plan_.unlinkable.push_back(i);
        break;
    }
  }
  return std::move(plan_);
}

}  // namespace

Plan MakePlan(const Script& script, const ImportsOf& imports_of) {
  return Planner(script, imports_of).Run();
}

}  // namespace wb::spec
