#include "client/cli/commands/host_serving.h"

#include <CLI/CLI.hpp>

#include <utility>

#include "client/cli/host/host_bindings.h"

namespace wb::cli {

namespace v1 = wasmburst::v1;

void AddHostFlags(CLI::App* command, HostFlags* flags) {
  command
      ->add_option("--host", flags->command,
                   "a command of /bin/sh that answers calls of imports: it reads "
                   "{\"instance\":0,\"call\":0,\"import\":\"env.f\",\"args\":[1],\"bytes\":[]} in "
                   "lines, and writes {\"instance\":0,\"call\":0,\"results\":[2]}. Functions that "
                   "nothing else gives are bound to it; --bind MODULE.NAME=host:... sends memory")
      ->type_name("COMMAND");
  command
      ->add_option("--host-workers", flags->workers,
                   "so many processes of it, to which instances are dealt")
      ->check(CLI::Range(1, 256));
}

Status BindHost(const HostFlags& flags, const std::vector<v1::Module>& modules, v1::Job* job) {
  if (!flags.command.empty()) BindRestToHost(modules, job);
  if (BindsToHost(*job) == !flags.command.empty()) return {};
  return Status(Reason::kInvalidArgument,
                flags.command.empty()
                    ? "An import is bound to [host] by --bind; give --host COMMAND, which answers "
                      "its calls."
                    : "The module imports no function that --host COMMAND could answer; leave the "
                      "flag out.");
}

std::string ServeCommandText(const std::string& job, const HostFlags& flags) {
  std::string quoted;
  for (const char c : flags.command) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  const std::string workers =
      flags.workers == 1 ? "" : " --host-workers " + std::to_string(flags.workers);
  return "wasmburstctl job serve " + job + " --host '" + quoted + "'" + workers;
}

HostServing::~HostServing() { Finish(); }

Status HostServing::Start(const HostFlags& flags, const std::vector<v1::Module>& modules) {
  if (flags.command.empty()) return {};
  HandlerOptions options;
  options.command = flags.command;
  const Invocation& invocation = invocation_;
  WB_ASSIGN(handlers_, Handlers::Start(options, flags.workers, ResultTypesOf(modules),
                                       [&invocation](const std::string& sentence) {
                                         invocation.Talk("wasmburstctl: " + sentence);
                                       }));
  return {};
}

void HostServing::Serve(const std::string& job, uint64_t first) {
  if (handlers_ == nullptr) return;
  served_.push_back(std::make_unique<Served>());
  Served& served = *served_.back();
  served.service = std::make_unique<HostCallService>(invocation_.client(), job);
  served.thread = std::thread([this, &served, first] { Run(served, first); });
}

void HostServing::Run(Served& served, uint64_t first) {
  HostCallService& service = *served.service;
  served.status = service.Run([this, &service, first](const v1::HostCall& call) {
    handlers_->Take(call, first + call.instance(),
                    [&service](v1::HostAnswer answer) { service.Answer(std::move(answer)); });
  });
  if (served.status.ok() || served.status.code() == Code::kCancelled) return;
  invocation_.Talk("wasmburstctl: Calls of the job are no longer answered: " +
                   served.status.message());
}

Status HostServing::Wait() {
  Status first;
  for (const std::unique_ptr<Served>& served : served_) {
    if (served->thread.joinable()) served->thread.join();
    if (first.ok()) first = served->status;
  }
  return first;
}

// The processes end before the services that their answers go to.
void HostServing::Finish() {
  for (const std::unique_ptr<Served>& served : served_) served->service->Stop();
  (void)Wait();
  if (handlers_ != nullptr) handlers_->Finish();
  handlers_.reset();
  served_.clear();
}

}  // namespace wb::cli
