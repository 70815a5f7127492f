// `job serve`: answers the calls of a job that another command submitted.

#include <CLI/CLI.hpp>

#include "client/cli/commands/commands.h"
#include "client/cli/commands/host_serving.h"
#include "client/cli/output/exit_code.h"
#include "client/services/jobs.h"
#include "client/services/modules.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

// The last call is answered before the job's record says that it has ended.
void AwaitEnd(Client& client, const std::string& job) {
  v1::WatchJobRequest request;
  request.set_name(job);
  (void)WatchJob(client, request, [](const v1::JobEvent&) { return true; });
}

Result<int> ServeJob(Invocation& invocation, const std::string& name, const HostFlags& flags) {
  WB_ASSIGN(const v1::Job job, GetJob(invocation.client(), name));
  std::vector<v1::Module> modules(1);
  WB_ASSIGN(modules[0], GetModule(invocation.client(), job.module()));
  for (const v1::LinkedModule& linked : job.linked()) {
    WB_ASSIGN(modules.emplace_back(), GetModule(invocation.client(), linked.module()));
  }
  HostServing serving(invocation);
  WB_TRY(serving.Start(flags, modules));
  serving.Serve(job.name(), 0);
  const Status status = serving.Wait();
  if (status.ok()) {
    AwaitEnd(invocation.client(), job.name());
    return 0;
  }
  if (status.code() != Code::kCancelled || invocation.is_late()) return status;
  invocation.Talk(
      "Interrupted; calls of the job wait for the next job serve, and trap after its "
      "--host-timeout.");
  return kInterrupted;
}

}  // namespace

void AddJobServeCommand(CLI::App* job, Command* chosen) {
  auto flags = std::make_shared<HostFlags>();
  auto name = std::make_shared<std::string>();
  CLI::App* serve = job->add_subcommand(
      "serve",
      "Answer calls of imports that a submitted job binds to host, until it has ended.\n"
      "Example: wasmburstctl job serve jobs/01J... --host ./handler.py");
  serve->add_option("name", *name, "jobs/..., or the id behind it")
      ->transform(FullJobName)
      ->required();
  AddHostFlags(serve, flags.get());
  serve->get_option("--host")->required();
  serve->callback([chosen, name, flags] {
    chosen->run = [name, flags](Invocation& invocation) {
      return ServeJob(invocation, *name, *flags);
    };
  });
}

}  // namespace wb::cli
