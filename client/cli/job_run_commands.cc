#include <CLI/CLI.hpp>

#include "client/cli/arg_spec.h"
#include "client/cli/commands.h"
#include "client/cli/files.h"
#include "client/cli/job_limits.h"
#include "client/cli/outputs.h"
#include "client/cli/program.h"
#include "client/cli/progress.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

// Where results go; of run and results.
struct ResultOptions {
  std::string cursor;
  bool follow = false;
  bool no_results = false;
  std::string out;
  std::vector<std::string> concats;
  std::string report;
};

struct RunOptions {
  std::string file;
  std::vector<std::string> modules;  // NAME=FILE
  std::string program_file;
  ProgramOptions program;
  LimitOptions limits;
  std::string placement = "auto";
  std::string floats = "exact";
  std::vector<std::string> labels;
  std::string request_id;
  bool validate_only = false;
  ResultOptions results;
};

// Prints results as they come.
class ResultPrinter {
 public:
  ResultPrinter(Session& session, bool active, bool with_outputs)
      : session_(session), active_(active), with_outputs_(with_outputs) {
    if (!active_) return;
    if (session_.format() == Format::kTable) Session::PrintLine(ResultHeader());
    if (session_.format() == Format::kJson) Session::Print("{\"results\": [");
  }
  void Print(const v1::InstanceResult& result) {
    if (!active_) return;
    if (session_.format() == Format::kTable) {
      Session::PrintLine(ResultRow(result));
      return;
    }
    std::string json = ResultJson(result, with_outputs_);
    bool list = session_.format() == Format::kJson;
    if (list) Session::Print(first_ ? "\n" : ",\n");
    Session::Print(json);
    if (!list) Session::Print("\n");
    first_ = false;
  }
  void Finish(const v1::Job* job) {
    if (!active_ || session_.format() != Format::kJson) return;
    Session::Print("\n]");
    if (job != nullptr) Session::Print(", \"job\": " + MessageJson(*job, false));
    Session::Print("}\n");
  }

 private:
  Session& session_;
  const bool active_;
  const bool with_outputs_;
  bool first_ = true;
};

int ExitCodeOfJob(const v1::Job& job) { return job.state() == v1::Job::SUCCEEDED ? 0 : kJobFailed; }

Result<int> Interrupted(Session& session, const std::string& name, const std::string& cursor) {
  session.Talk("Interrupted; the job goes on. To read on:\n  wasmburstctl job results " + name +
               " --follow --cursor '" + cursor + "'\nTo end it:\n  wasmburstctl job cancel " +
               name);
  return kInterrupted;
}

Result<int> ReadResults(Session& session, const std::string& name, const ResultOptions& options) {
  OutputFiles files;
  WB_TRY(files.Open(options.out, options.concats));
  v1::ReadResultsRequest request;
  request.set_name(name);
  request.set_cursor(options.cursor);
  request.set_follow(options.follow);
  std::string cursor = options.cursor;
  std::optional<v1::Job> ended;
  Status written;
  ResultPrinter printer(session, !options.no_results, !files.any());
  Progress progress(session.flags().quiet);
  Status status = session.client().ReadResults(request, [&](const v1::ReadResultsResponse& part) {
    cursor = part.cursor();
    if (part.results_size() > 0) progress.Clear();
    for (const v1::InstanceResult& result : part.results()) {
      printer.Print(result);
      if (written.ok()) written = files.Add(result);
    }
    if (part.has_counts()) progress.Show(part.counts());
    if (part.has_job()) ended = part.job();
    return written.ok() && Session::OutputWorks();
  });
  progress.Clear();
  printer.Finish(ended ? &*ended : nullptr);
  if (status.code() == Code::kCancelled) return Interrupted(session, name, cursor);
  WB_TRY(status);
  WB_TRY(written);
  WB_TRY(files.Finish());
  if (files.missing() > 0) {
    session.Talk(std::to_string(files.missing()) + " instances have no such output.");
  }
  if (!ended) return 0;
  if (!options.report.empty()) WB_TRY(WriteFile(options.report, MessageJson(*ended, true)));
  session.Talk(JobSummary(*ended));
  return ExitCodeOfJob(*ended);
}

Status SetLabels(const RunOptions& options, v1::Job* job) {
  for (const std::string& label : options.labels) {
    size_t equals = label.find('=');
    if (equals == std::string::npos) {
      return Status(Reason::kInvalidArgument, "The label [" + label + "] is not KEY=VALUE.");
    }
    (*job->mutable_labels())[label.substr(0, equals)] = label.substr(equals + 1);
  }
  return {};
}

// Uploads what --module names, in that order.
Result<std::vector<v1::LinkedModule>> LinkedModules(Session& session, RunOptions* options) {
  std::vector<v1::LinkedModule> linked;
  for (const std::string& text : options->modules) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Status(Reason::kInvalidArgument, "The module [" + text + "] is not NAME=FILE.");
    }
    const std::string name = text.substr(0, equals);
    WB_ASSIGN(v1::Module module, ModuleFrom(session, text.substr(equals + 1)));
    linked.emplace_back().set_name(name);
    linked.back().set_module(module.name());
    options->program.linked[name] = std::move(module);
  }
  return linked;
}

