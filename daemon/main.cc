// wasmburstd: reads its configuration, starts the engines and the server, waits for a signal.

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "compiler/compiler.h"
#include "daemon/config/cluster_settings.h"
#include "daemon/config/config_file.h"
#include "daemon/config/default_config.h"
#include "daemon/config/engine_settings.h"
#include "daemon/config/places.h"
#include "daemon/daemon.h"
#include "daemon/process/log.h"
#include "daemon/process/notify.h"
#include "daemon/process/version.h"
#include "scheduler/base/lowered_modules.h"
#include "scheduler/control/thermal_governor.h"
#include "scheduler/create_inspector.h"
#include "scheduler/devices/compile/left_folders.h"
#include "scheduler/scheduler_parts.h"

namespace {

constexpr int kUsageError = 2;

struct Flags {
  std::string config_file;
  std::vector<std::string> listen;
  std::string policy;        // empty: the configuration's
  std::string cluster_host;  // likewise
  bool check_config = false;
  bool print_default_config = false;
};

int Complain(const wb::Status& status) {
  std::cerr << "wasmburstd: " << status.message() << "\n";
  return status.reason() == wb::Reason::kConfigInvalid ? kUsageError : 1;
}

// Of all devices. Processors have no kernel that stays: there `persistent` is `continuous`.
void SetPolicy(const std::string& policy, wb::Config* config) {
  const bool stays = policy == wb::PolicyName(wb::DevicePolicy::kPersistent);
  config->burst_policy = stays ? wb::PolicyName(wb::DevicePolicy::kContinuous) : policy;
  config->cuda_policy = policy;
  config->origins.flags.insert({"burst.policy", "cuda.policy"});
}

wb::Result<wb::Config> ReadConfig(const Flags& flags) {
  wb::Config config = wb::DefaultConfig();
  if (!flags.config_file.empty()) {
    WB_ASSIGN(config, wb::LoadConfig(flags.config_file));
  }
  if (!flags.listen.empty()) {
    config.listen.clear();
    config.origins.flags.insert("listen");
  }
  for (const std::string& text : flags.listen) {
    WB_ASSIGN(wb::ListenSetting listen, wb::ParseListenSetting(text));
    config.listen.push_back(std::move(listen));
  }
  if (!flags.policy.empty()) SetPolicy(flags.policy, &config);
  if (!flags.cluster_host.empty()) {
    config.cluster_host = flags.cluster_host;
    config.origins.flags.insert("cluster.host");
  }
  WB_TRY(wb::CheckTls(config));
  WB_TRY(wb::CheckCluster(config));
  return config;
}

// Each connection, job and engine host needs descriptors; the soft limit is often 1,024.
void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  wb::Log(wb::LogLevel::kInfo, "descriptors", {{"limit", std::to_string(limit.rlim_cur)}});
}

// Of compilers whose engine hosts were killed.
void RemoveLeftFolders() {
  const uint64_t removed = wb::RemoveLeftFolders("");
  if (removed == 0) return;
  wb::Log(wb::LogLevel::kInfo, "left_folders_removed", {{"count", std::to_string(removed)}});
}

// Reads the configuration again. What is wrong with it is logged, and the daemon goes on as it was.
void Reload(const Flags& flags, wb::Daemon* daemon) {
  wb::NotifySystem("RELOADING=1");
  const wb::Result<wb::Config> config = ReadConfig(flags);
  wb::Status status = config.status();
  if (status.ok()) status = daemon->Reload(*config);
  if (!status.ok()) {
    wb::Log(wb::LogLevel::kError, "reload_failed", {{"error", status.message()}});
  }
  wb::NotifySystem("READY=1");
}

// Until a signal that ends the daemon. SIGHUP does not end it.
void AwaitEnd(const sigset_t& signals, const std::function<void()>& reload) {
  int signal_number = 0;
  while (sigwait(&signals, &signal_number) != 0 || signal_number == SIGHUP) {
    if (signal_number == SIGHUP) reload();
  }
}

// Blocks the signals that the daemon waits for, for this and all later threads.
sigset_t BlockSignals() {
  signal(SIGPIPE, SIG_IGN);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

// Waits for so long. False: a signal has come that ends the daemon; it stays for AwaitEnd.
bool PauseUnlessEnding(std::chrono::nanoseconds time) {
  constexpr std::chrono::milliseconds kLook{50};
  const auto end = std::chrono::steady_clock::now() + time;
  while (true) {
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    if (sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1) return false;
    const auto left = end - std::chrono::steady_clock::now();
    if (left <= left.zero()) return true;
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(left, kLook));
  }
}

wb::SessionModules SessionModulesOf(std::shared_ptr<wb::LoweredModules> modules,
                                    std::chrono::nanoseconds max_time) {
  return [modules = std::move(modules), max_time](std::shared_ptr<const wb::Module> module) {
    const auto until = std::chrono::steady_clock::now() + max_time;
    return modules->Get(std::move(module),
                        [until] { return std::chrono::steady_clock::now() > until; });
  };
}

