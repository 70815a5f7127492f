#include "tests/spec/plan.h"

#include <algorithm>
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
  void Visit(size_t index);
  InstancePlan Instance(size_t index) const;
  void Instantiate(size_t index);
  void Register(const Command& command);
  void Call(size_t index);
  std::optional<size_t> Resolve(const std::string& name) const;
  size_t GroupOf(size_t instance) const;
  void MakePrograms();

  const Script& script_;
  const ImportsOf& imports_of_;
  Plan plan_;
  std::vector<ProgramPlan::Step> steps_;  // of all programs
  std::optional<size_t> current_;
  std::map<std::string, size_t> named_;
  std::map<std::string, size_t> registered_;
  std::vector<size_t> joined_;  // per instance: one of its group before it, or itself
};

std::optional<size_t> Planner::Resolve(const std::string& name) const {
  if (name.empty()) return current_;
  const auto it = named_.find(name);
  if (it == named_.end()) return std::nullopt;
  return it->second;
}

InstancePlan Planner::Instance(size_t index) const {
  InstancePlan instance{index, {}};
  for (const std::string& module : imports_of_(script_.commands[index].filename)) {
    const auto it = registered_.find(module);
    if (it != registered_.end()) instance.imports_from[module] = it->second;
  }
  return instance;
}

size_t Planner::GroupOf(size_t instance) const {
  while (joined_[instance] != instance) instance = joined_[instance];
  return instance;
}

void Planner::Instantiate(size_t index) {
  const Command& command = script_.commands[index];
  const size_t instance = plan_.instances.size();
  plan_.instances.push_back(Instance(index));
  steps_.push_back({index, instance});
  joined_.push_back(instance);
  for (const auto& [name, from] : plan_.instances.back().imports_from) {
    const size_t one = GroupOf(instance), other = GroupOf(from);
    joined_[std::max(one, other)] = std::min(one, other);
  }
  if (command.kind != CommandKind::kModule) return;  // nothing can be asked of the other kind
  current_ = instance;
  if (!command.name.empty()) named_[command.name] = instance;
}

void Planner::Register(const Command& command) {
  if (const auto instance = Resolve(command.name)) registered_[command.as] = *instance;
}

void Planner::Call(size_t index) {
  const Action& action = script_.commands[index].action;
  const auto instance = Resolve(action.module);
  if (!instance) {
    plan_.outcomes[index] = {Verdict::kFailed, "no module is named [" + action.module + "]"};
  } else {
    steps_.push_back({index, *instance});
  }
}

void Planner::MakePrograms() {
  std::vector<size_t> program_of(plan_.instances.size());
  for (size_t i = 0; i < plan_.instances.size(); ++i) {
    const size_t group = GroupOf(i);
    if (group == i) {
      program_of[i] = plan_.programs.size();
      plan_.programs.emplace_back();
    } else {
      program_of[i] = program_of[group];
    }
    plan_.programs[program_of[i]].instances.push_back(i);
  }
  for (const ProgramPlan::Step& step : steps_) {
    ProgramPlan& program = plan_.programs[program_of[step.instance]];
    const bool instantiates = plan_.instances[step.instance].command == step.command;
    if (!instantiates || program.linked()) program.steps.push_back(step);
  }
}

void Planner::Visit(size_t index) {
  const Command& command = script_.commands[index];
  switch (command.kind) {
    case CommandKind::kModule:
    case CommandKind::kAssertUninstantiable: Instantiate(index); break;
    case CommandKind::kRegister: Register(command); break;
    case CommandKind::kAction:
    case CommandKind::kAssertReturn:
    case CommandKind::kAssertTrap:
    case CommandKind::kAssertExhaustion: Call(index); break;
    case CommandKind::kAssertInvalid:
    case CommandKind::kAssertMalformed: plan_.decoder_checks.push_back(index); break;
    case CommandKind::kAssertUnlinkable: plan_.unlinkable.push_back(Instance(index)); break;
  }
}

Plan Planner::Run() {
  for (size_t i = 0; i < script_.commands.size(); ++i) Visit(i);
  MakePrograms();
  return std::move(plan_);
}

}  // namespace

Plan MakePlan(const Script& script, const ImportsOf& imports_of) {
  return Planner(script, imports_of).Run();
}

}  // namespace wb::spec
