// wasmburstctl session: instances that stay between calls.

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/cli/commands/commands.h"
#include "client/cli/commands/job_results.h"
#include "client/cli/invocation/module_file.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/program/arg_spec.h"
#include "client/cli/program/duration.h"
#include "client/cli/program/files.h"
#include "client/cli/program/job_options.h"
#include "client/cli/program/program.h"
#include "client/services/modules.h"
#include "client/services/sessions.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

struct OpenOptions {
  ModuleFile file;
  std::vector<std::string> modules;  // NAME=FILE
  uint64_t instances = 1;
  std::string idle;
  JobOptions job;
};

struct CallOptions {
  std::string name;
  ProgramOptions program;
  std::string program_file;
  LimitOptions limits;
  bool wait = false;
  ResultOptions results;
};

struct MemoryOptions {
  std::string name;
  uint64_t instance = 0;
  bool all = false;
  uint32_t memory = 0;
  uint64_t address = 0;
  uint64_t bytes = 0;
  std::string file;
};

std::string FullSessionName(const std::string& name) {
  return name.empty() || name.find('/') != std::string::npos ? name : "sessions/" + name;
}

// --- open

Status AddLinked(Invocation& invocation, const std::vector<std::string>& modules,
                 v1::Session* opened) {
  for (const std::string& text : modules) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Status(Reason::kInvalidArgument, "The module [" + text + "] is not NAME=FILE.");
    }
    WB_ASSIGN(const v1::Module module, ModuleFrom(invocation, text.substr(equals + 1)));
    v1::LinkedModule* linked = opened->add_linked();
    linked->set_name(text.substr(0, equals));
    linked->set_module(module.name());
  }
  return {};
}

