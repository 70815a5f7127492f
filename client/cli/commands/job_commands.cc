#include <CLI/CLI.hpp>
#include <functional>

#include "client/cli/commands/commands.h"
#include "client/cli/commands/flag_names.h"
#include "client/cli/invocation/watch.h"
#include "client/cli/output/exit_code.h"
#include "client/cli/output/forecast_text.h"
#include "client/cli/output/progress.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/profile/pipeline_table.h"
#include "client/services/jobs.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

std::vector<std::string> JobRow(const v1::Job& job) {
  const v1::Counts& counts = job.counts();
  return {job.name(), v1::Job::State_Name(job.state()),
          std::to_string(counts.finished()) + "/" + std::to_string(counts.instances()),
          job.device(), job.waiting_for()};
}

const std::vector<std::string> kJobHeader = {"NAME", "STATE", "FINISHED", "DEVICE", "WAITING FOR"};

std::string WaitText(const v1::WaitReason& reason) {
  std::string text = reason.message();
  if (reason.has_until()) text += "; until " + TimeText(reason.until()) + " at the latest";
  for (int i = 0; i < reason.jobs_size(); ++i) {
    text += (i == 0 ? "; behind " : ", ") + reason.jobs(i);
  }
  return text;
}

// What a running job has used so far, and how it goes on.
void AddProgress(const v1::Job& job, std::vector<std::vector<std::string>>* rows) {
  if (job.usage().fuel_running() > 0) {
    const std::string fuel = CountText(static_cast<double>(job.usage().fuel_running()));
    rows->push_back({"running ones used", fuel + " instructions as of their last launch"});
  }
  if (!job.has_forecast()) return;
  const v1::Forecast& forecast = job.forecast();
  if (const std::string rate = RateText(forecast); !rate.empty()) rows->push_back({"rate", rate});
  if (!forecast.has_latest_end()) return;
  rows->push_back({"ends", LeftText(forecast, UnixNow()) + ": between " +
                               TimeText(forecast.earliest_end()) + " and " +
                               TimeText(forecast.latest_end())});
}

// What is kept of instances that were left midway, and what of such is lost.
void AddCheckpointRow(const v1::Job& job, std::vector<std::vector<std::string>>* rows) {
  if (job.has_checkpoint()) {
    rows->push_back({"states kept", std::to_string(job.checkpoint().states()) + " instances, " +
                                        std::to_string(job.checkpoint().bytes()) + " bytes"});
  }
  if (job.usage().lost_states() > 0) {
    rows->push_back(
        {"states lost", std::to_string(job.usage().lost_states()) + " instances started again"});
  }
}

void ShowJob(Invocation& invocation, const v1::Job& job) {
  if (invocation.json()) {
    invocation.PrintMessage(job);
    return;
  }
  std::vector<std::vector<std::string>> rows = {
      {"name", job.name()}, {"module", job.module()}, {"state", v1::Job::State_Name(job.state())}};
  if (!job.waiting_for().empty() && job.waits().empty()) {
    rows.push_back({"waiting for", job.waiting_for()});
  }
  for (const v1::WaitReason& reason : job.waits()) {
    rows.push_back({rows.size() == 3 ? "waiting for" : "and for", WaitText(reason)});
  }
  if (!job.device().empty()) rows.push_back({"device", job.device()});
  if (!job.placement_reason().empty()) rows.push_back({"why there", job.placement_reason()});
  if (job.tier() != v1::Job::TIER_UNSPECIFIED) {
    rows.push_back({"tier", v1::Job::Tier_Name(job.tier()) + ": " + job.tier_reason()});
  }
  if (job.has_divergence()) rows.push_back({"lanes", DivergenceText(job.divergence())});
  for (const std::string& hint : job.hints()) rows.push_back({"hint", hint});
  AddCheckpointRow(job, &rows);
  if (job.has_error()) rows.push_back({"error", WithFlagNames(job.error().message())});
  rows.push_back({"compiled in", CompileText(job.usage())});
  AddProgress(job, &rows);
  if (job.has_trace()) rows.push_back({"trace", job.trace().trace_id()});
  rows.push_back({"summary", WithFlagNames(JobSummary(job))});
  Print(Table(rows));
}

struct ListOptions {
  std::string filter;
  int limit = 100;
  WatchOptions watch;
};

