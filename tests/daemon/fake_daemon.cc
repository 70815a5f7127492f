// A daemon over the fake scheduler, for tests of clients and of several daemons: prints its
// addresses, serves until its input ends or a SIGTERM.
//   wb_fake_daemon [--config FILE] [--rate N] [ADDRESS...]
// FILE: the daemon's configuration, else the default one. ADDRESS: instead of its listeners. N: its
// device finishes so many instances in a second, else as many as can be.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "daemon/config/config_file.h"
#include "daemon/config/default_config.h"
#include "daemon/config/places.h"
#include "daemon/daemon.h"
#include "daemon/process/log.h"
#include "tests/daemon/fake_scheduler.h"

namespace {

// Results come so often in a second.
constexpr double kPortions = 50;

struct Flags {
  std::string config_file;
  double rate = 0;
  std::vector<std::string> addresses;
};

wb::Result<wb::Config> ConfigOf(const Flags& flags) {
  wb::Config config = wb::DefaultConfig();
  if (!flags.config_file.empty()) {
    WB_ASSIGN(config, wb::LoadConfig(flags.config_file));
  }
  if (flags.config_file.empty() || !flags.addresses.empty()) config.listen.clear();
  for (const std::string& text : flags.addresses) {
    wb::ListenSetting listen;
    WB_ASSIGN(listen.address, wb::ParseListenAddress(text));
    config.listen.push_back(listen);
  }
  return config;
}

wb::Status Serve(const Flags& flags, const sigset_t& signals) {
  WB_ASSIGN(const wb::Config config, ConfigOf(flags));
  const auto portion = static_cast<uint64_t>(std::max(1.0, flags.rate / kPortions));
  wb::FakeScheduler scheduler(flags.rate > 0 ? portion : 7, flags.rate);
  wb::DaemonParts parts;
  parts.scheduler = &scheduler;
  parts.kernel_texts = [](const wb::KernelTextRequest&) -> wb::Result<wb::KernelText> {
    return wb::KernelText{"kernel text\n", "fake", {}, false, {}};
  };
  if (!flags.config_file.empty()) {
    parts.state_directory = wb::StateDirectory(config.state_directory);
  }
  WB_ASSIGN(const auto daemon, wb::Daemon::Start(config, parts));
  for (const std::string& address : daemon->addresses()) std::cout << address << std::endl;
  std::thread([] {
    while (std::getchar() != EOF) {
    }
    kill(getpid(), SIGTERM);
  }).detach();
  int number = 0;
  while (sigwait(&signals, &number) != 0) {
  }
  daemon->Drain();
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"A daemon over a scheduler that computes nothing."};
  Flags flags;
  app.add_option("--config", flags.config_file);
  app.add_option("--rate", flags.rate);
  app.add_option("addresses", flags.addresses);
  CLI11_PARSE(app, argc, argv);
  signal(SIGPIPE, SIG_IGN);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  wb::SetUpLog({"info", "text"});
  const wb::Status status = Serve(flags, signals);
  if (status.ok()) return 0;
  std::cerr << status.ToString() << "\n";
  return 1;
}
