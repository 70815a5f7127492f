#pragma once

// What a daemon is given besides its configuration: by main.cc, and by tests.

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "daemon/bursts/observer_relay.h"
#include "daemon/database/disk_alarm.h"
#include "daemon/services/kernel_texts.h"
#include "daemon/sessions/session_table.h"
#include "daemon/start_retry.h"
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
  StartRetry::Pause pause = StartRetry::Sleep;  // while the start waits for a slow database
};

}  // namespace wb
