#include <CLI/CLI.hpp>

#include "client/cli/commands/commands.h"
#include "client/cli/commands/host_serving.h"
#include "client/cli/commands/job_results.h"
#include "client/cli/invocation/module_file.h"
#include "client/cli/output/exit_code.h"
#include "client/cli/output/progress.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/presets/preset_job.h"
#include "client/cli/presets/script_array.h"
#include "client/cli/program/arg_spec.h"
#include "client/cli/program/each_file.h"
#include "client/cli/program/files.h"
#include "client/cli/program/job_options.h"
#include "client/cli/program/program.h"
#include "client/services/jobs.h"
#include "client/services/modules.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

struct RunOptions {
  ModuleFile file;
  std::vector<std::string> modules;  // NAME=FILE
  std::string program_file;
  std::string each_file;  // a pattern
  ProgramOptions program;
  std::string call_as;  // a preset's name
  bool plain_result = false;
  JobOptions job;
  HostFlags host;
  std::string request_id;
  bool validate_only = false;
  bool keep_running = false;
  ResultOptions results;
};

// Uploads what --module names, in that order.
Result<std::vector<v1::LinkedModule>> LinkedModules(Invocation& invocation, RunOptions* options) {
  std::vector<v1::LinkedModule> linked;
  for (const std::string& text : options->modules) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Status(Reason::kInvalidArgument, "The module [" + text + "] is not NAME=FILE.");
    }
    const std::string name = text.substr(0, equals);
    WB_ASSIGN(v1::Module module, ModuleFrom(invocation, text.substr(equals + 1)));
    linked.emplace_back().set_name(name);
    linked.back().set_module(module.name());
    options->program.linked[name] = std::move(module);
  }
  return linked;
}

Status CheckPreset(RunOptions* options) {
  if (options->call_as.empty()) {
    if (!options->plain_result) return {};
    return Status(Reason::kInvalidArgument, "--plain-result goes with --call-as.");
  }
  if (!options->program_file.empty()) {
    return Status(Reason::kInvalidArgument, "--call-as [" + options->call_as +
                                                "] makes the steps that --program says; give "
                                                "one of them.");
  }
  const bool is_hash = PresetNamed(options->call_as) == Preset::kHashWasm;
  if (is_hash && options->program.call.empty()) options->program.call = "Hash_Final";
  return {};
}

Status ReadProgram(RunOptions* options) {
  WB_TRY(CheckPreset(options));
  if (options->program_file.empty() == options->program.call.empty()) {
    return Status(Reason::kInvalidArgument, "Give either --call EXPORT or --program FILE.");
  }
  if (!options->program_file.empty()) {
    WB_ASSIGN(options->program.program, ReadFile(options->program_file));
  }
  const bool placed = !options->program.alloc.empty() || !options->program.write_at.empty();
  const bool has_bytes = !options->each_file.empty() || !options->call_as.empty();
  if (placed && (!has_bytes || options->program.call.empty())) {
    return Status(Reason::kInvalidArgument,
                  "--alloc and --write-at say where bytes go for --call: with --each-file or "
                  "--call-as.");
  }
  if (options->each_file.empty()) return {};
  WB_ASSIGN(options->program.files, ReadEachFile(options->each_file));
  return {};
}

Result<v1::Job> JobOf(const RunOptions& options, const v1::Module& module,
                      std::vector<InputColumn>* inputs) {
  if (options.call_as.empty()) return BuildJob(options.program, module, inputs);
  return BuildPresetJob({*PresetNamed(options.call_as), options.plain_result, options.program},
                        module, inputs);
}

// What a preset links with the user's module.
Status PushPresetModule(Invocation& invocation, v1::Job* job) {
  for (v1::LinkedModule& linked : *job->mutable_linked()) {
    WB_ASSIGN(const v1::Module module, PushModule(invocation.client(), ArrayBytesModule()));
    linked.set_module(module.name());
  }
  return {};
}

// What a command that stays has of its job; none of a command that only submits it.
struct Followed {
  ResultOptions* results = nullptr;  // gets the inputs that are to be shown with them
  HostServing* serving = nullptr;    // is started for the job
};

std::vector<v1::Module> ModulesOf(const v1::Module& module, const ProgramOptions& program) {
  std::vector<v1::Module> modules = {module};
  for (const auto& [name, linked] : program.linked) modules.push_back(linked);
  return modules;
}

