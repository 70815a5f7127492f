#include <grpcpp/support/status.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <thread>

#include "client/cli/commands/commands.h"
#include "client/cli/invocation/module_file.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/program/module_text.h"
#include "client/cli/run/prepare_job.h"
#include "client/grpc_status.h"
#include "client/services/jobs.h"
#include "client/services/modules.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr const char* kModuleNames = "modules/sha256:..., or the digest behind it";

struct PushOptions {
  ModuleFile file;
  std::vector<std::string> prepare;   // cpu, gpu
  std::vector<std::string> bindings;  // of the jobs to come
  std::string function;               // that they call first; empty: what one has is not built
};

// Between jobs that ask whether the full build is there, and how long that may take.
constexpr std::chrono::milliseconds kBetweenLooks{200};
constexpr std::chrono::minutes kMostPreparing{15};

// Runs the job of one instance; which build that had.
Result<v1::Build> BuildThatRan(Invocation& invocation, const v1::Job& job) {
  v1::CreateJobRequest request;
  *request.mutable_job() = job;
  WB_ASSIGN(const v1::Job made, CreateJob(invocation.client(), std::move(request)));
  v1::ReadResultsRequest reading;
  reading.set_name(made.name());
  reading.set_follow(true);
  v1::Build build = v1::BUILD_UNSPECIFIED;
  v1::Job ended;
  WB_TRY(ReadResults(invocation.client(), reading, [&](const v1::ReadResultsResponse& message) {
    for (const v1::InstanceResult& result : message.results()) build = result.build();
    if (message.has_job()) ended = message.job();
    return true;
  }));
  (void)DeleteJob(invocation.client(), made.name());
  if (!ended.has_error()) return build;
  const auto& error = ended.error();
  return FromGrpc(
      {static_cast<grpc::StatusCode>(error.code()), error.message(), error.SerializeAsString()},
      "");
}

// Until the device has the full build: quick ones are replaced behind the jobs that they run.
Status Prepare(Invocation& invocation, const v1::Module& module, const PushOptions& options,
               const std::string& place) {
  WB_ASSIGN(v1::Job job, PrepareJob(module, options.bindings, options.function));
  job.set_placement(place == "gpu" ? v1::GPU : v1::CPU);
  const auto begin = std::chrono::steady_clock::now();
  v1::Build told = v1::BUILD_UNSPECIFIED;
  while (true) {
    WB_ASSIGN(const v1::Build build, BuildThatRan(invocation, job));
    const auto took = std::chrono::steady_clock::now() - begin;
    if (build != told) {
      invocation.Talk(
          "The " + std::string(build == v1::FULL ? "full" : "quick") + " build for [" + place +
          "] is there, after " +
          std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(took).count()) +
          " ms.");
    }
    if (build != v1::QUICK) return {};
    told = build;
    if (took > kMostPreparing) {
      return Status(Reason::kDeadlineExceeded,
                    "The full build for [" + place +
                        "] was not there after 15 minutes; jobs run "
                        "with the quick one. compile.max_time bounds it.");
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

Result<int> Push(Invocation& invocation, const PushOptions& options) {
  WB_ASSIGN(std::string wasm, ReadModuleFile(options.file));
  WB_ASSIGN(v1::Module module, UploadModule(invocation, wasm));
  if (invocation.json()) {
    invocation.PrintMessage(module);
  } else {
    PrintLine(module.name());
    invocation.Talk(ModuleText(module));
  }
  for (const std::string& place : options.prepare) {
    WB_TRY(Prepare(invocation, module, options, place));
  }
  return 0;
}

Result<int> ListModules(Invocation& invocation) {
  std::vector<std::vector<std::string>> rows = {{"NAME", "SIZE", "EXPORTS"}};
  v1::ListModulesRequest request;
  v1::ListModulesResponse all;
  do {
    WB_ASSIGN(v1::ListModulesResponse page, ListModules(invocation.client(), request));
    for (const v1::Module& module : page.modules()) {
      rows.push_back(
          {module.name(), SizeText(module.size_bytes()), std::to_string(module.exports_size())});
      if (invocation.format() == Format::kJsonl) invocation.PrintMessage(module);
    }
    request.set_page_token(page.next_page_token());
    all.MergeFrom(page);
  } while (!request.page_token().empty());
  all.clear_next_page_token();
  if (invocation.format() == Format::kTable) Print(Table(rows));
  if (invocation.format() == Format::kJson) invocation.PrintMessage(all);
  return 0;
}

}  // namespace

void AddModuleCommands(CLI::App* app, Command* chosen) {
  auto* noun = app->add_subcommand("module", "Modules: WebAssembly binaries that were uploaded.");
  noun->require_subcommand(1);
  auto text = std::make_shared<std::string>();
  auto* push =
      noun->add_subcommand("push",
                           "Upload a module; prints its name, and on standard error what "
                           "it imports and exports.\n"
                           "Example: wasmburstctl module push mandelbrot.wasm --prepare gpu");
  auto options = std::make_shared<PushOptions>();
  AddModuleFileOptions(push, "FILE.wasm, FILE.wat or -", &options->file);
  push->add_option(
          "--prepare", options->prepare,
          "cpu or gpu: have the daemon build the module for that device now, so that later "
          "jobs find it in the cache; waits for the full build. A job of one instance that "
          "may take one instruction does it")
      ->type_name("DEVICE")
      ->check(CLI::IsMember({"cpu", "gpu"}))
      ->allow_extra_args(false);
  push->add_option(
          "--function", options->function,
          "with --prepare: the function that those jobs call first. What it does before it "
          "reads its arguments becomes a part of what is built. The job then calls it with "
          "zeros, and may take 16,777,216 instructions")
      ->needs("--prepare")
      ->type_name("NAME");
  push->add_option("--bind", options->bindings,
                   "with --prepare: MODULE.NAME=WAY as those jobs bind imports (job run --help), "
                   "since they are part of what is built")
      ->type_name("MODULE.NAME=WAY")
      ->allow_extra_args(false);
  push->callback([chosen, options] {
    chosen->run = [options](Invocation& invocation) { return Push(invocation, *options); };
  });
  auto* list = noun->add_subcommand("list",
                                    "List the modules.\n"
                                    "Example: wasmburstctl module list -o jsonl");
  list->callback([chosen] { chosen->run = ListModules; });
  auto* get = noun->add_subcommand("get",
                                   "Show an uploaded module's imports and exports, with types; "
                                   "inspect shows those of a file.\n"
                                   "Example: wasmburstctl module get modules/sha256:... -o json");
  get->add_option("name", *text, kModuleNames)->transform(FullModuleName)->required();
  get->callback([chosen, text] {
    chosen->run = [text](Invocation& invocation) -> Result<int> {
      WB_ASSIGN(v1::Module module, GetModule(invocation.client(), *text));
      ShowModule(invocation, module);
      return 0;
    };
  });
  auto* remove = noun->add_subcommand("rm",
                                      "Delete a module; jobs that use it keep it.\n"
                                      "Example: wasmburstctl module rm modules/sha256:...");
  remove->add_option("name", *text, kModuleNames)->transform(FullModuleName)->required();
  remove->callback([chosen, text] {
    chosen->run = [text](Invocation& invocation) -> Result<int> {
      WB_TRY(DeleteModule(invocation.client(), *text));
      return 0;
    };
  });
  AddModuleTextCommands(noun, chosen);
}

}  // namespace wb::cli
