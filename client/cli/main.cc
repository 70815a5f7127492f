// wasmburstctl: flags to a command, a command to an exit code.

#include <pthread.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <thread>

#include "client/cli/commands/commands.h"
#include "client/cli/commands/flag_names.h"
#include "client/cli/commands/version.h"
#include "client/cli/identity/connection_choice.h"
#include "client/cli/identity/trace_choice.h"
#include "client/cli/output/exit_code.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/program/duration.h"
#include "client/cli/tree/completion.h"
#include "client/cli/tree/suggestions.h"

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

// What gRPC writes to standard error, errors say better; whoever asks for it gets it.
void QuietGrpc() { setenv("GRPC_VERBOSITY", "NONE", 0); }

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

// --timeout, where it was given, holds for the whole command: streams have no other bound.
void WatchForTimeout(std::shared_ptr<wb::Client> client, std::shared_ptr<std::atomic<bool>> is_late,
                     std::chrono::nanoseconds timeout) {
  std::thread([client, is_late, timeout] {
    std::this_thread::sleep_for(timeout);
    *is_late = true;
    client->Interrupt();
  }).detach();
}

// Which daemon, and what is shown to it. Their variables are read with contexts.toml, whose place
// is between (connection_choice.h).
void AddConnectionFlags(CLI::App* app, wb::cli::ConnectionFlags* given) {
  app->add_option("--addr", given->address,
                  "unix:///path, tcp://host:port or tls://host:port of the daemon "
                  "(Env:WASMBURST_ADDR); without it the context in use, or " +
                      std::string(wb::cli::kDefaultAddress));
  app->add_option("--context", given->context,
                  "use the address, token and certificates that `context add` keeps under a name");
  app->add_option("--token-file", given->token_file,
                  "a file with a token, which nobody else can read (Env:WASMBURST_TOKEN_FILE; "
                  "WASMBURST_TOKEN holds a token itself)")
      ->type_name("FILE");
  app->add_option("--ca", given->ca_file,
                  "of tls://: certificates of the authorities that may sign the daemon's; without "
                  "it the system's")
      ->type_name("FILE");
  app->add_option("--cert", given->certificate_file, "of tls://: this client's own certificate")
      ->type_name("FILE");
  app->add_option("--key", given->key_file, "of tls://: the key of --cert")->type_name("FILE");
  app->add_option("--server-name", given->server_name,
                  "of tls://: the name in the daemon's certificate, where it is not the address's");
}

void AddGlobalFlags(CLI::App* app, wb::cli::GlobalFlags* flags) {
  AddConnectionFlags(app, &flags->given);
  std::map<std::string, wb::cli::Format> formats = {{"table", wb::cli::Format::kTable},
                                                    {"json", wb::cli::Format::kJson},
                                                    {"jsonl", wb::cli::Format::kJsonl},
                                                    {"csv", wb::cli::Format::kCsv}};
  app->add_option("-o,--output", flags->format,
                  "csv is for rows: of job run, job results, session call and device bursts")
      ->transform(CLI::CheckedTransformer(formats).description(""))
      ->type_name("{table,json,jsonl,csv}");
  app->add_option("--traceparent", flags->traceparent,
                  "the trace that the command's calls and jobs belong to, in W3C's form "
                  "(Env:TRACEPARENT); without it a new one for each command")
      ->type_name("TRACEPARENT");
  app->add_flag("-q,--quiet", flags->quiet, "data only: no progress, no summary");
  app->add_option(
      "--timeout", flags->timeout,
      "the whole command may take so long, waiting for a job's end included; without it "
      "60s for each call to the daemon, and a job may take any time");
}

