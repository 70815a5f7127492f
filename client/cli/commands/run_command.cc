// `run`: a program for each item, as xargs and GNU parallel run one.

#include <CLI/CLI.hpp>

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "client/cli/commands/commands.h"
#include "client/cli/commands/flag_names.h"
#include "client/cli/commands/host_serving.h"
#include "client/cli/commands/run_items.h"
#include "client/cli/commands/run_results.h"
#include "client/cli/invocation/module_file.h"
#include "client/cli/output/progress.h"
#include "client/cli/program/job_options.h"
#include "client/cli/run/command_job.h"
#include "client/cli/run/host_files.h"
#include "client/services/inputs.h"
#include "client/services/jobs.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

// Of a single program, where no limit was asked for: many have more to say than one of thousands.
constexpr uint32_t kOutputOfOne = 1 << 20;
constexpr int kInputPatienceMs = 1000;
constexpr uint64_t kMostJobItems = 10'000'000;  // two jobs' items are held

struct RunProgramOptions {
  ModuleFile file;
  ItemSource items;
  CommandOptions command;
  ProgramOutputOptions outputs;
  JobOptions job;
  HostFlags host;
  RangeBounds bounds;
  bool ordered = false;
  bool resume = false;
};

// A single program reads our standard input, if that is a file or a pipe.
void TakeOwnInput(const Invocation& invocation, const ItemList& items, CommandOptions* command) {
  const bool is_given = !command->input_file.empty() || !command->input_from.empty() ||
                        !command->input_column.empty();
  if (items.has_source || is_given || !HasInput(STDIN_FILENO)) return;
  command->input_file = "-";
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  if (poll(&input, 1, kInputPatienceMs) == 0) {
    invocation.Talk("Waiting for the end of standard input; </dev/null gives the program none.");
  }
}

// A run: as many jobs as it takes to hold a part of the items, and of their files, at a time.
class Run {
 public:
  Run(Invocation& invocation, RunProgramOptions options, RunItems* items)
      : invocation_(invocation),
        options_(std::move(options)),
        items_(*items),
        serving_(invocation) {}

  // False: there is nothing to run.
  Result<bool> HasItems();
  // `form`: of the items.
  Status Prepare(const ItemList& form);
  Result<std::optional<ProgramJob>> SubmitNext();  // nullopt: all items have their jobs

 private:
  Result<v1::Input> Upload(const InputSource& column);

  Invocation& invocation_;
  RunProgramOptions options_;
  RunItems& items_;
  v1::Module module_;
  SharedInputs shared_;
  HostServing serving_;
  std::shared_ptr<const ItemList> part_;  // of the items; null behind the last
  uint64_t next_ = 0;                     // place in the part
};

Result<bool> Run::HasItems() {
  if (part_ == nullptr || next_ == part_->size()) {
    WB_ASSIGN(part_, items_.Next());
    next_ = 0;
  }
  return part_ != nullptr;
}

Status Run::Prepare(const ItemList& form) {
  WB_ASSIGN(module_, ModuleFrom(invocation_, options_.file));
  CommandOptions& command = options_.command;
  command.name = std::filesystem::path(options_.file.path).filename().string();
  command.args = invocation_.flags().program_args;
  command.output_files = options_.outputs.output_files;
  LimitOptions& limits = options_.job.limits;
  if (!form.has_source && limits.output_bytes == 0) limits.output_bytes = kOutputOfOne;
  TakeOwnInput(invocation_, form, &command);
  WB_ASSIGN(shared_,
            ReadShared(command, [this](const InputSource& column) { return Upload(column); }));
  return serving_.Start(options_.host, {module_});
}

Result<v1::Input> Run::Upload(const InputSource& column) {
  Progress progress(invocation_.flags().quiet);
  return UploadInput(invocation_.client(), column,
                     [&progress](uint64_t sent, uint64_t of) { progress.ShowUpload(sent, of); });
}

