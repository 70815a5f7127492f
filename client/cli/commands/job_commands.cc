#include <CLI/CLI.hpp>

#include "client/cli/commands/commands.h"
#include "client/cli/commands/flag_names.h"
#include "client/cli/output/progress.h"

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

void ShowJob(Session& session, const v1::Job& job) {
  if (session.json()) {
    session.PrintMessage(job);
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
  if (job.has_error()) rows.push_back({"error", WithFlagNames(job.error().message())});
  rows.push_back({"compiled in", CompileText(job.usage())});
  rows.push_back({"summary", WithFlagNames(JobSummary(job))});
  Session::Print(Table(rows));
}

struct ListOptions {
  std::string filter;
  int limit = 100;
};

Result<int> List(Session& session, const ListOptions& options) {
  std::vector<std::vector<std::string>> rows = {kJobHeader};
  v1::ListJobsRequest request;
  request.set_filter(options.filter);
  v1::ListJobsResponse all;
  do {
    request.set_page_size(std::min(options.limit - all.jobs_size(), 1000));
    WB_ASSIGN(v1::ListJobsResponse page, session.client().ListJobs(request));
    for (const v1::Job& job : page.jobs()) {
      rows.push_back(JobRow(job));
      if (session.format() == Format::kJsonl) session.PrintMessage(job);
    }
    request.set_page_token(page.next_page_token());
    all.MergeFrom(page);
  } while (!request.page_token().empty() && all.jobs_size() < options.limit);
  all.clear_next_page_token();
  if (session.format() == Format::kTable) Session::Print(Table(rows));
  if (session.format() == Format::kJson) session.PrintMessage(all);
  return 0;
}

Result<int> Watch(Session& session, const std::string& name) {
  v1::WatchJobRequest request;
  request.set_name(name);
  v1::Job last;
  std::string shown;
  WB_TRY(session.client().WatchJob(request, [&](const v1::JobEvent& event) {
    if (!event.has_job()) return true;
    last = event.job();
    if (session.json()) {
      Session::PrintLine(MessageJson(last, false));
    } else {
      std::string line = v1::Job::State_Name(last.state()) + " " + ProgressText(last.counts(), 0) +
                         (last.waiting_for().empty() ? "" : " " + last.waiting_for());
      if (line != shown) Session::PrintLine(line);
      shown = line;
    }
    return Session::OutputWorks();
  }));
  return last.state() == v1::Job::FAILED ? kJobFailed : 0;
}

using OneJob = Result<int> (*)(Session&, const std::string&);

void AddOneJob(CLI::App* noun, Command* chosen, const char* verb, const char* meaning, OneJob run) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = noun->add_subcommand(verb, meaning);
  command->add_option("name", *name, "jobs/..., or the id behind it")
      ->transform(FullJobName)
      ->required();
  command->callback([chosen, name, run] {
    *chosen = [name, run](Session& session) { return run(session, *name); };
  });
}

Result<int> Get(Session& session, const std::string& name) {
  WB_ASSIGN(v1::Job job, session.client().GetJob(name));
  ShowJob(session, job);
  return 0;
}

Result<int> Cancel(Session& session, const std::string& name) {
  WB_ASSIGN(v1::Job job, session.client().CancelJob(name));
  if (session.json()) session.PrintMessage(job);
  return 0;
}

Result<int> Delete(Session& session, const std::string& name) {
  WB_TRY(session.client().DeleteJob(name));
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
  list->callback([chosen, options] {
    *chosen = [options](Session& session) { return List(session, *options); };
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
  AddOneJob(noun, chosen, "rm",
            "Forget an ended job and its results.\nExample: wasmburstctl job rm jobs/01J...",
            Delete);
}

}  // namespace wb::cli
