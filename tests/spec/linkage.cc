#include "tests/spec/linkage.h"

#include <algorithm>
#include <set>
#include <utility>

#include "compiler/link/link.h"
#include "tests/spec/spectest.h"

namespace wb::spec {
namespace {

// The globals that steps of the program read from the instance.
std::vector<std::string> GlobalsRead(const Script& script, const ProgramPlan& program,
                                     size_t instance) {
  std::vector<std::string> globals;
  for (const ProgramPlan::Step& step : program.steps) {
    const Action& action = script.commands[step.command].action;
    if (step.instance == instance && action.get) globals.push_back(action.field);
  }
  return globals;
}

// Instances as parts, those that are imported from named by their places among `instances`.
class Parts {
 public:
  Status Add(const WastFile& file, const InstancePlan& plan, size_t instance,
             const std::vector<std::string>& globals) {
    WB_ASSIGN(auto module, DecodeFile(file, file.script.commands[plan.command].filename));
    LinkPart part{InstanceName(instance), WithGetters(std::move(module), globals), {}};
    for (const auto& [name, from] : plan.imports_from) part.imports_from[name] = place_.at(from);
    place_[instance] = static_cast<uint32_t>(parts_.size());
    parts_.push_back(std::move(part));
    return {};
  }
  Result<std::shared_ptr<const Module>> LinkAll() const {
    return Link(parts_, Spectest(), Instantiation::kBySteps);
  }

 private:
  std::vector<LinkPart> parts_;
  std::map<size_t, uint32_t> place_;
};

// The instances that this one imports from, and those that they import from.
std::set<size_t> Providers(const Plan& plan, const InstancePlan& of) {
  std::set<size_t> providers;
  std::vector<const InstancePlan*> open = {&of};
  while (!open.empty()) {
    const InstancePlan& next = *open.back();
    open.pop_back();
    for (const auto& [name, from] : next.imports_from) {
      if (providers.insert(from).second) open.push_back(&plan.instances[from]);
    }
  }
  return providers;
}

Result<std::shared_ptr<const Module>> LinkAfter(const WastFile& file, const Plan& plan,
                                                const InstancePlan& last) {
  Parts parts;
  for (const size_t instance : Providers(plan, last)) {
    WB_TRY(parts.Add(file, plan.instances[instance], instance, {}));
  }
  WB_TRY(parts.Add(file, last, plan.instances.size(), {}));
  return parts.LinkAll();
}

}  // namespace

std::string InstanceName(size_t instance) { return std::to_string(instance); }

Result<std::shared_ptr<const Module>> DecodeFile(const WastFile& file,
                                                 const std::string& filename) {
  WB_ASSIGN(const Bytes binary, ReadFileBytes(file.folder / filename));
  return Module::Decode(binary, file.proposals);
}

Result<std::shared_ptr<const Module>> ModuleOf(const WastFile& file, const Plan& plan,
                                               const ProgramPlan& program) {
  if (!program.linked()) {
    const size_t instance = program.instances[0];
    const Command& command = file.script.commands[plan.instances[instance].command];
    WB_ASSIGN(auto module, DecodeFile(file, command.filename));
    return WithGetters(std::move(module), GlobalsRead(file.script, program, instance));
  }
  Parts parts;
  for (const size_t instance : program.instances) {
    WB_TRY(parts.Add(file, plan.instances[instance], instance,
                     GlobalsRead(file.script, program, instance)));
  }
  return parts.LinkAll();
}

Outcome JudgeUnlinkable(const WastFile& file, const Plan& plan, const InstancePlan& unlinkable) {
  const auto linked = LinkAfter(file, plan, unlinkable);
  if (linked.ok()) return {Verdict::kFailed, "its imports could be bound"};
  const Status& status = linked.status();
  const std::string& expected = file.script.commands[unlinkable.command].text;
  const bool right = status.reason() == Reason::kImportNotProvided &&
                     status.message().find("(" + expected + ")") != std::string::npos;
  if (right) return {Verdict::kPassed, ""};
  return {Verdict::kFailed, "expected [" + expected + "]: " + status.message()};
}

CallStep StepOf(const Script& script, const Plan& plan, const ProgramPlan& program,
                const ProgramPlan::Step& step) {
  CallStep call;
  call.go_on_after_trap = true;
  if (program.linked()) call.instance = InstanceName(step.instance);
  if (plan.instances[step.instance].command == step.command) {
    call.function = kInstantiateExport;
    return call;
  }
  const Action& action = script.commands[step.command].action;
  call.function = action.get ? GetterName(action.field) : action.field;
  for (const ScriptValue& argument : action.args) {
    Operand operand;
    operand.value = argument.value;
    call.args.push_back(operand);
  }
  return call;
}

}  // namespace wb::spec