Result<v1::Job> Submit(Session& session, RunOptions options) {
  if (options.program_file.empty() == options.program.call.empty()) {
    return Status(Reason::kInvalidArgument, "Give either --call EXPORT or --program FILE.");
  }
  if (!options.program_file.empty()) {
    WB_ASSIGN(options.program.program, ReadFile(options.program_file));
  }
  WB_ASSIGN(const std::vector<v1::LinkedModule> linked, LinkedModules(session, &options));
  WB_ASSIGN(v1::Module module, ModuleFrom(session, options.file));
  v1::CreateJobRequest request;
  WB_ASSIGN(*request.mutable_job(), BuildJob(options.program, module));
  request.mutable_job()->set_module(module.name());
  for (const v1::LinkedModule& part : linked) *request.mutable_job()->add_linked() = part;
  WB_TRY(SetLimits(options.limits, request.mutable_job()->mutable_limits()));
  WB_TRY(SetLabels(options, request.mutable_job()));
  if (options.placement == "cpu") request.mutable_job()->set_placement(v1::CPU);
  if (options.placement == "interpreter") request.mutable_job()->set_placement(v1::INTERPRETER);
  if (options.placement == "gpu") request.mutable_job()->set_placement(v1::GPU);
  if (options.floats == "fast32") request.mutable_job()->set_floats(v1::FAST32);
  request.set_request_id(options.request_id);
  request.set_validate_only(options.validate_only);
  return session.client().CreateJob(request);
}

Result<int> RunJob(Session& session, const RunOptions& options) {
  WB_ASSIGN(v1::Job job, Submit(session, options));
  if (options.validate_only) {
    session.Talk("The job is right.");
    return 0;
  }
  ResultOptions results = options.results;
  results.follow = true;
  return ReadResults(session, job.name(), results);
}

Result<int> SubmitJob(Session& session, const RunOptions& options) {
  WB_ASSIGN(v1::Job job, Submit(session, options));
  if (session.json()) {
    session.PrintMessage(job);
  } else {
    Session::PrintLine(options.validate_only ? "The job is right." : job.name());
  }
  return 0;
}

void AddResultOptions(CLI::App* command, ResultOptions* options) {
  command->add_flag("--no-results", options->no_results, "do not print results");
  command->add_option("--out", options->out, "write outputs to files FOLDER/INSTANCE.NAME");
  command->add_option("--concat", options->concats,
                      "NAME=FILE: write output NAME of all instances, in their order, to FILE");
  command->add_option("--report", options->report, "write the ended job as JSON to this file");
}

void AddRunOptions(CLI::App* command, RunOptions* options) {
  command->add_option("file", options->file, "FILE.wasm, FILE.wat, - or modules/sha256:...")
      ->required();
  command
      ->add_option("--module", options->modules,
                   "NAME=FILE (or NAME=modules/sha256:...): a module that FILE, or a --module "
                   "behind it, imports from as NAME")
      ->allow_extra_args(false);
  command->add_option("--call", options->program.call, "exported function to call");
  command
      ->add_option("--arg", options->program.args,
                   std::string("one for each parameter:\n") + kArgForms)
      ->allow_extra_args(false);
  command
      ->add_option("--read", options->program.reads,
                   "NAME=LENGTH: after the call, read LENGTH bytes of memory at its first "
                   "result into output NAME")
      ->allow_extra_args(false);
  command->add_option(
      "--program", options->program_file,
      std::string("JSON file with several steps, instead of the above:\n") + kProgramSchema);
  command->add_option("--instances", options->program.instances,
                      "how many; default: the longest argument's values, or 1");
  AddLimitOptions(command, &options->limits);
  command->add_option("--placement", options->placement, "auto, cpu, gpu or interpreter")
      ->check(CLI::IsMember({"auto", "cpu", "gpu", "interpreter"}));
  command
      ->add_option("--floats", options->floats,
                   "exact, or fast32: devices that flush f32 subnormals (Apple's) may")
      ->check(CLI::IsMember({"exact", "fast32"}));
  command->add_option("--label", options->labels, "KEY=VALUE")->allow_extra_args(false);
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
  results->add_option("name", *name, "jobs/...")->required();
  results->add_option("--cursor", options->cursor, "read what comes after it");
  results->add_flag("--follow", options->follow,
                    "wait for results to come until the job has ended");
  AddResultOptions(results, options.get());
  results->callback([chosen, name, options] {
    *chosen = [name, options](Session& session) { return ReadResults(session, *name, *options); };
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
      "Example: wasmburstctl job run main.wat --module env=library.wat --call run --arg 0..8");
  AddRunOptions(run, options.get());
  AddResultOptions(run, &options->results);
  run->callback([chosen, options] {
    *chosen = [options](Session& session) { return RunJob(session, *options); };
  });
  auto submitted = std::make_shared<RunOptions>();
  CLI::App* submit = job->add_subcommand(
      "submit",
      "Submit a job and print its name.\n"
      "Example: wasmburstctl job submit pi.wasm --call pi --arg [1,2,3] --fuel 1000000000");
  AddRunOptions(submit, submitted.get());
  submit->callback([chosen, submitted] {
    *chosen = [submitted](Session& session) { return SubmitJob(session, *submitted); };
  });
  AddResults(job, chosen);
}

}  // namespace wb::cli