void LogScheduler(wb::Severity severity, const std::string& sentence) {
  const bool warns = severity == wb::Severity::kWarning;
  wb::Log(warns ? wb::LogLevel::kWarning : wb::LogLevel::kInfo, "scheduler",
          {{"message", sentence}});
}

wb::Status Run(const Flags& flags, const wb::Config& config) {
  sigset_t signals = BlockSignals();
  wb::SetUpLog({config.log_level, config.log_format, config.log_lines_per_second});
  RaiseDescriptorLimit();
  RemoveLeftFolders();
  wb::SchedulerSettings settings = wb::EngineSettings(config);
  if (settings.cache_directory.empty()) {
    return wb::Status(wb::Reason::kConfigInvalid,
                      "There is no folder for compiled kernels: none of CACHE_DIRECTORY, "
                      "XDG_CACHE_HOME and HOME is set. Set [cache] directory in the "
                      "configuration.");
  }
  settings.log = &LogScheduler;
  const auto observers = std::make_shared<wb::ObserverRelay>();
  settings.observer = observers;
  const auto modules = std::make_shared<wb::LoweredModules>();
  // Sinks of the scheduler's jobs use it to the end.
  const std::unique_ptr<wb::Inspector> inspector =
      wb::CreateInspector(settings, config.inspection, modules);
  WB_ASSIGN(std::unique_ptr<wb::Scheduler> scheduler, wb::CreateScheduler(settings, modules));
  wb::DaemonParts parts;
  parts.inspector = inspector.get();
  parts.scheduler = scheduler.get();
  parts.observers = observers;
  const std::chrono::nanoseconds compile_time(config.compile.max_time);
  const std::string checker = wb::FindProgram(config.checker_path, wb::Companion::kChecker);
  parts.kernel_texts =
      wb::CompilerKernelTexts({checker, settings.isolation}, modules, compile_time);
  parts.check_module = wb::CompilerModuleCheck(modules, compile_time);
  parts.profiler =
      std::make_shared<wb::Profiler>(modules, wb::ProfileStarter(settings), settings.profiles);
  parts.session_modules = SessionModulesOf(modules, compile_time);
  parts.state_directory = wb::StateDirectory(config.state_directory);
  parts.compiler_version = std::string(wb::CompilerVersion());
  parts.pause = PauseUnlessEnding;
  wb::Result<std::unique_ptr<wb::Daemon>> started = wb::Daemon::Start(config, std::move(parts));
  if (started.status().reason() == wb::Reason::kCancelled) return {};  // by a signal
  WB_ASSIGN(const std::unique_ptr<wb::Daemon> daemon, std::move(started));
  wb::NotifySystem("READY=1");
  AwaitEnd(signals, [&flags, &daemon] { Reload(flags, daemon.get()); });
  wb::NotifySystem("STOPPING=1");
  daemon->Drain();
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "wasmburstd runs WebAssembly jobs of many instances.\n"
      "Example: wasmburstd --listen unix:///tmp/wasmburst.sock --listen tcp://127.0.0.1:0"};
  Flags flags;
  app.add_option("--config", flags.config_file, "configuration file (TOML)");
  app.add_option(
      "--listen", flags.listen,
      "unix:///path, tcp://127.0.0.1:PORT, tcp://[::1]:PORT or tls://ADDRESS:PORT; instead "
      "of the configuration's; may be repeated. Callers of tcp:// need tokens, unless "
      "it says what all of them may do: tcp://127.0.0.1:PORT?role=submitter");
  app.add_option("--cluster-host", flags.cluster_host,
                 "the name of this daemon among several that share a database, instead of the "
                 "configuration's cluster.host");
  app.add_option("--policy", flags.policy,
                 "when devices rest, instead of the configuration's burst.policy and cuda.policy: "
                 "burst, continuous, quiet, persistent or seed")
      ->check([](const std::string& name) {
        return wb::PolicyOf(name) ? "" : "there is no policy [" + name + "]";
      });
  app.add_flag("--check-config", flags.check_config, "check the configuration and exit");
  app.add_flag("--print-default-config", flags.print_default_config,
               "print a configuration file with every setting at its default and exit");
  app.set_version_flag("--version", std::string("wasmburstd ") + wb::kVersion);
  CLI11_PARSE(app, argc, argv);
  if (flags.print_default_config) {
    std::cout << wb::DefaultConfigText();
    return 0;
  }
  wb::Result<wb::Config> config = ReadConfig(flags);
  if (!config.ok()) return Complain(config.status());
  if (flags.check_config) {
    std::cout << "The configuration is valid.\n";
    return 0;
  }
  wb::Status status = Run(flags, *config);
  return status.ok() ? 0 : Complain(status);
}
