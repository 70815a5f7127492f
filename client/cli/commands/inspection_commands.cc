#include "client/cli/commands/commands.h"

#include <CLI/CLI.hpp>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "client/cli/commands/commands.h"
#include "client/cli/output/core_json.h"
#include "client/cli/output/exit_code.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/output/trace_text.h"
#include "client/cli/program/files.h"
#include "client/services/inspection.h"
#include "compiler/coredump/core_dump.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

struct DumpOptions {
  std::string job;
  uint64_t instance = 0;
  std::string to;    // a file; empty: core.INSTANCE
  std::string read;  // a file, in place of a job
  bool json = false;
};

Status WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file) return {};
  return Status(Reason::kIoError, "The file [" + path + "] cannot be written.", {{"path", path}});
}

Result<int> Show(Invocation& invocation, const std::string& bytes, bool as_json) {
  WB_ASSIGN(const CoreDump core, ReadCore(AsBytes(bytes)));
  if (!as_json) {
    Print(CoreText(core));
    return 0;
  }
  const int indent = invocation.format() == Format::kJsonl ? -1 : 2;
  PrintLine(
      CoreJson(core).dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return 0;
}

Result<int> Dump(Invocation& invocation, const DumpOptions& options) {
  const bool as_json = options.json || invocation.json();
  if (!options.read.empty()) {
    WB_ASSIGN(const std::string bytes, ReadFile(options.read));
    return Show(invocation, bytes, as_json);
  }
  if (options.job.empty()) {
    return Status(Reason::kInvalidArgument, "Name a job and an instance, or --read FILE.");
  }
  WB_ASSIGN(const InstanceDump dump,
            DumpInstance(invocation.client(), options.job, options.instance));
  if (as_json && options.to.empty()) return Show(invocation, dump.core, true);
  const std::string path =
      options.to.empty() ? "core." + std::to_string(options.instance) : options.to;
  WB_TRY(WriteFile(path, dump.core));
  invocation.Talk("Wrote " + path + " (" + SizeText(dump.core.size()) + "), " +
                  (dump.kept ? "kept when the instance trapped." : "made by running it again."));
  return Show(invocation, dump.core, as_json);
}

void AddDump(CLI::App* job, Command* chosen) {
  auto options = std::make_shared<DumpOptions>();
  CLI::App* command = job->add_subcommand(
      "dump",
      "Get the state in which an instance ended as a core file: memory, globals, tables, and the "
      "frames of a trap.\n"
      "Example: wasmburstctl job dump jobs/01J... 17 --to core.17; "
      "wasmburstctl job dump --read core.17 -o json");
  command->add_option("name", options->job, "jobs/..., or the id behind it")
      ->transform(FullJobName);
  command->add_option("instance", options->instance, "its number");
  command->add_option("--to", options->to, "where the core file goes (default: core.INSTANCE)")
      ->type_name("FILE");
  command->add_option("--read", options->read, "show a core file that is there already")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "print it as JSON; without --to no file is written");
  command->callback([chosen, options] {
    chosen->run = [options](Invocation& invocation) { return Dump(invocation, *options); };
  });
}

struct ReplayOptions {
  v1::ReplayInstanceRequest request;
  std::string job;
  uint64_t instance = 0;
  bool calls = false;
  bool operators = false;
  uint64_t until = 0;
  uint32_t limit = 0;
};

Result<int> Replay(Invocation& invocation, const ReplayOptions& options) {
  v1::ReplayInstanceRequest request = options.request;
  request.set_job(options.job);
  request.set_instance(options.instance);
  request.set_trace(options.operators ? v1::TRACE_OPERATORS : v1::TRACE_CALLS);
  if (options.until > UINT32_MAX) {
    return Status(Reason::kInvalidArgument, "--until is an offset in a module: below 4 GiB.");
  }
  if (options.until != 0) request.set_until(static_cast<uint32_t>(options.until));
  request.set_limit(options.limit);
  v1::ReplayEnd end;
  uint64_t shown = 0;
  WB_TRY(ReplayInstance(invocation.client(), request, [&](const v1::ReplayEvent& event) {
    for (const v1::TraceLine& line : event.lines()) {
      ++shown;
      PrintLine(invocation.json() ? MessageJson(line, false) : TraceLineText(line));
    }
    if (event.has_end()) end = event.end();
    return OutputWorks();
  }));
  if (invocation.json()) {
    PrintLine(MessageJson(end, false));
  } else {
    if (end.lines() > shown) {
      invocation.Talk("The last " + std::to_string(shown) + " of " + std::to_string(end.lines()) +
                      " lines; --limit says how many.");
    }
    PrintLine(ReplayEndText(end));
  }
  return end.has_stored() && !end.is_equal() ? kCheckFailed : 0;
}

void AddReplay(CLI::App* job, Command* chosen) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = job->add_subcommand(
      "replay",
      "Run an instance once more on an interpreter and show its calls, or every operator; then "
      "whether it ended as it did in the job.\n"
      "Example: wasmburstctl job replay jobs/01J... 17 --operators --until 0x1a3");
  command->add_option("name", options->job, "jobs/..., or the id behind it")
      ->transform(FullJobName)
      ->required();
  command->add_option("instance", options->instance, "its number")->required();
  CLI::Option* calls = command->add_flag("--calls", options->calls, "calls and returns (default)");
  command->add_flag("--operators", options->operators, "operators as well, with their operands")
      ->excludes(calls);
  command
      ->add_option("--until", options->until,
                   "stop before the first operator at this byte offset in the module")
      ->type_name("OFFSET");
  command->add_option("--limit", options->limit, "the last so many lines (default: 10000)")
      ->type_name("N");
  command->callback([chosen, options] {
    chosen->run = [options](Invocation& invocation) { return Replay(invocation, *options); };
  });
}

}  // namespace

void AddInspectionCommands(CLI::App* job, Command* chosen) {
  AddDump(job, chosen);
  AddReplay(job, chosen);
}

}  // namespace wb::cli
