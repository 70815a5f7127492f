#pragma once

// A whole daemon over the fake scheduler on sockets of its own, for targets that send bytes to it.
// It lives as long as the process.

#include <cstdlib>
#include <memory>
#include <string>

#include "compiler/base/check.h"
#include "daemon/config/default_config.h"
#include "daemon/config/metrics_address.h"
#include "daemon/daemon.h"
#include "daemon/process/log.h"
#include "tests/daemon/fake_scheduler.h"
#include "tests/daemon/monitoring/http_probe.h"

namespace wb {

class FuzzedDaemon {
 public:
  static FuzzedDaemon& Get() {
    static auto* const daemon = new FuzzedDaemon;
    return *daemon;
  }
  const ListenAddress& calls() const { return calls_; }
  const ListenAddress& pages() const { return pages_; }

 private:
  FuzzedDaemon() {
    SetUpLog({"error", "text"});
    char folder[] = "/tmp/wb_fuzzed_XXXXXX";
    WB_CHECK(mkdtemp(folder) != nullptr);
    Config config = DefaultConfig();
    config.listen[0].address.path = std::string(folder) + "/socket";
    config.metrics_address = "unix://" + std::string(folder) + "/pages";
    config.worker_threads = 2;
    DaemonParts parts;
    parts.scheduler = &scheduler_;
    parts.kernel_texts = [](const KernelTextRequest&) -> Result<KernelText> {
      return KernelText{"kernel text", "fuzz", {}, false, {}};
    };
    daemon_ = Daemon::Start(config, parts).value();
    calls_ = config.listen[0].address;
    pages_ = ParseMetricsAddress(config.metrics_address).value();
  }

  FakeScheduler scheduler_;
  std::unique_ptr<Daemon> daemon_;
  ListenAddress calls_;
  ListenAddress pages_;
};

// An input in up to three pieces, as a network may deliver it; where it is cut follows from its
// bytes. False: the other side has closed.
inline bool SendInPieces(HttpProbe* probe, const std::string& bytes) {
  const size_t seed = bytes.empty() ? 0 : static_cast<uint8_t>(bytes.back());
  const size_t cut = bytes.size() * (seed % 7) / 7;
  if (cut > 0 && !probe->Send(bytes.substr(0, cut))) return false;
  return probe->Send(bytes.substr(cut));
}

}  // namespace wb
