#include "client/cli/commands/job_results.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include <cerrno>
#include <map>
#include <optional>

#include "client/cli/commands/flag_names.h"
#include "client/cli/output/exit_code.h"
#include "client/cli/output/first_traps.h"
#include "client/cli/output/outputs.h"
#include "client/cli/output/progress.h"
#include "client/cli/output/result_order.h"
#include "client/cli/output/result_printer.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/program/files.h"
#include "client/services/jobs.h"
#include "client/services/modules.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

OutputForm FormOf(const ResultOptions& options, Format format, bool in_files) {
  if (options.show_output == "hex") return OutputForm::kHex;
  if (options.show_output == "text") return OutputForm::kText;
  if (options.show_output == "base64") return OutputForm::kBase64;
  if (in_files || format == Format::kTable) return OutputForm::kSize;
  return format == Format::kCsv ? OutputForm::kHex : OutputForm::kBase64;
}

// Bytes that were asked for, and files of outputs, leave texts as bytes on standard output.
ResultShown ShownOf(const ResultOptions& options, Format format) {
  ResultShown shown{FormOf(options, format, options.in_files()), options.inputs, options.texts};
  const bool is_text =
      options.show_output.empty() ? !options.in_files() : options.show_output == "text";
  if (!is_text) shown.texts = {};
  return shown;
}

// What -o csv needs to know of a job before its first result.
Result<ResultCsv> CsvOf(Invocation& invocation, const std::string& name, ResultShown shown) {
  WB_ASSIGN(const v1::Job job, GetJob(invocation.client(), name));
  std::map<std::string, v1::Module> modules;
  WB_ASSIGN(modules[""], GetModule(invocation.client(), job.module()));
  for (const v1::LinkedModule& linked : job.linked()) {
    WB_ASSIGN(modules[linked.name()], GetModule(invocation.client(), linked.module()));
  }
  return ResultCsv::Plan(job, modules, std::move(shown));
}

// Where results go: to standard output and to files, in their order if that was asked for.
class ResultWriter {
 public:
  ResultWriter(Invocation& invocation, const ResultOptions& options)
      : invocation_(invocation),
        options_(options),
        shown_(ShownOf(options, invocation.format())),
        printer_(invocation.format(), shown_),
        order_([this](const v1::InstanceResult& result) { Write(result); }) {}

  Status Open(const std::string& job) {
    WB_TRY(files_.Open(options_.out, options_.concats));
    if (options_.names) files_.NameBy(*options_.names);
    if (options_.no_results) return {};
    std::optional<ResultCsv> csv;
    if (invocation_.format() == Format::kCsv) {
      WB_ASSIGN(csv, CsvOf(invocation_, job, shown_));
    }
    printer_.Begin(std::move(csv));
    return {};
  }

  void Add(v1::InstanceResult result) {
    traps_.Add(result);
    wrong_texts_.Add(result, options_.texts);
    if (!options_.ordered) {
      Write(result);
    } else if (written_.ok()) {
      Note(order_.Add(result));
    }
  }

  // Also after an interruption: what waits for its turn has been acknowledged.
  void Finish(const v1::Job* job) {
    if (written_.ok()) Note(order_.Finish());
    printer_.Finish(job);
  }

  Status FinishFiles() {
    WB_TRY(files_.Finish());
    if (files_.missing() > 0) {
      invocation_.Talk(std::to_string(files_.missing()) + " instances have no such output.");
    }
    return {};
  }

  // A few words on standard error of traps and of texts that are none.
  void TellWhatIsWrong() const {
    for (const std::string& text : {traps_.Text(), wrong_texts_.Text()}) {
      if (!text.empty()) invocation_.Talk(text);
    }
  }

  const Status& written() const { return written_; }

 private:
  void Write(const v1::InstanceResult& result) {
    printer_.PrintResult(result);
    if (!files_.any() || !written_.ok()) return;
    Note(files_.Add(options_.texts.any() ? options_.texts.Decoded(result) : result));
  }
  void Note(Status status) {
    if (written_.ok()) written_ = std::move(status);
  }

  Invocation& invocation_;
  const ResultOptions& options_;
  const ResultShown shown_;
  OutputFiles files_;
  ResultPrinter printer_;
  ResultOrder order_;
  FirstTraps traps_;
  WrongTexts wrong_texts_;
  Status written_;
};

int ExitCodeOfJob(const v1::Job& job) { return job.state() == v1::Job::SUCCEEDED ? 0 : kJobFailed; }

std::string HowToReadOn(const std::string& name, const std::string& cursor) {
  return " To read on:\n  wasmburstctl job results " + name + " --follow --cursor '" + cursor + "'";
}

Result<int> Interrupted(Invocation& invocation, const std::string& name,
                        const std::string& cursor) {
  const std::string why = invocation.is_late()
                              ? "Not done within --timeout [" + invocation.flags().timeout + "]"
                              : "Interrupted";
  invocation.Talk(why + "; the job goes on." + HowToReadOn(name, cursor) +
                  "\nTo end it:\n  wasmburstctl job cancel " + name);
  return invocation.is_late() ? kTooLate : kInterrupted;
}

