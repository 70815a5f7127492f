#include "client/cli/commands/run_results.h"

#include <optional>
#include <utility>

#include "client/cli/commands/job_results.h"
#include "client/cli/output/progress.h"
#include "client/cli/output/result_order.h"
#include "client/cli/output/result_printer.h"
#include "client/cli/output/run_summary.h"
#include "client/cli/output/trap_text.h"

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

}  // namespace

class RunReader::Writer {
 public:
  Writer(const Session& session, const RunResults& results)
      : session_(session),
        results_(results),
        printer_(session, ShownOf(session, *results.items)),
        order_([this](const v1::InstanceResult& result) { Write(result); }) {
    if (session.json()) printer_.Begin(std::nullopt);
  }

  // `first`: the item of the job's first instance. From here on results have the places of items.
  void Add(v1::InstanceResult result, uint64_t first) {
    result.set_instance(first + result.instance());
    summary_.Add(result, results_.items->texts[result.instance()]);
    if (!results_.items->has_source) last_ = result;
    if (results_.ordered) {
      Note(order_.Add(result));
    } else {
      Write(result);
    }
  }
  void Finish() {
    if (written_.ok()) Note(order_.Finish());
    printer_.Finish(nullptr);
  }

  const Status& written() const { return written_; }
  const RunSummary& summary() const { return summary_; }
  const std::optional<v1::InstanceResult>& last() const { return last_; }

 private:
  // Files come first: a line of JSON names files that are there.
  void Write(const v1::InstanceResult& result) {
    if (!written_.ok()) return;
    const Result<OutputPaths> files = results_.output->WriteFiles(result);
    Note(files.status());
    if (session_.json()) {
      printer_.Print(result, files.ok() ? *files : OutputPaths());
    } else {
      results_.output->Print(result);
    }
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

namespace {

// Of a program that stands for itself: silent where it ended by itself, unless it lacked room that
// a flag gives.
int ExitAsOne(const Session& session, const v1::InstanceResult& result) {
  const bool has_ended_itself = result.end() == v1::RETURNED || result.end() == v1::EXITED;
  const bool lacked_room = SaysFilesAreFull(result) && !FailureText(result).empty();
  if (!has_ended_itself || lacked_room) {
    session.Talk("wasmburstctl: The program " + FailureText(result) + "." + BacktraceText(result));
  }
  return ProgramExitCode(result);
}

}  // namespace

bool CancelUnwanted(const Session& session, const std::string& job) {
  ClientOptions options;
  options.attempts = 1;
  options.timeout = std::chrono::seconds(5);
  const auto client = Client::Connect(session.flags().address, options);
  return client.ok() && client.value()->CancelJob(job).ok();
}

RunReader::RunReader(Session& session, const RunResults& results)
    : session_(session), results_(results), writer_(std::make_unique<Writer>(session, results_)) {}

RunReader::~RunReader() = default;

Result<bool> RunReader::Interrupted(const std::string& job) {
  const bool cancelled = CancelUnwanted(session_, job);
  session_.Talk((session_.is_late() ? "Not done within --timeout" : "Interrupted") +
                std::string(cancelled ? "; the job was cancelled."
                                      : "; to end the job:\n  wasmburstctl job cancel " + job));
  exit_code_ = session_.is_late() ? kTooLate : kInterrupted;
  return false;
}

Result<bool> RunReader::Read(const std::string& job, uint64_t first) {
  v1::ReadResultsRequest request;
  request.set_name(job);
  request.set_follow(true);
  std::optional<v1::Job> ended;
  Progress progress(session_.flags().quiet || !results_.items->has_source);
  Status status = session_.client().ReadResults(request, [&](const v1::ReadResultsResponse& part) {
    if (part.results_size() > 0) progress.Clear();
    for (const v1::InstanceResult& result : part.results()) writer_->Add(result, first);
    if (part.has_counts()) progress.Show(part.counts());
    if (part.has_job()) ended = part.job();
    return writer_->written().ok() && Session::OutputWorks();
  });
  progress.Clear();
  if (status.code() == Code::kCancelled) return Interrupted(job);
  if (!Session::OutputWorks()) {
    CancelUnwanted(session_, job);
    exit_code_ = kOutputFailed;
    return false;
  }
  WB_TRY(status);
  WB_TRY(writer_->written());
  const bool succeeded = ended && ended->state() == v1::Job::SUCCEEDED;
  all_succeeded_ = all_succeeded_ && succeeded;
  const bool is_one = succeeded && !results_.items->has_source;
  if (ended && !is_one) TellEnd(session_, *ended);
  return true;
}

int RunReader::Finish() {
  writer_->Finish();
  const RunSummary& summary = writer_->summary();
  if (!results_.items->has_source) {
    const bool ran = all_succeeded_ && writer_->last().has_value();
    return ran ? ExitAsOne(session_, *writer_->last()) : kJobFailed;
  }
  const bool errors_were_printed = results_.output->prints_errors() && !session_.json();
  const std::string failures = summary.FailuresText(!errors_were_printed);
  if (!failures.empty()) session_.Talk(failures.substr(0, failures.size() - 1));
  if (!summary.CodesText().empty()) session_.Talk(summary.CodesText());
  return all_succeeded_ && summary.failed() == 0 ? 0 : kJobFailed;
}

}  // namespace wb::cli