// Binds what is left to the program of --host, and starts it.
Status PrepareHost(const RunOptions& options, const v1::Module& module, HostServing* serving,
                   v1::Job* job) {
  if (serving == nullptr) return {};
  const std::vector<v1::Module> modules = ModulesOf(module, options.program);
  WB_TRY(BindHost(options.host, modules, job));
  return options.validate_only ? Status() : serving->Start(options.host, modules);
}

Result<v1::Job> Submit(Invocation& invocation, RunOptions options, const Followed& followed) {
  WB_TRY(ReadProgram(&options));
  WB_ASSIGN(const std::vector<v1::LinkedModule> linked, LinkedModules(invocation, &options));
  WB_ASSIGN(v1::Module module, ModuleFrom(invocation, options.file));
  v1::CreateJobRequest request;
  std::vector<InputColumn> inputs;
  WB_ASSIGN(*request.mutable_job(), JobOf(options, module, &inputs));
  WB_TRY(PushPresetModule(invocation, request.mutable_job()));
  if (followed.results != nullptr) {
    WB_TRY(ChooseShownInputs(inputs, request.job().instances(), followed.results));
  }
  request.mutable_job()->set_module(module.name());
  for (const v1::LinkedModule& part : linked) *request.mutable_job()->add_linked() = part;
  WB_TRY(SetJobOptions(options.job, request.mutable_job()));
  WB_TRY(PrepareHost(options, module, followed.serving, request.mutable_job()));
  request.set_request_id(options.request_id);
  request.set_validate_only(options.validate_only);
  Progress progress(invocation.flags().quiet);
  return CreateJob(invocation.client(), std::move(request),
                   [&progress](uint64_t sent, uint64_t of) { progress.ShowUpload(sent, of); });
}

// Of a job that goes on without this command.
void TellHowToServe(const Invocation& invocation, const std::string& job, const HostFlags& host) {
  if (host.command.empty()) return;
  invocation.Talk("To answer its calls, which trap after their --host-timeout:\n  " +
                  ServeCommandText(job, host));
}

Result<int> RunJob(Invocation& invocation, const RunOptions& options) {
  WB_TRY(CheckTargets(options.results));
  ResultOptions results = options.results;
  HostServing serving(invocation);
  WB_ASSIGN(v1::Job job, Submit(invocation, options, {&results, &serving}));
  if (options.validate_only) {
    invocation.Talk("The job is valid; nothing was run.");
    return 0;
  }
  serving.Serve(job.name(), 0);
  results.texts = OutputTexts(job);
  results.follow = true;
  results.cancels = !options.keep_running;
  Result<int> code = ReadResults(invocation, job.name(), results);
  if (code.ok() && (*code == kInterrupted || *code == kTooLate)) {
    TellHowToServe(invocation, job.name(), options.host);
  }
  return code;
}

Result<int> SubmitJob(Invocation& invocation, const RunOptions& options) {
  WB_ASSIGN(v1::Job job, Submit(invocation, options, {}));
  if (invocation.json()) {
    invocation.PrintMessage(job);
  } else {
    PrintLine(options.validate_only ? "The job is valid; nothing was run." : job.name());
  }
  return 0;
}

void AddFileOptions(CLI::App* command, RunOptions* options) {
  command
      ->add_option(
          "--each-file", options->each_file,
          "an instance for each file that the quoted pattern matches, such as 'in/*', in "
          "the order of their names. With --call F the bytes go to memory and F takes "
          "pointer and length before --arg...; in --program they are the column [file], and "
          "{\"column_length\": \"file\"} is the length")
      ->type_name("PATTERN");
  command
      ->add_option("--alloc", options->program.alloc,
                   "with --each-file or --call-as, and --call: the export that takes the length "
                   "and returns the "
                   "pointer, such as malloc")
      ->type_name("EXPORT");
  command
      ->add_option("--write-at", options->program.write_at,
                   "instead of --alloc: the address that the bytes go to")
      ->type_name("ADDRESS");
}

void AddPresetOptions(CLI::App* command, RunOptions* options) {
  command
      ->add_option("--call-as", options->call_as,
                   "the convention of the call, by which arguments of bytes (text:..., hex:..., "
                   "@FILE, bytes:...) are put into memory and the result is read:\n" +
                       PresetForms())
      ->check(CLI::IsMember(PresetNames()))
      ->type_name("PRESET");
  command->add_flag("--plain-result", options->plain_result,
                    "with --call-as: the result is a number, not a pointer");
}