// Page by page; `on_page` may show what there is so far.
Result<v1::ListJobsResponse> AllJobs(
    Invocation& invocation, const ListOptions& options,
    const std::function<void(const v1::ListJobsResponse& page)>& on_page = {}) {
  v1::ListJobsRequest request;
  request.set_filter(options.filter);
  v1::ListJobsResponse all;
  do {
    request.set_page_size(std::min(options.limit - all.jobs_size(), 1000));
    WB_ASSIGN(v1::ListJobsResponse page, ListJobs(invocation.client(), request));
    if (on_page) on_page(page);
    request.set_page_token(page.next_page_token());
    all.MergeFrom(page);
  } while (!request.page_token().empty() && all.jobs_size() < options.limit);
  all.clear_next_page_token();
  return all;
}

std::string JobTable(const v1::ListJobsResponse& jobs) {
  std::vector<std::vector<std::string>> rows = {kJobHeader};
  for (const v1::Job& job : jobs.jobs()) rows.push_back(JobRow(job));
  return Table(rows);
}

Result<int> WatchList(Invocation& invocation, const ListOptions& options) {
  return WatchLooks(invocation, options.watch, [&]() -> Result<Look> {
    WB_ASSIGN(const v1::ListJobsResponse all, AllJobs(invocation, options));
    return Look{JobTable(all), [all](const auto& show) {
                  for (const v1::Job& job : all.jobs()) show(job.name(), job);
                }};
  });
}

Result<int> List(Invocation& invocation, const ListOptions& options) {
  if (options.watch.on) return WatchList(invocation, options);
  WB_ASSIGN(const v1::ListJobsResponse all,
            AllJobs(invocation, options, [&invocation](const v1::ListJobsResponse& page) {
              if (invocation.format() != Format::kJsonl) return;
              for (const v1::Job& job : page.jobs()) invocation.PrintMessage(job);
            }));
  if (invocation.format() == Format::kTable) Print(JobTable(all));
  if (invocation.format() == Format::kJson) invocation.PrintMessage(all);
  return 0;
}

Result<int> Watch(Invocation& invocation, const std::string& name) {
  v1::WatchJobRequest request;
  request.set_name(name);
  v1::Job last;
  std::string shown;
  WB_TRY(WatchJob(invocation.client(), request, [&](const v1::JobEvent& event) {
    if (!event.has_job()) return true;
    last = event.job();
    if (invocation.json()) {
      PrintLine(MessageJson(last, false));
    } else {
      const std::string forecast = ForecastText(last.forecast(), UnixNow());
      std::string line = v1::Job::State_Name(last.state()) + " " + ProgressText(last.counts(), 0) +
                         (forecast.empty() ? "" : ", " + forecast) +
                         (last.waiting_for().empty() ? "" : " " + last.waiting_for());
      if (line != shown) PrintLine(line);
      shown = line;
    }
    return OutputWorks();
  }));
  return last.state() == v1::Job::FAILED ? kJobFailed : 0;
}

using OneJob = Result<int> (*)(Invocation&, const std::string&);

void AddOneJob(CLI::App* noun, Command* chosen, const char* verb, const char* meaning, OneJob run) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = noun->add_subcommand(verb, meaning);
  command->add_option("name", *name, "jobs/..., or the id behind it")
      ->transform(FullJobName)
      ->required();
  command->callback([chosen, name, run] {
    chosen->run = [name, run](Invocation& invocation) { return run(invocation, *name); };
  });
}

Result<int> Get(Invocation& invocation, const std::string& name) {
  WB_ASSIGN(v1::Job job, GetJob(invocation.client(), name));
  ShowJob(invocation, job);
  return 0;
}

Result<int> Cancel(Invocation& invocation, const std::string& name) {
  WB_ASSIGN(v1::Job job, CancelJob(invocation.client(), name));
  if (invocation.json()) invocation.PrintMessage(job);
  return 0;
}

bool HasEnded(v1::Job::State state) {
  return state == v1::Job::SUCCEEDED || state == v1::Job::FAILED || state == v1::Job::CANCELLED;
}

// Until its states are kept, or it has ended.
Result<v1::Job> AwaitCheckpoint(Invocation& invocation, const std::string& name) {
  v1::WatchJobRequest request;
  request.set_name(name);
  WB_TRY(WatchJob(invocation.client(), request, [](const v1::JobEvent& event) {
    const v1::Job::State state = event.job().state();
    return !event.has_job() || (state != v1::Job::CHECKPOINTED && !HasEnded(state));
  }));
  return GetJob(invocation.client(), name);
}