Result<v1::Session> AskedOf(const OpenOptions& options) {
  v1::Job job;
  WB_TRY(SetJobOptions(options.job, &job));
  v1::Session asked;
  asked.set_instances(options.instances);
  *asked.mutable_limits() = job.limits();
  *asked.mutable_bindings() = job.bindings();
  *asked.mutable_labels() = job.labels();
  asked.set_placement(job.placement());
  asked.set_floats(job.floats());
  if (options.idle.empty()) return asked;
  WB_ASSIGN(const int64_t idle, ParseDuration(options.idle));
  asked.mutable_idle()->set_seconds(idle / 1'000'000'000);
  asked.mutable_idle()->set_nanos(static_cast<int32_t>(idle % 1'000'000'000));
  return asked;
}

Result<int> Open(Invocation& invocation, const OpenOptions& options) {
  WB_ASSIGN(v1::Session asked, AskedOf(options));
  WB_TRY(AddLinked(invocation, options.modules, &asked));
  WB_ASSIGN(const v1::Module module, ModuleFrom(invocation, options.file));
  asked.set_module(module.name());
  WB_ASSIGN(const v1::Session opened, OpenSession(invocation.client(), asked));
  if (invocation.json()) {
    invocation.PrintMessage(opened);
  } else {
    PrintLine(opened.name());
  }
  return 0;
}

void AddOpen(CLI::App* noun, Command* chosen) {
  auto options = std::make_shared<OpenOptions>();
  CLI::App* command = noun->add_subcommand(
      "open",
      "Open a session: instances whose memories, globals and tables stay from call to call. "
      "Prints its name.\n"
      "Example: wasmburstctl session open world.wasm --instances 32 --idle 10m");
  AddModuleFileOptions(command, "FILE.wasm, FILE.wat, - or modules/sha256:...", &options->file);
  command
      ->add_option("--module", options->modules,
                   "NAME=FILE: a module that FILE, or a --module behind it, imports from as NAME")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  command->add_option("--instances", options->instances, "how many; default: 1");
  command->add_option("--idle", options->idle,
                      "unused for so long it closes, such as 10m; without it as the daemon says");
  AddLimitOptions(command, &options->job.limits);
  command
      ->add_option("--placement", options->job.placement,
                   "auto (the processor), cpu, gpu or interpreter")
      ->check(CLI::IsMember({"auto", "cpu", "gpu", "interpreter"}));
  command
      ->add_option("--bind", options->job.bindings, "MODULE.NAME=WAY, as of job run; not to host")
      ->type_name("MODULE.NAME=WAY")
      ->allow_extra_args(false);
  command->add_option("--label", options->job.labels, "KEY=VALUE, of the jobs of its calls")
      ->allow_extra_args(false);
  command->callback([chosen, options] {
    chosen->run = [options](Invocation& invocation) { return Open(invocation, *options); };
  });
}

// --- call

// The modules as they were uploaded, whose exports say what can be called.
Result<v1::Module> ModulesCalled(Invocation& invocation, const v1::Session& called,
                                 ProgramOptions* program) {
  for (const v1::LinkedModule& linked : called.linked()) {
    WB_ASSIGN(program->linked[linked.name()], GetModule(invocation.client(), linked.module()));
  }
  return GetModule(invocation.client(), called.module());
}

Result<v1::CallSessionRequest> RequestOf(Invocation& invocation, CallOptions* options,
                                         const v1::Session& called) {
  ProgramOptions& program = options->program;
  if (options->program_file.empty() == program.call.empty()) {
    return Status(Reason::kInvalidArgument, "Give either FUNCTION or --program FILE.");
  }
  if (!options->program_file.empty()) {
    WB_ASSIGN(program.program, ReadFile(options->program_file));
  }
  program.instances = called.instances();
  WB_ASSIGN(const v1::Module module, ModulesCalled(invocation, called, &program));
  std::vector<InputColumn> inputs;
  WB_ASSIGN(v1::Job job, BuildJob(program, module, &inputs));
  WB_TRY(ChooseShownInputs(inputs, called.instances(), &options->results));
  v1::CallSessionRequest request;
  request.set_name(called.name());
  *request.mutable_steps() = std::move(*job.mutable_steps());
  *request.mutable_columns() = std::move(*job.mutable_columns());
  *request.mutable_inputs() = job.inputs();
  WB_TRY(SetLimits(options->limits, request.mutable_limits()));
  return request;
}

// Those that did not get to an end of their own.
void TellKept(Invocation& invocation, const std::string& name) {
  const Result<v1::Session> after = GetSession(invocation.client(), name);
  if (!after.ok() || after->running() || after->changed() == after->instances()) return;
  invocation.Talk(std::to_string(after->instances() - after->changed()) + " of " +
                  std::to_string(after->instances()) +
                  " instances have the state from before the call.");
  if (!after->not_kept().empty()) invocation.Talk(after->not_kept());
}

Result<int> CallIt(Invocation& invocation, CallOptions options) {
  WB_TRY(CheckTargets(options.results));
  WB_ASSIGN(const v1::Session called, GetSession(invocation.client(), options.name));
  WB_ASSIGN(v1::CallSessionRequest request, RequestOf(invocation, &options, called));
  WB_ASSIGN(const v1::Job job, CallSession(invocation.client(), std::move(request), options.wait));
  options.results.texts = OutputTexts(job);
  options.results.follow = options.results.cancels = true;
  WB_ASSIGN(const int code, ReadResults(invocation, job.name(), options.results));
  TellKept(invocation, called.name());
  return code;
}

void AddCall(CLI::App* noun, Command* chosen) {
  auto options = std::make_shared<CallOptions>();
  CLI::App* command = noun->add_subcommand(
      "call",
      "Call a function in all of a session's instances, and print its results.\n"
      "Example: wasmburstctl session call sessions/01J... step --arg 0..32 -o csv");
  command->add_option("name", options->name, "sessions/..., or the id behind it")
      ->transform(FullSessionName)
      ->required();
  command->add_option("function", options->program.call, "exported function to call");
  command
      ->add_option("--arg", options->program.args,
                   std::string("one for each parameter:\n") + kArgForms)
      ->allow_extra_args(false);
  command
      ->add_option("--read", options->program.reads,
                   "NAME=LENGTH: after the call, read LENGTH bytes of memory at its first result "
                   "into output NAME; NAME=zero:MOST ends before the first zero byte")
      ->allow_extra_args(false);
  command
      ->add_option("--program", options->program_file,
                   "JSON file with several steps, instead of FUNCTION; as of job run")
      ->type_name("FILE");
  command->add_flag("--wait", options->wait,
                    "wait for the call before to end; else its job is named and nothing is done");
  AddLimitOptions(command, &options->limits);
  AddResultOptions(command, &options->results);
  AddInputOptions(command, &options->results);
  command->callback([chosen, options] {
    chosen->prints_csv = true;
    chosen->run = [options](Invocation& invocation) { return CallIt(invocation, *options); };
  });
}

// --- memory

Result<int> Read(Invocation& invocation, const MemoryOptions& options) {
  v1::ReadMemoryRequest request;
  request.set_name(options.name);
  request.set_instance(options.instance);
  request.set_memory(options.memory);
  request.set_address(options.address);
  request.set_bytes(options.bytes);
  WB_ASSIGN(const Bytes bytes, ReadMemory(invocation.client(), request));
  const std::string text(AsText(bytes));
  if (!options.file.empty()) {
    WB_TRY(WriteFile(options.file, text));
  } else {
    PrintLine(Hex(text));
  }
  return 0;
}

Result<int> Write(Invocation& invocation, const MemoryOptions& options) {
  v1::WriteMemoryRequest request;
  request.set_name(options.name);
  request.set_instance(options.instance);
  request.set_all(options.all);
  request.set_memory(options.memory);
  request.set_address(options.address);
  WB_ASSIGN(*request.mutable_data(), ReadFile(options.file));
  WB_TRY(WriteMemory(invocation.client(), request));
  return 0;
}

CLI::App* AddMemory(CLI::App* noun, const char* verb, const char* meaning,
                    const std::shared_ptr<MemoryOptions>& options) {
  CLI::App* command = noun->add_subcommand(verb, meaning);
  command->add_option("name", options->name, "sessions/..., or the id behind it")
      ->transform(FullSessionName)
      ->required();
  command->add_option("--memory", options->memory, "number of the memory; default: 0");
  command->add_option("--at", options->address, "the first byte's address")->required();
  return command;
}

void AddRead(CLI::App* noun, Command* chosen) {
  auto options = std::make_shared<MemoryOptions>();
  CLI::App* command =
      AddMemory(noun, "read",
                "Read an instance's memory between two calls: hexadecimal, or to a file.\n"
                "Example: wasmburstctl session read sessions/01J... --instance 3 --at 1024 "
                "--bytes 16",
                options);
  command->add_option("--instance", options->instance, "its number; default: 0");
  command->add_option("--bytes", options->bytes, "how many")->required();
  command->add_option("--file", options->file, "a file that they go to")->type_name("FILE");
  command->callback([chosen, options] {
    chosen->run = [options](Invocation& invocation) { return Read(invocation, *options); };
  });
}

void AddWrite(CLI::App* noun, Command* chosen) {
  auto options = std::make_shared<MemoryOptions>();
  CLI::App* command =
      AddMemory(noun, "write",
                "Write a file's bytes to an instance's memory, or to that of all, between two "
                "calls.\n"
                "Example: wasmburstctl session write sessions/01J... --all --at 1024 map.bin",
                options);
  CLI::Option* one = command->add_option("--instance", options->instance, "its number; default: 0");
  command->add_flag("--all", options->all, "to every instance")->excludes(one);
  command->add_option("file", options->file, "the bytes; - is standard input")->required();
  command->callback([chosen, options] {
    chosen->run = [options](Invocation& invocation) { return Write(invocation, *options); };
  });
}

// --- list, get, close

std::vector<std::string> SessionRow(const v1::Session& session) {
  return {session.name(),
          std::to_string(session.instances()),
          std::to_string(session.calls()),
          SizeText(session.bytes()),
          TimeText(session.expire_time()),
          session.running() ? session.job() : ""};
}

Result<int> ListOpen(Invocation& invocation) {
  v1::ListSessionsRequest request;
  v1::ListSessionsResponse all;
  do {
    WB_ASSIGN(const v1::ListSessionsResponse page, ListSessions(invocation.client(), request));
    request.set_page_token(page.next_page_token());
    all.MergeFrom(page);
  } while (!request.page_token().empty());
  all.clear_next_page_token();
  if (invocation.format() == Format::kJson) invocation.PrintMessage(all);
  std::vector<std::vector<std::string>> rows = {
      {"NAME", "INSTANCES", "CALLS", "STATES", "CLOSES AT", "RUNNING"}};
  for (const v1::Session& one : all.sessions()) {
    if (invocation.format() == Format::kJsonl) invocation.PrintMessage(one);
    rows.push_back(SessionRow(one));
  }
  if (!invocation.json()) Print(Table(rows));
  return 0;
}

Result<int> ShowSession(Invocation& invocation, const std::string& name) {
  WB_ASSIGN(const v1::Session one, GetSession(invocation.client(), name));
  if (invocation.json()) {
    invocation.PrintMessage(one);
    return 0;
  }
  std::vector<std::vector<std::string>> rows = {
      {"name", one.name()},
      {"module", one.module()},
      {"instances", std::to_string(one.instances())},
      {"calls", std::to_string(one.calls())},
      {"last call", one.job() + (one.running() ? ", which goes on" : "")},
      {"with its state", std::to_string(one.changed()) + " instances; the others from before"},
      {"states", SizeText(one.bytes())},
      {"closes", TimeText(one.expire_time()) + " unless it is used"}};
  if (one.calls() == 0) rows.erase(rows.begin() + 4, rows.begin() + 6);
  if (!one.not_kept().empty()) rows.push_back({"no more calls", one.not_kept()});
  Print(Table(rows));
  return 0;
}

using OneSession = Result<int> (*)(Invocation&, const std::string&);

void AddOne(CLI::App* noun, Command* chosen, const char* verb, const char* meaning,
            OneSession run) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = noun->add_subcommand(verb, meaning);
  command->add_option("name", *name, "sessions/..., or the id behind it")
      ->transform(FullSessionName)
      ->required();
  command->callback([chosen, name, run] {
    chosen->run = [name, run](Invocation& invocation) { return run(invocation, *name); };
  });
}

Result<int> CloseIt(Invocation& invocation, const std::string& name) {
  WB_TRY(CloseSession(invocation.client(), name));
  return 0;
}

}  // namespace

void AddSessionCommands(CLI::App* app, Command* chosen) {
  CLI::App* noun = app->add_subcommand("session", "Instances that stay between calls");
  noun->require_subcommand(1);
  AddOpen(noun, chosen);
  AddCall(noun, chosen);
  AddRead(noun, chosen);
  AddWrite(noun, chosen);
  CLI::App* list = noun->add_subcommand("list", "List the sessions that are open, newest first.");
  list->callback([chosen] { chosen->run = ListOpen; });
  AddOne(noun, chosen, "get", "Show a session.", ShowSession);
  AddOne(noun, chosen, "close",
         "Close a session; a call of it that is under way is cancelled. Its instances are gone.",
         CloseIt);
}

}  // namespace wb::cli
