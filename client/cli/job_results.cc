#include "client/cli/job_results.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <optional>

#include "client/cli/files.h"
#include "client/cli/outputs.h"
#include "client/cli/progress.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

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

// Standard output takes no more: nobody would see what the job goes on to compute.
Result<int> OutputEnded(Session& session, const std::string& name, bool cancels) {
  if (cancels) {
    Result<v1::Job> cancelled = session.client().CancelJob(name);
    if (!cancelled.ok() && cancelled.status().reason() != Reason::kJobTerminal) {
      return cancelled.status();
    }
  }
  if (Session::OutputError() != EPIPE) {
    session.Talk(cancels ? "The job [" + name + "] was cancelled; --keep-running lets it go on."
                         : "The job [" + name + "] goes on.");
  }
  return kOutputFailed;
}

}  // namespace

Status CheckTargets(const ResultOptions& options) {
  OutputFiles files;
  WB_TRY(files.Open(options.out, options.concats));
  if (options.report.empty()) return {};
  return CheckWritable(options.report);
}

void AddResultOptions(CLI::App* command, ResultOptions* options) {
  command->add_flag("--no-results", options->no_results, "do not print results");
  command->add_option("--out", options->out, "write outputs to files FOLDER/INSTANCE.NAME");
  command->add_option("--concat", options->concats,
                      "NAME=FILE: write output NAME of all instances, in their order, to FILE");
  command->add_option("--report", options->report, "write the ended job as JSON to this file");
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
    if (part.results_size() > 0) progress.Clear();
    for (const v1::InstanceResult& result : part.results()) {
      printer.Print(result);
      if (written.ok()) written = files.Add(result);
    }
    if (part.has_counts()) progress.Show(part.counts());
    if (part.has_job()) ended = part.job();
    if (!written.ok() || !Session::OutputWorks()) return false;
    cursor = part.cursor();
    return true;
  });
  progress.Clear();
  printer.Finish(ended ? &*ended : nullptr);
  if (status.code() == Code::kCancelled) return Interrupted(session, name, cursor);
  if (!Session::OutputWorks()) return OutputEnded(session, name, options.cancels);
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

}  // namespace wb::cli