// Standard output takes no more: what the job goes on to compute would not be seen.
Result<int> OutputEnded(Invocation& invocation, const std::string& name, bool cancels) {
  if (cancels) {
    Result<v1::Job> cancelled = CancelJob(invocation.client(), name);
    if (!cancelled.ok() && cancelled.status().reason() != Reason::kJobTerminal) {
      return cancelled.status();
    }
  }
  if (OutputError() != EPIPE) {
    invocation.Talk(cancels ? "The job [" + name + "] was cancelled; --keep-running lets it go on."
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

Status ChooseShownInputs(const std::vector<InputColumn>& known, uint64_t instances,
                         ResultOptions* options) {
  WB_ASSIGN(options->inputs, ChooseInputs(options->columns, known, instances));
  if (options->name_by.empty()) return {};
  if (options->out.empty()) {
    return Status(Reason::kInvalidArgument, "--name-by names the files of --out; give both.");
  }
  WB_ASSIGN(const std::vector<InputColumn> names,
            ChooseInputs({options->name_by}, known, instances));
  options->names = names[0];
  return CheckFileNames(names[0], instances);
}

void AddResultOptions(CLI::App* command, ResultOptions* options) {
  command->add_flag("--no-results", options->no_results, "do not print results");
  command->add_flag("--ordered", options->ordered,
                    "print results in the order of instances; those that come early wait in 64 MiB "
                    "of memory, then in temporary files (TMPDIR)");
  command
      ->add_option(
          "--show-output", options->show_output,
          "show the bytes of outputs so (without it tables show sizes, CSV hex, JSON base64, "
          "all of them declared texts)")
      ->check(CLI::IsMember({"hex", "text", "base64"}));
  command->add_option("--out", options->out, "write outputs to files FOLDER/INSTANCE.NAME")
      ->type_name("FOLDER");
  command
      ->add_option("--concat", options->concats,
                   "write output NAME of all instances, in their order, to FILE")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  command->add_option("--report", options->report, "write the ended job as JSON to this file")
      ->type_name("FILE");
}

void AddInputOptions(CLI::App* command, ResultOptions* options) {
  command
      ->add_option("--columns", options->columns,
                   "show these inputs beside results: NAME of a CSV or JSONL column or of a column "
                   "of --program, arg1, arg2... for other arguments, file for --each-file, or "
                   "@FILE.csv:NAME")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->allow_extra_args(false);
  command
      ->add_option("--name-by", options->name_by,
                   "an input, as of --columns, that names the files of --out instead of INSTANCE; "
                   "of a path the last part")
      ->type_name("NAME");
}

void TellEnd(const Invocation& invocation, const wasmburst::v1::Job& job) {
  invocation.Talk(WithFlagNames(JobSummary(job)));
  if (!invocation.flags().quiet || !job.has_error()) return;
  std::fprintf(stderr, "%s: %s\n", job.name().c_str(),
               WithFlagNames(job.error().message()).c_str());
}

Result<int> ReadResults(Invocation& invocation, const std::string& name,
                        const ResultOptions& options) {
  ResultWriter writer(invocation, options);
  WB_TRY(writer.Open(name));
  v1::ReadResultsRequest request;
  request.set_name(name);
  request.set_cursor(options.cursor);
  request.set_follow(options.follow);
  std::string cursor = options.cursor;
  std::optional<v1::Job> ended;
  Progress progress(invocation.flags().quiet);
  Status status =
      ReadResults(invocation.client(), request, [&](const v1::ReadResultsResponse& part) {
        if (part.results_size() > 0) progress.Clear();
        for (const v1::InstanceResult& result : part.results()) writer.Add(result);
        progress.Show(part);
        if (part.has_job()) ended = part.job();
        if (!writer.written().ok() || !OutputWorks()) return false;
        cursor = part.cursor();
        return true;
      });
  progress.Clear();
  writer.Finish(ended ? &*ended : nullptr);
  if (status.code() == Code::kCancelled) return Interrupted(invocation, name, cursor);
  if (!OutputWorks()) return OutputEnded(invocation, name, options.cancels);
  if (status.code() == Code::kUnavailable) {
    invocation.Talk(
        "The daemon has gone. A daemon that keeps its jobs (server.durable) goes on with "
        "this one when it is started again." +
        HowToReadOn(name, cursor));
  }
  WB_TRY(status);
  WB_TRY(writer.written());
  WB_TRY(writer.FinishFiles());
  if (!ended) return 0;
  if (!options.report.empty()) WB_TRY(WriteFile(options.report, MessageJson(*ended, true)));
  writer.TellWhatIsWrong();
  TellEnd(invocation, *ended);
  return ExitCodeOfJob(*ended);
}

}  // namespace wb::cli
