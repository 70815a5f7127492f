// wasmburstctl module inspect, compile, check: by the daemon, or without one.

#include <CLI/CLI.hpp>

#include <memory>
#include <nlohmann/json.hpp>

#include "client/cli/commands/commands.h"
#include "client/cli/invocation/module_file.h"
#include "client/cli/output/exit_code.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/presets/module_guide.h"
#include "client/cli/profile/pipeline_table.h"
#include "client/cli/program/local_compiler.h"
#include "client/services/modules.h"
#include "client/services/server.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

struct TextOptions {
  std::string file;
  bool local = false;
  std::string emit = "msl";
  std::string floats = "native";
  std::string layout = "contiguous";
  bool check = false;
  std::string device;  // of inspect; empty: only the module
};

// Whether the programs beside this one do it. They do where --local is given, and where no daemon
// answers at the default address and no other was given. Which it was is said.
Result<bool> IsLocal(Invocation& invocation, const TextOptions& options) {
  if (NamesModule(options.file)) {
    if (!options.local) return false;
    return Status(Reason::kInvalidArgument,
                  "The module [" + options.file + "] is the daemon's; --local takes a file.");
  }
  if (options.local) {
    invocation.Talk("Done here, without a daemon (--local).");
    return true;
  }
  if (invocation.flags().address != kDefaultAddress) return false;
  ClientOptions once = invocation.flags().client;
  once.attempts = 1;
  WB_ASSIGN(const auto probe, Client::Connect(invocation.flags().address, once));
  if (GetServerInfo(*probe).status().reason() != Reason::kUnavailable) return false;
  invocation.Talk("Done here: no daemon answers at [" + invocation.flags().address + "].");
  return true;
}

// The module's message with what the guide says of it.
std::string GuideJson(const v1::Module& module, const std::string& file, bool indented) {
  using Json = nlohmann::ordered_json;
  Json json = Json::parse(MessageJson(module, false));
  json["module_kind"] = ModuleKind(module);
  for (int i = 0; i < module.imports_size(); ++i) {
    json["imports"][static_cast<size_t>(i)]["given"] = ImportGivenBy(module.imports(i));
  }
  Json commands = Json::array();
  for (const GuideLine& line : RunCommands(module, file)) {
    Json command = {{"function", line.function}};
    if (line.preset) command["call_as"] = InfoOf(*line.preset).name;
    command["command"] = line.command;
    commands.push_back(std::move(command));
  }
  json["commands"] = std::move(commands);
  return json.dump(indented ? 1 : -1, ' ', false, Json::error_handler_t::replace);
}

void ShowGuide(const Invocation& invocation, const v1::Module& module, const std::string& file) {
  if (invocation.json()) {
    PrintLine(GuideJson(module, file, invocation.format() == Format::kJson));
  } else {
    PrintLine(module.name() + "\n" + ModuleGuide(module, file));
  }
}

Result<int> ShowPipelines(Invocation& invocation, const std::string& module,
                          const std::string& device) {
  v1::ListPipelinesRequest request;
  request.set_module(module);
  request.set_device(device.starts_with("devices/") ? device : "devices/" + device);
  WB_ASSIGN(const v1::ListPipelinesResponse response, ListPipelines(invocation.client(), request));
  if (invocation.json()) {
    invocation.PrintMessage(response);
  } else if (response.pipelines().empty()) {
    invocation.Talk("The device has run no job of the module since the daemon started.");
  } else {
    Print(PipelineTable(response));
  }
  return 0;
}

Result<int> Inspect(Invocation& invocation, const TextOptions& options) {
  if (options.local && !options.device.empty()) {
    return Status(Reason::kInvalidArgument, "--device asks the daemon; leave out --local.");
  }
  const bool asks_daemon = !options.device.empty();
  WB_ASSIGN(const bool local, asks_daemon ? Result<bool>(false) : IsLocal(invocation, options));
  v1::Module module;
  if (NamesModule(options.file)) {
    WB_ASSIGN(module, GetModule(invocation.client(), FullModuleName(options.file)));
  } else {
    WB_ASSIGN(const std::string wasm, ReadModuleFile(options.file));
    WB_ASSIGN(module, local ? InspectHere(wasm)
                            : PushModule(invocation.client(), wasm, /*validate_only=*/true));
  }
  if (!options.device.empty()) return ShowPipelines(invocation, module.name(), options.device);
  ShowGuide(invocation, module, options.file);
  return 0;
}

v1::CompileModuleRequest::TextFloats FloatsNamed(const std::string& name) {
  if (name == "metal") return v1::CompileModuleRequest::METAL;
  return name == "fast32" ? v1::CompileModuleRequest::FAST32 : v1::CompileModuleRequest::NATIVE;
}

