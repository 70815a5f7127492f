#include "tests/spec/suite.h"

#include <algorithm>
#include <utility>

#include "tests/spec/decoder_check.h"
#include "tests/spec/lane_run.h"
#include "tests/spec/spectest.h"

namespace wb::spec {
namespace {

constexpr size_t kMaxSteps = 4096;  // of one lane program

Result<std::shared_ptr<const Module>> DecodeFile(const WastFile& file,
                                                 const std::string& filename) {
  WB_ASSIGN(const Bytes binary, ReadFileBytes(file.folder / filename));
  return Module::Decode(binary);
}

// What another part refuses by name is a refusal; every other error is a failure.
Outcome OutcomeOf(const Status& status) {
  switch (status.reason()) {
    case Reason::kWasmUnsupportedFeature:
    case Reason::kImportNotProvided: return {Verdict::kRefused, status.message()};
    default: return {Verdict::kFailed, status.ToString()};
  }
}

// What `spectest` alone decides; other modules would have to be linked.
Outcome JudgeUnlinkable(const Command& command, const std::shared_ptr<const Module>& module) {
  const auto bound = BindImports(module, Spectest());
  if (bound.ok()) return {Verdict::kFailed, "its imports could be bound"};
  const Status& status = bound.status();
  if (status.details()[0].value.rfind("spectest.", 0) != 0) {
    return {Verdict::kRefused, "linking: imports of other modules"};
  }
  const bool unknown = status.message().find("is not provided") != std::string::npos;
  if (command.text == (unknown ? "unknown import" : "incompatible import type")) {
    return {Verdict::kPassed, ""};
  }
  return {Verdict::kFailed, "expected [" + command.text + "]: " + status.message()};
}

bool IsStateless(const Module& module) {
  const bool writes_global = std::any_of(module.globals.begin(), module.globals.end(),
                                         [](const Global& global) { return global.is_mutable; });
  return module.memories.empty() && module.tables.empty() && !writes_global;
}

CallStep StepOf(const Command& command) {
  CallStep step;
  step.function = command.action.get ? GetterName(command.action.field) : command.action.field;
  step.go_on_after_trap = true;
  for (const ScriptValue& argument : command.action.args) {
    Operand operand;
    operand.value = argument.value;
    step.args.push_back(operand);
  }
  return step;
}

// The commands as one lane program; none: instantiation alone.
Result<EncodedProgram> Encode(const Module& module, const Script& script,
                              const std::vector<size_t>& calls) {
  if (calls.empty()) return EncodedProgram();
  std::vector<Step> steps;
  for (const size_t call : calls) steps.emplace_back(StepOf(script.commands[call]));
  return EncodeProgram(module, steps, {});
}

}  // namespace

PreparedScript Suite::Prepare(WastFile file) {
  PreparedScript script;
  script.file = std::move(file);
  const WastFile& from = script.file;
  script.plan = MakePlan(from.script, [&](const std::string& filename) {
    std::vector<std::string> names;
    if (const auto module = DecodeFile(from, filename); module.ok()) {
      for (const Import& import : (*module)->imports) names.push_back(import.module);
    }
    return names;
  });
  for (const size_t index : script.plan.decoder_checks) {
    const Command& command = from.script.commands[index];
    const auto bytes = ReadFileBytes(from.folder / command.filename);
    script.plan.outcomes[index] = bytes.ok() ? CheckDecoder(command, *bytes)
                                             : Outcome{Verdict::kFailed, bytes.status().ToString()};
  }
  for (const size_t index : script.plan.unlinkable) {
    const Command& command = from.script.commands[index];
    const auto module = DecodeFile(from, command.filename);
    script.plan.outcomes[index] =
        module.ok() ? JudgeUnlinkable(command, *module) : OutcomeOf(module.status());
  }
  for (size_t i = 0; i < script.plan.instances.size(); ++i) PrepareInstance(&script, i);
  return script;
}

void Suite::PrepareInstance(PreparedScript* script, size_t index) {
  const InstancePlan& plan = script->plan.instances[index];
  const Command& command = script->file.script.commands[plan.command];
  const auto refuse = [&](const Status& status) {
    DecideAll(plan, OutcomeOf(status), &script->plan.outcomes);
  };
  PreparedInstance instance;
  instance.plan = index;
  auto module = DecodeFile(script->file, command.filename);
  if (!module.ok()) return refuse(module.status());
  std::vector<std::string> globals;
  for (const size_t call : plan.calls) {
    const Action& action = script->file.script.commands[call].action;
    if (action.get) globals.push_back(action.field);
  }
  instance.module = WithGetters(std::move(*module), globals);
  auto lowered = Lower(instance.module, Spectest());
  if (!lowered.ok()) return refuse(lowered.status());
  instance.lowered = std::move(*lowered);
  if (device_ == nullptr) return;
  KernelSource source;
  if (device_->info().engine == Engine::kInterpreter) {
    source.layout = instance.lowered->layout;
    source.digest = instance.module->digest();
  } else {
    CompileOptions options = device_->info().options;
    options.flattening = flattening_;
    auto emitted = EmitKernel(*instance.lowered, options);
    if (!emitted.ok()) return refuse(emitted.status());
    source = std::move(*emitted);
  }
  instance.binary = pool_->Submit(instance.lowered, std::move(source));
  script->instances.push_back(std::move(instance));
}

void Suite::Run(PreparedScript* script) {
  for (PreparedInstance& instance : script->instances) {
    const InstancePlan& plan = script->plan.instances[instance.plan];
    const Status status = RunInstance(*script, instance, &script->plan.outcomes);
    if (!status.ok()) DecideAll(plan, OutcomeOf(status), &script->plan.outcomes);
    instance = {};  // the kernel's memory goes back at once
  }
}

Status Suite::RunInstance(const PreparedScript& script, const PreparedInstance& instance,
                          std::vector<Outcome>* outcomes) {
  const InstancePlan& plan = script.plan.instances[instance.plan];
  const auto& binary = *instance.binary.get();
  if (!binary.ok()) return binary.status();
  WB_ASSIGN(const PipelineRef pipeline, device_->Load(instance.lowered, *binary));
  InstancePlan part{plan.command, {}};
  size_t begin = 0;
  do {
    // A program of more steps than one may hold goes on in a fresh instance, which nobody can tell
    // where there is nothing to remember.
    const size_t end = std::min(plan.calls.size(), begin + kMaxSteps);
    part.calls.assign(plan.calls.begin() + begin, plan.calls.begin() + end);
    WB_ASSIGN(const EncodedProgram program,
              Encode(*instance.module, script.file.script, part.calls));
    WB_ASSIGN(const Observed observed,
              RunLanes(*device_, instance.lowered, pipeline, program, leave_));
    WB_TRY(CheckReference(instance, program, observed));
    JudgeInstance(script.file.script, part, observed, outcomes);
    begin = end;
  } while (begin < plan.calls.size() && IsStateless(*instance.module));
  for (; begin < plan.calls.size(); ++begin) {
    (*outcomes)[plan.calls[begin]] = {Verdict::kRefused,
                                      "length: more steps than a lane program holds"};
  }
  return {};
}

Status Suite::CheckReference(const PreparedInstance& instance, const EncodedProgram& program,
                             const Observed& observed) {
  if (reference_ == nullptr) return {};
  WB_ASSIGN(const Bytes binary, reference_->Build(*instance.lowered, KernelSource()));
  WB_ASSIGN(const PipelineRef pipeline, reference_->Load(instance.lowered, binary));
  WB_ASSIGN(const Observed expected,
            RunLanes(*reference_, instance.lowered, pipeline, program, /*leave=*/false));
  return CompareRecords("The engine and the interpreter", observed.record, expected.record);
}

}  // namespace wb::spec
