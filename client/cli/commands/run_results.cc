#include "client/cli/commands/run_results.h"

#include <optional>
#include <utility>

#include "client/cli/commands/flag_names.h"
#include "client/cli/output/progress.h"
#include "client/cli/output/result_order.h"
#include "client/cli/output/result_printer.h"
#include "client/cli/output/run_summary.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

// Results as JSON name their items, and have outputs as texts.
ResultShown ShownOf(const Session& session, const ItemList& items) {
  ResultShown shown;
  shown.outputs = OutputForm::kText;
  if (session.json()) shown.inputs = {InputColumn{"item", items.texts, std::nullopt, false}};
  return shown;
}

class RunWriter {
 public:
  RunWriter(const Session& session, const RunResults& results)
      : session_(session),
        results_(results),
        printer_(session, ShownOf(session, *results.items)),
        order_([this](const v1::InstanceResult& result) { Write(result); }) {
    if (session.json()) printer_.Begin(std::nullopt);
  }

  // False: what was written is not all, and the reading ends.
  bool Add(const v1::InstanceResult& result) {
    summary_.Add(result, results_.items->texts[result.instance()]);
    last_ = result;
    if (results_.ordered) {
      Note(order_.Add(result));
    } else {
      Write(result);
    }
    return written_.ok();
  }
  void Finish(const v1::Job* job) {
    if (written_.ok()) Note(order_.Finish());
    printer_.Finish(job);
  }

  const Status& written() const { return written_; }
  const RunSummary& summary() const { return summary_; }
  const std::optional<v1::InstanceResult>& last() const { return last_; }

 private:
  void Write(const v1::InstanceResult& result) {
    if (session_.json()) {
      printer_.Print(result);
    } else {
      results_.output->Print(result);
    }
    if (written_.ok()) Note(results_.output->WriteFiles(result));
  }
  void Note(Status status) {
    if (written_.ok()) written_ = std::move(status);
  }

  const Session& session_;
  const RunResults& results_;
  ResultPrinter printer_;
  ResultOrder order_;
  RunSummary summary_;
  std::optional<v1::InstanceResult> last_;
  Status written_;
};

// The session's client was interrupted; another one can still call.
Result<int> Interrupted(const Session& session, const std::string& name) {
  ClientOptions options;
  options.attempts = 1;
  options.timeout = std::chrono::seconds(5);
  const auto client = Client::Connect(session.flags().address, options);
  const bool cancelled = client.ok() && client.value()->CancelJob(name).ok();
  session.Talk((session.is_late() ? "Not done within --timeout" : "Interrupted") +
               (cancelled ? "; the job was cancelled."
                          : "; to end the job:\n  wasmburstctl job cancel " + name));
  return session.is_late() ? kTooLate : kInterrupted;
}

Result<int> OutputEnded(Session& session, const std::string& name) {
  (void)session.client().CancelJob(name);
  return kOutputFailed;
}

// Of a program that stands for itself: silent where it ended by itself.
int ExitAsOne(const Session& session, const v1::Job& job,
              const std::optional<v1::InstanceResult>& result) {
  if (!result || job.state() != v1::Job::SUCCEEDED) {
    session.Talk(WithFlagNames(JobSummary(job)));
    return kJobFailed;
  }
  if (result->end() != v1::RETURNED && result->end() != v1::EXITED) {
    session.Talk("wasmburstctl: The program " + FailureText(*result) + ".");
  }
  return ProgramExitCode(*result);
}

int ExitAsMany(const Session& session, const v1::Job& job, const RunSummary& summary,
               bool errors_were_printed) {
  const std::string failures = summary.FailuresText(!errors_were_printed);
  if (!failures.empty()) session.Talk(failures.substr(0, failures.size() - 1));
  session.Talk(WithFlagNames(JobSummary(job)));
  if (!summary.CodesText().empty()) session.Talk(summary.CodesText());
  return job.state() == v1::Job::SUCCEEDED && summary.failed() == 0 ? 0 : kJobFailed;
}

}  // namespace

Result<int> ReadRunResults(Session& session, const std::string& job, const RunResults& results) {
  RunWriter writer(session, results);
  v1::ReadResultsRequest request;
  request.set_name(job);
  request.set_follow(true);
  std::optional<v1::Job> ended;
  Progress progress(session.flags().quiet || !results.items->has_source);
  Status status = session.client().ReadResults(request, [&](const v1::ReadResultsResponse& part) {
    if (part.results_size() > 0) progress.Clear();
    for (const v1::InstanceResult& result : part.results()) writer.Add(result);
    if (part.has_counts()) progress.Show(part.counts());
    if (part.has_job()) ended = part.job();
    return writer.written().ok() && Session::OutputWorks();
  });
  progress.Clear();
  writer.Finish(ended ? &*ended : nullptr);
  if (status.code() == Code::kCancelled) return Interrupted(session, job);
  if (!Session::OutputWorks()) return OutputEnded(session, job);
  WB_TRY(status);
  WB_TRY(writer.written());
  if (!ended) return 0;
  if (!results.items->has_source) return ExitAsOne(session, *ended, writer.last());
  const bool printed = results.output->prints_errors() && !session.json();
  return ExitAsMany(session, *ended, writer.summary(), printed);
}

}  // namespace wb::cli