int Complain(const wb::Status& status) {
  std::string reason(wb::ReasonName(status.reason()));
  std::string advice(wb::ReasonAdvice(status.reason()));
  std::string details;
  for (const wb::Detail& detail : status.details()) {
    if (detail.key == "flag") {  // the message has said it all
      advice = "`wasmburstctl --help` tells more of " + detail.value + ".";
      continue;
    }
    if (detail.key == "retry_after") {
      const std::string words = "Try again in " + detail.value + " s.";
      advice = status.reason() == wb::Reason::kQueueFull ? words : advice + " " + words;
      continue;
    }
    details += (details.empty() ? " (" : ", ") + detail.key + " " + detail.value;
  }
  if (!details.empty()) details += ")";
  const std::string said = wb::cli::WithFlagNames(status.message() + details);
  std::fprintf(stderr, "wasmburstctl: %s: %s\n%s\n", reason.c_str(), said.c_str(), advice.c_str());
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

// The address and how it is reached, from what was given. Commands that call no daemon need no way
// to one; doctor and debug say what is wrong with it.
wb::Status ChooseDaemon(bool calls_daemon, wb::cli::GlobalFlags* flags) {
  flags->address = wb::cli::kDefaultAddress;
  if (!calls_daemon) return {};
  WB_ASSIGN(wb::cli::ConnectionChoice choice,
            wb::cli::ChooseConnection(flags->given, wb::cli::ReadConnectionEnvironment()));
  flags->address = choice.address;
  flags->client = choice.options;
  return {};
}

wb::Result<int> Run(const wb::cli::GlobalFlags& flags, const wb::cli::Command& command) {
  QuietGrpc();
  sigset_t signals = BlockSignals();
  wb::ClientOptions options = flags.client;
  const bool is_bounded = !flags.timeout.empty();
  if (is_bounded) {
    WB_ASSIGN(const int64_t timeout, wb::cli::ParseDuration(flags.timeout));
    options.timeout = std::chrono::nanoseconds(timeout);
  }
  options.attempts = 4;
  options.retries_refusals = true;
  const char* const environment = std::getenv("TRACEPARENT");
  WB_ASSIGN(options.traceparent, wb::cli::ChooseTraceParent(
                                     flags.traceparent, environment == nullptr ? "" : environment));
  WB_ASSIGN(std::shared_ptr<wb::Client> client, wb::Client::Connect(flags.address, options));
  WatchForInterrupt(client, signals);
  const auto is_late = std::make_shared<std::atomic<bool>>(false);
  if (is_bounded) WatchForTimeout(client, is_late, options.timeout);
  wb::cli::Invocation invocation(flags, client, is_late);
  wb::Result<int> code = command.run(invocation);
  if (code.ok() || code.status().code() != wb::Code::kCancelled || !*is_late) return code;
  return wb::Status(wb::Reason::kDeadlineExceeded,
                    "The command was not done within --timeout [" + flags.timeout + "].");
}

void SetUp(CLI::App* app, wb::cli::GlobalFlags* flags, wb::cli::Command* chosen) {
  app->set_version_flag("--version", std::string("wasmburstctl ") + wb::cli::kVersion);
  app->require_subcommand(1);
  app->fallthrough();
  AddGlobalFlags(app, flags);
  wb::cli::AddCommands(app, chosen);
}

// Of words that do not parse, or of help that was asked for.
int TellUsage(const CLI::App& app, const CLI::ParseError& error,
              const std::vector<std::string>& words) {
  const std::optional<std::string> unknown = wb::cli::UnknownWord(app, words);
  if (unknown && error.get_exit_code() != 0) {
    std::fprintf(stderr, "wasmburstctl: %s\n", unknown->c_str());
    if (app.got_subcommand("run")) {
      std::fputs("The program's own arguments stand behind --.\n", stderr);
    }
    return kUsageError;
  }
  const bool has_extra = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  const std::optional<std::string> stray = has_extra ? wb::cli::StrayArguments(app) : std::nullopt;
  if (stray) {
    std::fprintf(stderr, "wasmburstctl: %s\n", stray->c_str());
    return kUsageError;
  }
  const int code = app.exit(error) == 0 ? 0 : kUsageError;
  // The shell has put the files in the place of the pattern.
  const bool each = std::find(words.begin(), words.end(), "--each-file") != words.end();
  if (each && has_extra) {
    std::fputs("Quote the pattern: --each-file 'in/*'.\n", stderr);
  }
  return std::cout.flush() ? code : OutputFailed(errno);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "wasmburstctl submits WebAssembly jobs to wasmburstd.\n"
      "Example: wasmburstctl run tool.wasm --each-file 'in/*' --stdin-from {} -- --flag\n"
      "Example: wasmburstctl job run fac.wat --call fac --arg 0..20\n"
      "Exit codes: 0 ok, 1 a job failed, 2 wrong usage or input, 3 not found, 4 not allowed,\n"
      "5 unreachable or too late, 6 a limit of the daemon, 7 interrupted (the job goes on),\n"
      "8 standard output takes no more, 70 a defect."};
  wb::cli::GlobalFlags flags;
  wb::cli::Command chosen;
  SetUp(&app, &flags, &chosen);
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == wb::cli::kCompleteCall) {
    words.erase(words.begin());
    wb::cli::Print(wb::cli::CompletionsText(wb::cli::Complete(app, words)));
    return 0;
  }
  if (const std::optional<size_t> at = wb::cli::ProgramArgumentsAt(words)) {
    const auto dashes = words.begin() + static_cast<std::ptrdiff_t>(*at);
    flags.program_args.assign(dashes + 1, words.end());
    words.erase(dashes, words.end());
    argc = static_cast<int>(words.size()) + 1;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return TellUsage(app, error, words);
  }
  if (flags.format == wb::cli::Format::kCsv && !chosen.prints_csv) {
    std::fputs(
        "wasmburstctl: -o csv is for rows: of job run, job results, session call and device "
        "bursts.\n",
        stderr);
    return kUsageError;
  }
  if (const wb::Status chose = ChooseDaemon(chosen.calls_daemon, &flags); !chose.ok()) {
    return Complain(chose);
  }
  wb::Result<int> code = Run(flags, chosen);
  const bool wrote = wb::cli::OutputWorks();
  if (!code.ok()) return Complain(code.status());
  return wrote ? *code : OutputFailed(wb::cli::OutputError());
}
