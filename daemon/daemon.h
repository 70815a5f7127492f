#pragma once

// The whole daemon around a scheduler: stores, services, server. main.cc gives it a real
// scheduler, tests a fake one.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daemon/bursts/observer_relay.h"
#include "daemon/config/config.h"
#include "daemon/database/disk_alarm.h"
#include "daemon/services/kernel_texts.h"
#include "daemon/sessions/session_table.h"
#include "scheduler/scheduler.h"
#include "scheduler/trace/profiler.h"

namespace wb {

class Inspector;

struct DaemonParts {
  Scheduler* scheduler = nullptr;  // outlives the daemon
  // What the scheduler tells (SchedulerSettings::observer). Null: it tells nothing.
  std::shared_ptr<ObserverRelay> observers;
  Inspector* inspector = nullptr;  // outlives the daemon; null: no instance is looked at
  KernelTexts kernel_texts;
  std::shared_ptr<Profiler> profiler;  // null: there are no profiles
  ModuleCheck check_module;            // none: every module will do
  SessionModules session_modules;      // none: no memory is read or written before a first call
  std::string compiler_version;
  // Of this process alone (FolderLock). Empty: nothing outlives the daemon.
  std::string state_directory;
  std::function<DiskRoom(const std::string& folder)> room_at = RoomAt;  // of the disk of that
};

class Daemon {
 public:
  // Listens and serves when it returns. IO_ERROR, CONFIG_INVALID.
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
