#include "daemon/start_retry.h"

#include <optional>
#include <string>
#include <thread>

#include "daemon/postgres/postgres_errors.h"
#include "daemon/process/log.h"
#include "daemon/process/notify.h"
#include "scheduler/base/backoff.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// For what a try takes besides its statement, with the pause before it.
constexpr std::chrono::seconds kBesides{30};

std::string PlaceOf(const Status& status) {
  for (const Detail& detail : status.details()) {
    if (detail.key == "database") return detail.value;
  }
  return "";
}

// A database that has been slow may not take a new session at once either.
bool IsSlow(const Status& status, bool was_slow) {
  if (IsTimeout(status)) return true;
  return was_slow && status.reason() == Reason::kMachineFault && !IsRefusal(status) &&
         !PlaceOf(status).empty();
}

Status TooSlow(std::string_view what, uint64_t tries, std::chrono::nanoseconds waited,
               const Status& why) {
  const std::string place = PlaceOf(why);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(waited).count();
  return Status(Reason::kMachineFault,
                "The database at " + Quoted(place) +
                    " is too slow for the daemon to start: it was asked for " + std::string(what) +
                    " " + Quoted(tries) + " times in " + std::to_string(seconds) + " s. " +
                    why.message() +
                    ". See what it is busy with (pg_stat_activity, pg_locks), give a statement "
                    "more time in [store.timeout], or start the daemon again.",
                {{"database", place}, {"setting", "store.timeout"}});
}

}  // namespace

bool StartRetry::Sleep(std::chrono::nanoseconds time) {
  std::this_thread::sleep_for(time);
  return true;
}

Status StartRetry::Run(std::string_view what, const std::function<Status()>& step) const {
  Backoff backoff;
  std::optional<TimePoint> first;  // when a try took too long
  const TimePoint begin = now_();
  for (uint64_t tries = 1;; ++tries) {
    Status status = step();
    if (!IsSlow(status, first.has_value())) return status;
    const TimePoint now = now_();
    if (!first) first = now;
    const std::chrono::milliseconds pause = backoff.Next();
    if (now + pause > *first + kLongest) return TooSlow(what, tries, now - begin, status);
    Tell(what, tries, pause, status);
    if (!pause_(pause)) {
      return Status(Reason::kCancelled, "The daemon was told to end while it waited for " +
                                            std::string(what) + " of its database.");
    }
  }
}

void StartRetry::Tell(std::string_view what, uint64_t tries, std::chrono::milliseconds pause,
                      const Status& why) const {
  Log(LogLevel::kWarning, "start_waits",
      {{"for", std::string(what)},
       {"database", PlaceOf(why)},
       {"tries", std::to_string(tries)},
       {"pause_ms", std::to_string(pause.count())},
       {"error", why.message()}});
  const auto more = std::chrono::duration_cast<std::chrono::microseconds>(statement_ + kBesides);
  NotifySystem("EXTEND_TIMEOUT_USEC=" + std::to_string(more.count()));
}

}  // namespace wb
