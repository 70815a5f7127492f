// wasmburstctl: flags to a command, a command to an exit code.

#include <pthread.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <thread>

#include "client/cli/commands.h"
#include "client/cli/duration.h"
#include "client/cli/suggestions.h"

namespace {

constexpr int kUsageError = 2;

// Before the first thread, so that no thread of gRPC's takes the signals.
sigset_t BlockSignals() {
  signal(SIGPIPE, SIG_IGN);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

// Ends calls under way on an interrupt, so that the command can say how to go on.
void WatchForInterrupt(std::shared_ptr<wb::Client> client, sigset_t signals) {
  std::thread([client, signals] {
    int number = 0;
    sigwait(&signals, &number);
    client->Interrupt();
    // A second one ends the program at once.
    sigwait(&signals, &number);
    _exit(wb::cli::kInterrupted);
  }).detach();
}

void AddGlobalFlags(CLI::App* app, wb::cli::GlobalFlags* flags) {
  app->add_option("--addr", flags->address, "unix:///path or tcp://host:port of the daemon")
      ->envname("WASMBURST_ADDR")
      ->default_val("unix:///run/wasmburst/wasmburstd.sock");
  std::map<std::string, wb::cli::Format> formats = {{"table", wb::cli::Format::kTable},
                                                    {"json", wb::cli::Format::kJson},
                                                    {"jsonl", wb::cli::Format::kJsonl}};
  app->add_option("-o,--output", flags->format, "table, json or jsonl")
      ->transform(CLI::CheckedTransformer(formats).description(""));
  app->add_flag("-q,--quiet", flags->quiet, "data only: no progress, no summary");
  app->add_option("--timeout", flags->timeout, "for one call to the daemon")->default_val("60s");
}

int Complain(const wb::Status& status) {
  std::string reason(wb::ReasonName(status.reason()));
  std::string advice(wb::ReasonAdvice(status.reason()));
  std::string details;
  for (const wb::Detail& detail : status.details()) {
    details += (details.empty() ? " (" : ", ") + detail.key + " " + detail.value;
  }
  if (!details.empty()) details += ")";
  std::fprintf(stderr, "wasmburstctl: %s: %s%s\n%s\n", reason.c_str(), status.message().c_str(),
               details.c_str(), advice.c_str());
  return wb::cli::ExitCodeOf(status);
}

// A reader that has gone (a closed pipe) has seen what it wanted.
int OutputFailed(int error) {
  if (error != EPIPE) {
    std::fprintf(stderr,
                 "wasmburstctl: Standard output cannot be written (%s); what was printed is not "
                 "complete.\n",
                 std::strerror(error));
  }
  return wb::cli::kOutputFailed;
}

wb::Result<int> Run(const wb::cli::GlobalFlags& flags, const wb::cli::Command& command) {
  sigset_t signals = BlockSignals();
  wb::ClientOptions options;
  WB_ASSIGN(int64_t timeout, wb::cli::ParseDuration(flags.timeout));
  options.timeout = std::chrono::nanoseconds(timeout);
  options.attempts = 4;
  WB_ASSIGN(std::shared_ptr<wb::Client> client, wb::Client::Connect(flags.address, options));
  WatchForInterrupt(client, signals);
  wb::cli::Session session(flags, client);
  return command(session);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "wasmburstctl submits WebAssembly jobs to wasmburstd.\n"
      "Example: wasmburstctl job run fac.wat --call fac --arg 0..20\n"
      "Exit codes: 0 ok, 1 a job failed, 2 wrong usage or input, 3 not found, 5 unreachable or "
      "too\n"
      "late, 6 a limit of the daemon, 7 interrupted (the job goes on), 8 standard output takes no\n"
      "more, 70 a defect."};
  app.set_version_flag("--version", std::string("wasmburstctl ") + WB_VERSION);
  app.require_subcommand(1);
  app.fallthrough();
  wb::cli::GlobalFlags flags;
  AddGlobalFlags(&app, &flags);
  wb::cli::Command chosen;
  wb::cli::AddModuleCommands(&app, &chosen);
  wb::cli::AddJobCommands(&app, &chosen);
  wb::cli::AddDeviceCommands(&app, &chosen);
  wb::cli::AddAdminCommands(&app, &chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::optional<std::string> unknown =
        wb::cli::UnknownWord(app, std::vector<std::string>(argv + 1, argv + argc));
    if (unknown && error.get_exit_code() != 0) {
      std::fprintf(stderr, "wasmburstctl: %s\n", unknown->c_str());
      return kUsageError;
    }
    const int code = app.exit(error) == 0 ? 0 : kUsageError;
    return std::cout.flush() ? code : OutputFailed(errno);
  }
  wb::Result<int> code = Run(flags, chosen);
  const bool wrote = wb::cli::Session::OutputWorks();
  if (!code.ok()) return Complain(code.status());
  return wrote ? *code : OutputFailed(wb::cli::Session::OutputError());
}
