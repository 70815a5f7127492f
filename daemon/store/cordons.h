#pragma once

// Cordons: operators' orders to devices, kept for the next daemon in the file "cordons" of the
// state folder: a line for each closed device with the time since when, and a digest. A drain is
// kept as a cordon, since instances in seats are gone with the daemon.
//
// Threads: any.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/base/mutex.h"
#include "scheduler/scheduler.h"

namespace wb {

class Cordons {
 public:
  // By device id: since when, in nanoseconds of Unix time.
  using Since = std::map<std::string, int64_t>;

  // The scheduler outlives this. `folder`: empty: nothing is kept. `now`: Unix time.
  Cordons(Scheduler* scheduler, std::string folder, std::function<int64_t()> now);

  // Closes what was closed when the last daemon ended; before jobs are submitted. Says in the log
  // what it could not read; devices that are not here stay closed for when they are.
  void Restore();

  // As Scheduler::OrderGate, and kept once it returns. IO_ERROR: the order holds, but not for the
  // next daemon.
  Result<GateChange> Order(const std::string& device, const GateOrder& order);

 private:
  Status Keep() WB_REQUIRES(mutex_);

  Scheduler* const scheduler_;
  const std::string folder_;
  const std::function<int64_t()> now_;
  Mutex mutex_;  // over an order and its file, so that they agree
  Since since_ WB_GUARDED_BY(mutex_);
};

std::string EncodeCordons(const Cordons::Since& since);
std::optional<Cordons::Since> DecodeCordons(std::string_view text);  // nullopt: it is damaged

}  // namespace wb