Result<std::optional<ProgramJob>> Run::SubmitNext() {
  WB_ASSIGN(const bool has_items, HasItems());
  if (!has_items) return std::optional<ProgramJob>();
  WB_ASSIGN(const ItemRange range, NextRange(options_.command, *part_, next_, options_.bounds));
  v1::CreateJobRequest request;
  WB_ASSIGN(*request.mutable_job(), BuildCommandJob(options_.command, shared_, *part_, range));
  request.mutable_job()->set_module(module_.name());
  WB_TRY(SetJobOptions(options_.job, request.mutable_job()));
  WB_TRY(BindHost(options_.host, {module_}, request.mutable_job()));
  next_ += range.count;
  Progress progress(invocation_.flags().quiet);
  WB_ASSIGN(const v1::Job job,
            CreateJob(invocation_.client(), std::move(request),
                      [&progress](uint64_t sent, uint64_t of) { progress.ShowUpload(sent, of); }));
  ProgramJob submitted = {job.name(), part_, range.first};
  serving_.Serve(job.name(), submitted.first());
  return std::optional<ProgramJob>(std::move(submitted));
}

// The next job is submitted before the results of one are read: devices do not wait for files.
// Where that fails the results of the one are read first, and nothing that was done is lost.
Result<int> ReadJobs(Invocation& invocation, Run& run, const RunResults& results) {
  RunReader reader(invocation, results);
  WB_ASSIGN(std::optional<ProgramJob> job, run.SubmitNext());
  while (job) {
    Result<std::optional<ProgramJob>> next = run.SubmitNext();
    WB_ASSIGN(const bool goes_on, reader.Read(*job));
    if (!goes_on && next.ok() && next.value()) CancelUnwanted(invocation, next.value()->name);
    if (!goes_on) return reader.exit_code();
    if (!next.ok()) reader.Finish();
    WB_ASSIGN(job, std::move(next));
  }
  return reader.Finish();
}

Result<int> RunProgram(Invocation& invocation, const RunProgramOptions& options) {
  if (options.resume && options.outputs.stdout_to.empty()) {
    return Status(Reason::kInvalidArgument,
                  "--resume skips items whose --stdout-to file is there; give both.");
  }
  WB_ASSIGN(ItemReader reader, ItemReader::Open(options.items, [&invocation] {
              return invocation.client().CheckGoesOn();
            }));
  const ItemList form = reader.form();
  WB_ASSIGN(ProgramOutput output, ProgramOutput::Plan(options.outputs, form));
  RunItems items(invocation, std::move(reader), &output, options.resume,
                 {.most_items = options.bounds.most_items});
  Run run(invocation, options, &items);
  WB_ASSIGN(const bool has_items, run.HasItems());
  if (!has_items) return 0;
  WB_TRY(run.Prepare(form));
  return ReadJobs(invocation, run, {&output, form.has_source, options.ordered});
}

void AddItemOptions(CLI::App* command, RunProgramOptions* options) {
  command
      ->add_option("--each", options->items.each,
                   "an instance for each row: CSV with a header, or JSON objects in lines")
      ->type_name("FILE.csv|FILE.jsonl");
  command
      ->add_option("--each-file", options->items.each_file,
                   "an instance for each file that the quoted pattern matches, such as 'in/*'")
      ->type_name("PATTERN");
  command->add_flag("--each-line", options->items.each_line,
                    "an instance for each line of standard input");
  command->add_option("-n,--instances", options->items.instances,
                      "so many instances; their items are the numbers from 0 on");
  command
      ->add_option("--job-items", options->bounds.most_items,
                   "so many items at most are one job; a run is as many jobs as it takes")
      ->check(CLI::Range(uint64_t{1}, kMostJobItems));
  command->add_flag("--resume", options->resume, "skip items whose --stdout-to file is there");
}