Result<int> Checkpoint(Invocation& invocation, const std::string& name, bool wait) {
  WB_ASSIGN(v1::Job job, CheckpointJob(invocation.client(), name));
  if (wait) {
    WB_ASSIGN(job, AwaitCheckpoint(invocation, name));
  }
  if (invocation.json()) {
    invocation.PrintMessage(job);
  } else if (wait) {
    PrintLine(job.name() + " " + v1::Job::State_Name(job.state()) + ", " +
              std::to_string(job.checkpoint().states()) + " states of " +
              std::to_string(job.checkpoint().bytes()) + " bytes");
  }
  return 0;
}

void AddCheckpoint(CLI::App* noun, Command* chosen) {
  auto name = std::make_shared<std::string>();
  auto wait = std::make_shared<bool>(false);
  CLI::App* command = noun->add_subcommand(
      "checkpoint",
      "Stop a job and keep the states of its instances, so that it can be resumed.\n"
      "Example: wasmburstctl job checkpoint jobs/01J... --wait");
  command->add_option("name", *name, "jobs/..., or the id behind it")
      ->transform(FullJobName)
      ->required();
  command->add_flag("--wait", *wait, "until its states are kept");
  command->callback([chosen, name, wait] {
    chosen->run = [name, wait](Invocation& invocation) {
      return Checkpoint(invocation, *name, *wait);
    };
  });
}

Result<int> Resume(Invocation& invocation, const std::string& name, const std::string& placement) {
  v1::ResumeJobRequest request;
  request.set_name(name);
  if (placement == "auto") request.set_placement(v1::AUTO);
  if (placement == "cpu") request.set_placement(v1::CPU);
  if (placement == "interpreter") request.set_placement(v1::INTERPRETER);
  if (placement == "gpu") request.set_placement(v1::GPU);
  WB_ASSIGN(const v1::Job job, ResumeJob(invocation.client(), request));
  if (invocation.json()) invocation.PrintMessage(job);
  return 0;
}

void AddResume(CLI::App* noun, Command* chosen) {
  auto name = std::make_shared<std::string>();
  auto placement = std::make_shared<std::string>();
  CLI::App* command = noun->add_subcommand(
      "resume",
      "Let a checkpointed job go on, where it was or on devices of another kind.\n"
      "Example: wasmburstctl job resume jobs/01J... --placement interpreter");
  command->add_option("name", *name, "jobs/..., or the id behind it")
      ->transform(FullJobName)
      ->required();
  command->add_option("--placement", *placement, "as of job run; without it, as before")
      ->check(CLI::IsMember({"auto", "cpu", "interpreter", "gpu"}));
  command->callback([chosen, name, placement] {
    chosen->run = [name, placement](Invocation& invocation) {
      return Resume(invocation, *name, *placement);
    };
  });
}

Result<int> Delete(Invocation& invocation, const std::string& name) {
  WB_TRY(DeleteJob(invocation.client(), name));
  return 0;
}

}  // namespace

void AddJobCommands(CLI::App* app, Command* chosen) {
  CLI::App* noun = app->add_subcommand("job", "Jobs: a module, a program, many instances.");
  noun->require_subcommand(1);
  AddJobRunCommands(noun, chosen);
  auto options = std::make_shared<ListOptions>();
  CLI::App* list = noun->add_subcommand(
      "list",
      "List jobs, newest first.\n"
      "Example: wasmburstctl job list --filter 'state = RUNNING OR state = QUEUED'");
  list->add_option("--filter", options->filter, "state = STATE, several joined by OR");
  list->add_option("--limit", options->limit, "at most so many")->check(CLI::Range(1, 1000000));
  AddWatchFlags(list, &options->watch);
  list->callback([chosen, options] {
    chosen->run = [options](Invocation& invocation) { return List(invocation, *options); };
  });
  AddOneJob(noun, chosen, "get", "Show a job.\nExample: wasmburstctl job get jobs/01J... -o json",
            Get);
  AddOneJob(noun, chosen, "watch",
            "Show a job's changes until it ends.\nExample: wasmburstctl job watch jobs/01J...",
            Watch);
  AddOneJob(noun, chosen, "cancel",
            "End a job; its instances stop within a slice.\n"
            "Example: wasmburstctl job cancel jobs/01J...",
            Cancel);
  AddCheckpoint(noun, chosen);
  AddResume(noun, chosen);
  AddOneJob(noun, chosen, "rm",
            "Forget an ended job and its results.\nExample: wasmburstctl job rm jobs/01J...",
            Delete);
  AddInspectionCommands(noun, chosen);
  AddJobProfileCommand(noun, chosen);
}

}  // namespace wb::cli
