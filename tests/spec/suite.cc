#include "tests/spec/suite.h"

#include <algorithm>
#include <utility>

#include "scheduler/job/program_encoder.h"
#include "tests/spec/decoder_check.h"
#include "tests/spec/lane_run.h"
#include "tests/spec/linkage.h"
#include "tests/spec/spectest.h"

namespace wb::spec {
namespace {

constexpr size_t kMaxSteps = 4096;  // of one lane program

// What another part refuses by name is a refusal; every other error is a failure.
Outcome OutcomeOf(const Status& status) {
  switch (status.reason()) {
    case Reason::kWasmUnsupportedFeature:
    case Reason::kImportNotProvided: return {Verdict::kRefused, status.message()};
    default: return {Verdict::kFailed, status.ToString()};
  }
}

bool IsStateless(const Module& module) {
  const bool writes_global = std::any_of(module.globals.begin(), module.globals.end(),
                                         [](const Global& global) { return global.is_mutable; });
  return module.memories.empty() && module.tables.empty() && !writes_global;
}

// The program's steps as one lane program; none: instantiation alone.
Result<EncodedProgram> Encode(const PreparedScript& script, const PreparedProgram& prepared,
                              const ProgramPlan& part) {
  if (part.steps.empty()) return EncodedProgram();
  std::vector<Step> steps;
  for (const ProgramPlan::Step& step : part.steps) {
    steps.emplace_back(StepOf(script.file.script, script.plan, part, step));
  }
  return EncodeProgram(*prepared.module, steps, {});
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
    script.plan.outcomes[index] = bytes.ok() ? CheckDecoder(command, *bytes, from.proposals)
                                             : Outcome{Verdict::kFailed, bytes.status().ToString()};
  }
  for (const InstancePlan& unlinkable : script.plan.unlinkable) {
    script.plan.outcomes[unlinkable.command] = JudgeUnlinkable(from, script.plan, unlinkable);
  }
  for (size_t i = 0; i < script.plan.programs.size(); ++i) {
    PreparedProgram program;
    program.plan = i;
    const Status status = PrepareProgram(script, &program);
    if (!status.ok()) {
      DecideAll(script.plan, script.plan.programs[i], OutcomeOf(status), &script.plan.outcomes);
    } else if (device_ != nullptr) {
      script.programs.push_back(std::move(program));
    }
  }
  return script;
}

Status Suite::PrepareProgram(const PreparedScript& script, PreparedProgram* program) {
  WB_ASSIGN(program->module,
            ModuleOf(script.file, script.plan, script.plan.programs[program->plan]));
  WB_ASSIGN(program->lowered, Lower(program->module, Spectest(), {}, cuts_));
  if (device_ == nullptr) return {};
  KernelSource source;
  if (device_->info().engine == Engine::kInterpreter) {
    source.layout = program->lowered->layout;
    source.digest = program->module->digest();
  } else {
    CompileOptions options = device_->info().options;
    options.flattening = flattening_;
    WB_ASSIGN(source, EmitKernel(*program->lowered, options));
  }
  program->binary = pool_->Submit(program->lowered, std::move(source));
  return {};
}

void Suite::Run(PreparedScript* script) {
  for (PreparedProgram& prepared : script->programs) {
    const ProgramPlan& program = script->plan.programs[prepared.plan];
    const Status status = RunProgram(*script, prepared, &script->plan.outcomes);
    if (!status.ok()) {
      DecideAll(script->plan, program, OutcomeOf(status), &script->plan.outcomes);
    }
    prepared = {};  // the kernel's memory goes back at once
  }
}

Status Suite::RunProgram(const PreparedScript& script, const PreparedProgram& prepared,
                         std::vector<Outcome>* outcomes) {
  const ProgramPlan& program = script.plan.programs[prepared.plan];
  const auto& binary = *prepared.binary.get();
  if (!binary.ok()) return binary.status();
  WB_ASSIGN(const PipelineRef pipeline, device_->Load(prepared.lowered, *binary));
  ProgramPlan part{program.instances, {}};
  size_t begin = 0;
  do {
    // A program of more steps than one may hold goes on in a fresh instance, which nobody can tell
    // where there is nothing to remember.
    const size_t end = std::min(program.steps.size(), begin + kMaxSteps);
    part.steps.assign(program.steps.begin() + begin, program.steps.begin() + end);
    WB_ASSIGN(const EncodedProgram encoded, Encode(script, prepared, part));
    WB_ASSIGN(const Observed observed,
              RunLanes(*device_, prepared.lowered, pipeline, encoded, leave_));
    WB_TRY(CheckReference(prepared, encoded, observed));
    JudgeProgram(script.file.script, script.plan, part, observed, outcomes);
    begin = end;
  } while (begin < program.steps.size() && !program.linked() && IsStateless(*prepared.module));
  for (; begin < program.steps.size(); ++begin) {
    (*outcomes)[program.steps[begin].command] = {Verdict::kRefused,
                                                 "length: more steps than a lane program holds"};
  }
  return {};
}

Status Suite::CheckReference(const PreparedProgram& prepared, const EncodedProgram& program,
                             const Observed& observed) {
  if (reference_ == nullptr) return {};
  WB_ASSIGN(const Bytes binary, reference_->Build(*prepared.lowered, KernelSource()));
  WB_ASSIGN(const PipelineRef pipeline, reference_->Load(prepared.lowered, binary));
  WB_ASSIGN(const Observed expected,
            RunLanes(*reference_, prepared.lowered, pipeline, program, /*leave=*/false));
  return CompareRecords("The engine and the interpreter", observed.record, expected.record);
}

}  // namespace wb::spec
