#pragma once

// Cordons: operators' orders to devices. Where there is a registry they are there for the next
// daemon. A drain is kept as a cordon, since instances in seats are gone with the daemon.
//
// Threads: any.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "compiler/base/mutex.h"
#include "scheduler/scheduler.h"

namespace wb {

class Registry;

class Cordons {
 public:
  // The scheduler outlives this. `registry`: null: orders end with this daemon. `now`: Unix time.
  // `prefix`: of the ids of this daemon's devices; rows of others belong to other daemons.
  Cordons(Scheduler* scheduler, std::shared_ptr<Registry> registry, std::function<int64_t()> now,
          std::string prefix = "");

  // What the last daemon kept; once, before all else. IO_ERROR.
  Status Load();

  // Closes what is to be closed: before jobs are submitted, and when devices have come. Devices
  // that are not here stay closed for when they are.
  void Restore();

  // As Scheduler::OrderGate, and kept once it returns. NOSPACE, IO_ERROR: the order holds, but not
  // for the next daemon.
  Result<GateChange> Order(const std::string& device, const GateOrder& order);

 private:
  Status Close(const std::string& device, int64_t since) WB_REQUIRES(mutex_);
  Status Open(const std::string& device) WB_REQUIRES(mutex_);

  Scheduler* const scheduler_;
  const std::shared_ptr<Registry> registry_;
  const std::function<int64_t()> now_;
  const std::string prefix_;
  Mutex mutex_;  // over an order and its row, so that they agree
  // By device: since when, in nanoseconds of Unix time.
  std::map<std::string, int64_t> since_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
