#pragma once

// The whole daemon around a scheduler: stores, services, server. main.cc gives it a real
// scheduler, tests a fake one.

#include <memory>
#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/daemon_parts.h"

namespace wb {

class Daemon {
 public:
  // Listens and serves when it returns. Waits for a database that is slow (StartRetry). IO_ERROR,
  // CONFIG_INVALID, MACHINE_FAULT; CANCELLED: it was to end meanwhile.
  static Result<std::unique_ptr<Daemon>> Start(const Config& config, DaemonParts parts);
  ~Daemon();

  std::vector<std::string> addresses() const;
  std::string metrics_address() const;  // with the real port; empty: there is none

  // Takes over what may change of a configuration that was read again (reload.def), and the files
  // that it names; all of it or, on an error, nothing. CONFIG_INVALID.
  Status Reload(const Config& read);

  // Says NOT_SERVING, takes no new jobs, lets running ones end until the deadline of the
  // configuration, cancels the rest, ends all calls. Blocks. Once.
  void Drain();

 private:
  struct Impl;
  explicit Daemon(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace wb
