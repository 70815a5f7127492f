// A daemon over the fake scheduler, for tests of clients: prints its addresses, serves until its
// input ends.

#include <cstdio>
#include <iostream>
#include <string>

#include "daemon/config/default_config.h"
#include "daemon/daemon.h"
#include "daemon/process/log.h"
#include "tests/daemon/fake_scheduler.h"

int main(int argc, char** argv) {
  wb::Config config = wb::DefaultConfig();
  config.listen.clear();
  for (int i = 1; i < argc; ++i) {
    wb::ListenSetting listen;
    listen.address = wb::ParseListenAddress(argv[i]).value();
    config.listen.push_back(listen);
  }
  wb::SetUpLog({"info", "text"});
  wb::FakeScheduler scheduler;
  wb::DaemonParts parts;
  parts.scheduler = &scheduler;
  parts.kernel_texts = [](const wb::KernelTextRequest&) -> wb::Result<wb::KernelText> {
    return wb::KernelText{"kernel text\n", "fake", {}, false, {}};
  };
  auto daemon = wb::Daemon::Start(config, parts);
  if (!daemon.ok()) {
    std::cerr << daemon.status().ToString() << "\n";
    return 1;
  }
  for (const std::string& address : daemon.value()->addresses()) std::cout << address << std::endl;
  while (std::getchar() != EOF) {
  }
  daemon.value()->Drain();
  return 0;
}