void AddCommandInputs(CLI::App* command, CommandOptions* options) {
  command
      ->add_option("--stdin", options->input_file,
                   "standard input of all instances; - is our own, which a single instance reads "
                   "without this flag")
      ->type_name("FILE");
  command->add_option("--stdin-from", options->input_from, "a file for each: 'in/{}.txt'")
      ->type_name("TEMPLATE");
  command
      ->add_option("--stdin-column", options->input_column,
                   "a column of the rows, or a text such as '{}'")
      ->type_name("NAME");
  command
      ->add_option("--files", options->files,
                   "a folder that all instances read; it is uploaded once")
      ->type_name("FOLDER");
  command->add_flag("--file-times", options->keep_times,
                    "its files keep their times; else they are of 1970");
  command
      ->add_option(
          "--file", options->own_files,
          "GUEST=HOST: the program reads the file HOST as GUEST; both may hold placeholders")
      ->type_name("GUEST=HOST")
      ->allow_extra_args(false);
  command->add_option("--env", options->environment, "NAME=TEXT, a variable of the environment")
      ->type_name("NAME=TEXT")
      ->allow_extra_args(false);
  command->add_option("--seed", options->seed, "of random numbers; 0 without it");
  command
      ->add_option("--clock", options->clock,
                   "now, or a time such as 2026-01-31T12:00:00Z, at which instances begin; 1970 "
                   "without it. It advances by 1 ns with each instruction")
      ->type_name("TIME");
  command->add_option("--scratch", options->scratch_bytes, "most bytes of files that it writes")
      ->transform(CLI::AsSizeValue(false));
}

void AddOutputOptions(CLI::App* command, RunProgramOptions* options) {
  ProgramOutputOptions& outputs = options->outputs;
  command->add_option("--stdout-to", outputs.stdout_to, "a file for each: 'out/{}.txt'")
      ->type_name("TEMPLATE");
  command->add_option("--stderr-to", outputs.stderr_to, "the same of standard error")
      ->type_name("TEMPLATE");
  command->add_option("--output-file", outputs.output_files, "a file that the program writes ...")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command->add_option("--output-to", outputs.output_to, "... and where it goes: 'out/{}.bin'")
      ->type_name("TEMPLATE")
      ->allow_extra_args(false);
  command->add_flag("--tag", outputs.tag, "begin each line of output with the item and a tab");
  command->add_flag("--ordered", options->ordered, "print in the order of items");
}

}  // namespace

std::optional<size_t> ProgramArgumentsAt(const std::vector<std::string>& words) {
  const auto dashes = std::find(words.begin(), words.end(), "--");
  const auto run = std::find(words.begin(), dashes, "run");
  if (dashes == words.end() || run == dashes) return std::nullopt;
  if (run != words.begin() && *(run - 1) == "job") return std::nullopt;
  return static_cast<size_t>(dashes - words.begin());
}

std::optional<std::string> StrayArguments(const CLI::App& app) {
  const CLI::App* run = app.get_subcommand("run");
  if (!app.got_subcommand("run")) return std::nullopt;
  std::vector<std::string> words = app.remaining();
  if (words.empty()) words = run->remaining();
  if (words.empty()) return std::nullopt;
  const std::string file = run->get_option("file")->as<std::string>();
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return "The words [" + text +
         "] stand behind the file without --; the program's arguments go "
         "there:\n  wasmburstctl run " +
         file + " -- " + text;
}

void AddRunCommand(CLI::App* app, Command* chosen) {
  auto options = std::make_shared<RunProgramOptions>();
  CLI::App* run = app->add_subcommand(
      "run",
      std::string("Run a program: a WASI module with main. Its arguments stand behind --.\n"
                  "Without items it is one instance, and its output and exit code are ours.\n"
                  "Example: wasmburstctl run tool.wasm -- --version\n"
                  "Example: wasmburstctl run grep.wasm --each-file 'logs/*' --stdin-from '{}' "
                  "--stdout-to 'out/{/.}.txt' -- -c error\n"
                  "Example: wasmburstctl run sim.wasm --each runs.csv -o jsonl -- --rate {rate}\n"
                  "Placeholders in arguments, variables and paths:\n") +
          kPlaceholderForms);
  AddModuleFileOptions(run, "FILE.wasm, FILE.wat or modules/sha256:...", &options->file);
  AddItemOptions(run, options.get());
  AddCommandInputs(run, &options->command);
  AddOutputOptions(run, options.get());
  AddJobOptions(run, &options->job);
  AddHostFlags(run, &options->host);
  run->callback([chosen, options] {
    chosen->run = [options](Invocation& invocation) { return RunProgram(invocation, *options); };
  });
}

}  // namespace wb::cli