void AddRunOptions(CLI::App* command, RunOptions* options) {
  AddModuleFileOptions(command, "FILE.wasm, FILE.wat, - or modules/sha256:...", &options->file);
  command
      ->add_option("--module", options->modules,
                   "NAME=FILE (or NAME=modules/sha256:...): a module that FILE, or a --module "
                   "behind it, imports from as NAME")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  AddFileOptions(command, options);
  command->add_option("--call", options->program.call, "exported function to call");
  AddPresetOptions(command, options);
  command
      ->add_option("--arg", options->program.args,
                   std::string("one for each parameter:\n") + kArgForms)
      ->allow_extra_args(false);
  command
      ->add_option("--read", options->program.reads,
                   "NAME=LENGTH: after the call, read LENGTH bytes of memory at its first "
                   "result into output NAME; NAME=zero:MOST ends before the first zero byte")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--program", options->program_file,
          std::string("JSON file with several steps, instead of the above:\n") + kProgramSchema)
      ->type_name("FILE");
  command->add_option("--instances", options->program.instances,
                      "how many; default: the longest argument's values, or 1");
  AddJobOptions(command, &options->job);
  command->add_option("--request-id", options->request_id,
                      "submitting again with the same id gives the same job");
  command->add_flag("--validate-only", options->validate_only, "check the job, run nothing");
}

void AddResults(CLI::App* job, Command* chosen) {
  auto options = std::make_shared<ResultOptions>();
  auto name = std::make_shared<std::string>();
  CLI::App* results =
      job->add_subcommand("results",
                          "Print a job's results, in the order in which instances finished.\n"
                          "Example: wasmburstctl job results jobs/01J... --follow -o jsonl");
  results->add_option("name", *name, "jobs/..., or the id behind it")
      ->transform(FullJobName)
      ->required();
  results->add_option("--cursor", options->cursor, "read what comes after it");
  results->add_flag("--follow", options->follow,
                    "wait for results to come until the job has ended");
  AddResultOptions(results, options.get());
  results->callback([chosen, name, options] {
    chosen->prints_csv = true;
    chosen->run = [name, options](Invocation& invocation) -> Result<int> {
      // What is wrong with the name, the reading says.
      const Result<v1::Job> read = GetJob(invocation.client(), *name);
      ResultOptions known = *options;
      if (read.ok()) known.texts = OutputTexts(*read);
      return ReadResults(invocation, *name, known);
    };
  });
}

}  // namespace

void AddJobRunCommands(CLI::App* job, Command* chosen) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* run = job->add_subcommand(
      "run",
      "Run a job and print its results.\n"
      "Example: wasmburstctl job run fac.wat --call fac --arg 0..20\n"
      "Example: wasmburstctl job run mandelbrot.wasm --call row --arg 0..1024 --read row=8192 "
      "--concat row=rows.bin --no-results\n"
      "Example: wasmburstctl job run main.wat --module env=library.wat --call run --arg 0..8\n"
      "Example: wasmburstctl job run hash.wasm --each-file 'in/*' --alloc malloc --call hash "
      "--columns file -o csv --ordered\n"
      "Example: wasmburstctl job run parse.wasm --call parse --arg 7 --host ./handler.py "
      "--bind 'env.on_url=host:bytes(1,2)'\n"
      "Example: wasmburstctl job run greet.wasm --call greet --call-as as-string --arg text:you");
  AddRunOptions(run, options.get());
  AddHostFlags(run, &options->host);
  AddResultOptions(run, &options->results);
  AddInputOptions(run, &options->results);
  run->add_flag("--keep-running", options->keep_running,
                "the job goes on when standard output is closed; else it is cancelled");
  run->callback([chosen, options] {
    chosen->prints_csv = true;
    chosen->run = [options](Invocation& invocation) { return RunJob(invocation, *options); };
  });
  auto submitted = std::make_shared<RunOptions>();
  CLI::App* submit = job->add_subcommand(
      "submit",
      "Submit a job and print its name.\n"
      "Example: wasmburstctl job submit pi.wasm --call pi --arg [1,2,3] --fuel 1000000000");
  AddRunOptions(submit, submitted.get());
  submit->callback([chosen, submitted] {
    chosen->run = [submitted](Invocation& invocation) { return SubmitJob(invocation, *submitted); };
  });
  AddResults(job, chosen);
  AddJobServeCommand(job, chosen);
}

}  // namespace wb::cli