Result<v1::CompileModuleResponse> Compiled(Invocation& invocation, const TextOptions& options) {
  WB_ASSIGN(const bool local, IsLocal(invocation, options));
  v1::CompileModuleRequest request;
  if (NamesModule(options.file)) {
    request.set_name(FullModuleName(options.file));
  } else {
    WB_ASSIGN(*request.mutable_wasm(), ReadModuleFile(options.file));
  }
  request.set_emit(options.emit == "ir" ? v1::CompileModuleRequest::IR
                                        : v1::CompileModuleRequest::MSL);
  request.set_layout(options.layout == "interleaved" ? v1::CompileModuleRequest::INTERLEAVED
                                                     : v1::CompileModuleRequest::CONTIGUOUS);
  request.set_floats(FloatsNamed(options.floats));
  request.set_check(options.check);
  return local ? CompileHere(request) : CompileModule(invocation.client(), request);
}

int TellFindings(const Invocation& invocation, const v1::CompileModuleResponse& response) {
  const bool clean = response.findings_size() == 0;
  if (response.checked()) {
    invocation.Talk(clean ? "The text is within the subset." : "The text is outside the subset.");
  }
  return clean ? 0 : kJobFailed;
}

Result<int> Compile(Invocation& invocation, const TextOptions& options) {
  if (options.emit == "ir" && options.check) {
    return Status(Reason::kInvalidArgument, "--check checks kernel text; leave out --emit ir.");
  }
  WB_ASSIGN(const v1::CompileModuleResponse response, Compiled(invocation, options));
  if (invocation.json()) {
    invocation.PrintMessage(response);
  } else {
    Print(response.text());
  }
  for (const std::string& finding : response.findings()) invocation.Talk(finding);
  return TellFindings(invocation, response);
}

Result<int> Check(Invocation& invocation, TextOptions options) {
  options.check = true;
  WB_ASSIGN(v1::CompileModuleResponse response, Compiled(invocation, options));
  response.clear_text();
  if (invocation.json()) {
    invocation.PrintMessage(response);
  } else {
    for (const std::string& finding : response.findings()) PrintLine(finding);
  }
  return TellFindings(invocation, response);
}

CLI::App* AddCommand(CLI::App* noun, Command* chosen, const char* verb, const char* meaning,
                     const std::shared_ptr<TextOptions>& options,
                     std::function<Result<int>(Invocation&, const TextOptions&)> run) {
  CLI::App* command = noun->add_subcommand(verb, meaning);
  command->add_option("file", options->file, "FILE.wasm, FILE.wat, - or modules/sha256:...")
      ->type_name("FILE")
      ->required();
  command->add_flag("--local", options->local,
                    "without a daemon, by wasmburst-compile; so too where none answers at the "
                    "default address");
  command->callback([chosen, options, run] {
    chosen->run = [options, run](Invocation& invocation) { return run(invocation, *options); };
  });
  return command;
}

void AddForm(CLI::App* command, TextOptions* options) {
  command
      ->add_option("--floats", options->floats,
                   "how the text computes: native (CPUs, NVIDIA GPUs), metal (what a Mac gets: f32 "
                   "guarded, f64 in software) or fast32 (what a Mac gets for jobs with --floats "
                   "fast32)")
      ->check(CLI::IsMember({"native", "metal", "fast32"}));
  command
      ->add_option("--layout", options->layout,
                   "memory of 32 lanes: contiguous (CPUs) or interleaved (GPUs, Macs' too)")
      ->check(CLI::IsMember({"contiguous", "interleaved"}));
}

}  // namespace

void AddModuleTextCommands(CLI::App* module, Command* chosen) {
  auto inspected = std::make_shared<TextOptions>();
  CLI::App* inspect = AddCommand(
      module, chosen, "inspect",
      "Show what a file is, its imports and how each is given, its exports with their types, "
      "and the commands that run it; nothing is uploaded.\n"
      "Example: wasmburstctl module inspect mandelbrot.wasm",
      inspected, Inspect);
  inspect->add_option(
      "--device", inspected->device,
      "instead, what this device has of an uploaded module: its kernels' registers, "
      "memory and lanes, and how they ran there since the daemon started");
  auto compiled = std::make_shared<TextOptions>();
  CLI::App* compile =
      AddCommand(module, chosen, "compile",
                 "Print what the compiler makes of a module. A Mac gets --floats metal --layout "
                 "interleaved.\n"
                 "Example: wasmburstctl module compile --emit msl --check mandelbrot.wasm",
                 compiled, Compile);
  compile->add_option("--emit", compiled->emit, "msl: the kernel text; ir: the compiler's own form")
      ->check(CLI::IsMember({"msl", "ir"}));
  AddForm(compile, compiled.get());
  compile->add_flag("--check", compiled->check, "pass the kernel text through the subset checker");
  auto checked = std::make_shared<TextOptions>();
  CLI::App* check =
      AddCommand(module, chosen, "check",
                 "Compile a module and say what of its kernel text is outside the subset: exit "
                 "code 0 where nothing is, else 1.\n"
                 "Example: wasmburstctl module check mandelbrot.wasm",
                 checked, Check);
  AddForm(check, checked.get());
}

}  // namespace wb::cli
