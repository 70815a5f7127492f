#include "client/cli/commands/run_results.h"

#include <optional>
#include <utility>

#include "client/cli/commands/job_results.h"
#include "client/cli/output/exit_code.h"
#include "client/cli/output/progress.h"
#include "client/cli/output/result_order.h"
#include "client/cli/output/result_printer.h"
#include "client/cli/output/run_summary.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/output/trap_text.h"
#include "client/services/jobs.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

}  // namespace

// Results have the places of items, among all items of the run.
class RunReader::Writer {
 public:
  Writer(const Invocation& invocation, const RunResults& results)
      : invocation_(invocation),
        results_(results),
        printer_(invocation.format(), {.outputs = OutputForm::kText}) {
    if (invocation.json()) printer_.Begin(std::nullopt);
  }

  void Begin(const ProgramJob& job) {
    job_ = job;
    order_.emplace([this](const v1::InstanceResult& result) { Write(result); }, job.first());
  }
  void Add(v1::InstanceResult result) {
    result.set_instance(job_.first() + result.instance());
    summary_.Add(result, ItemOf(result));
    if (!results_.has_source) last_ = result;
    if (results_.ordered) {
      Note(order_->Add(result));
    } else {
      Write(result);
    }
  }
  // The job has ended: what waits for results that did not come is written.
  void End() {
    if (written_.ok()) Note(order_->Finish());
  }
  void Finish() { printer_.Finish(nullptr); }

  const Status& written() const { return written_; }
  const RunSummary& summary() const { return summary_; }
  const std::optional<v1::InstanceResult>& last() const { return last_; }

 private:
  uint64_t PlaceOf(const v1::InstanceResult& result) const {
    return result.instance() - job_.items->first;
  }
  const std::string& ItemOf(const v1::InstanceResult& result) const {
    return job_.items->texts[PlaceOf(result)];
  }
  // Files come first: a line of JSON names files that are there.
  void Write(const v1::InstanceResult& result) {
    if (!written_.ok()) return;
    const Result<OutputPaths> files =
        results_.output->WriteFiles(result, *job_.items, PlaceOf(result));
    Note(files.status());
    if (invocation_.json()) {
      printer_.ShowInputs({InputColumn{"item", {ItemOf(result)}, std::nullopt, false}});
      printer_.PrintResult(result, files.ok() ? *files : OutputPaths());
    } else {
      results_.output->PrintResult(result, ItemOf(result));
    }
  }
  void Note(Status status) {
    if (written_.ok()) written_ = std::move(status);
  }

  const Invocation& invocation_;
  const RunResults& results_;
  ResultPrinter printer_;
  ProgramJob job_;
  std::optional<ResultOrder> order_;  // of the job
  RunSummary summary_;
  std::optional<v1::InstanceResult> last_;
  Status written_;
};

namespace {

// Of a program that stands for itself: silent where it ended by itself, unless it lacked room that
// a flag gives.
int ExitAsOne(const Invocation& invocation, const v1::InstanceResult& result) {
  const bool has_ended_itself = result.end() == v1::RETURNED || result.end() == v1::EXITED;
  const bool lacked_room = SaysFilesAreFull(result) && !FailureText(result).empty();
  if (!has_ended_itself || lacked_room) {
    invocation.Talk("wasmburstctl: The program " + FailureText(result) + "." +
                    BacktraceText(result));
  }
  return ProgramExitCode(result);
}

}  // namespace

bool CancelUnwanted(const Invocation& invocation, const std::string& job) {
  ClientOptions options = invocation.flags().client;
  options.attempts = 1;
  options.timeout = std::chrono::seconds(5);
  const auto client = Client::Connect(invocation.flags().address, options);
  return client.ok() && CancelJob(*client.value(), job).ok();
}

RunReader::RunReader(Invocation& invocation, const RunResults& results)
    : invocation_(invocation),
      results_(results),
      writer_(std::make_unique<Writer>(invocation, results_)) {}

RunReader::~RunReader() = default;

Result<bool> RunReader::Interrupted(const std::string& job) {
  const bool cancelled = CancelUnwanted(invocation_, job);
  invocation_.Talk((invocation_.is_late() ? "Not done within --timeout" : "Interrupted") +
                   std::string(cancelled ? "; the job was cancelled."
                                         : "; to end the job:\n  wasmburstctl job cancel " + job));
  exit_code_ = invocation_.is_late() ? kTooLate : kInterrupted;
  return false;
}

Result<bool> RunReader::Read(const ProgramJob& job) {
  v1::ReadResultsRequest request;
  request.set_name(job.name);
  request.set_follow(true);
  std::optional<v1::Job> ended;
  Progress progress(invocation_.flags().quiet || !results_.has_source);
  writer_->Begin(job);
  Status status =
      ReadResults(invocation_.client(), request, [&](const v1::ReadResultsResponse& part) {
        if (part.results_size() > 0) progress.Clear();
        for (const v1::InstanceResult& result : part.results()) writer_->Add(result);
        progress.Show(part);
        if (part.has_job()) ended = part.job();
        return writer_->written().ok() && OutputWorks();
      });
  progress.Clear();
  if (status.code() == Code::kCancelled) return Interrupted(job.name);
  writer_->End();
  if (!OutputWorks()) {
    CancelUnwanted(invocation_, job.name);
    exit_code_ = kOutputFailed;
    return false;
  }
  WB_TRY(status);
  WB_TRY(writer_->written());
  const bool succeeded = ended && ended->state() == v1::Job::SUCCEEDED;
  all_succeeded_ = all_succeeded_ && succeeded;
  const bool is_one = succeeded && !results_.has_source;
  if (ended && !is_one) TellEnd(invocation_, *ended);
  return true;
}

int RunReader::Finish() {
  writer_->Finish();
  const RunSummary& summary = writer_->summary();
  if (!results_.has_source) {
    const bool ran = all_succeeded_ && writer_->last().has_value();
    return ran ? ExitAsOne(invocation_, *writer_->last()) : kJobFailed;
  }
  const bool errors_were_printed = results_.output->prints_errors() && !invocation_.json();
  const std::string failures = summary.FailuresText(!errors_were_printed);
  if (!failures.empty()) invocation_.Talk(failures.substr(0, failures.size() - 1));
  if (!summary.CodesText().empty()) invocation_.Talk(summary.CodesText());
  return all_succeeded_ && summary.failed() == 0 ? 0 : kJobFailed;
}

}  // namespace wb::cli
