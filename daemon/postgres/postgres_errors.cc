#include "daemon/postgres/postgres_errors.h"

#include <algorithm>
#include <iterator>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// Classes and states that pass without a change of what was asked.
constexpr std::string_view kPassing[] = {
    "08",     // the connection
    "40",     // serialization, deadlock
    "53",     // too many connections, no memory
    "55P03",  // a lock was not to be had in time
    "57",     // an operator stops the server, or the statement took too long
    "25006",  // read-only: a standby
    "25P03",  // idle in a transaction for too long: this process was paused
};
constexpr std::string_view kDiskFull = "53100";
constexpr std::string_view kTooLong = "57014";
constexpr std::string_view kLockTooLong = "55P03";
constexpr const char* kSilence = "silent_s";  // a detail: for how long it did not answer

// In one line: libpq's end with line ends, and tell each address on one of its own.
std::string OneLine(std::string_view words) {
  std::string line;
  for (const char c : words) {
    const bool is_blank = c == '\n' || c == '\t' || c == ' ';
    if (is_blank && (line.empty() || line.back() == ' ')) continue;
    line.push_back(is_blank ? ' ' : c);
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

bool HasState(const Status& status, std::string_view state) {
  return std::any_of(status.details().begin(), status.details().end(),
                     [state](const Detail& d) { return d.key == "sqlstate" && d.value == state; });
}

}  // namespace

Status PostgresError(std::string_view place, std::string_view state, std::string_view words) {
  const std::string at = "The database at " + Quoted(place);
  const std::vector<Detail> details = {{"database", std::string(place)},
                                       {"sqlstate", std::string(state)}};
  if (state.empty()) {
    return Status(Reason::kMachineFault, at + " does not answer: " + OneLine(words), details);
  }
  if (state == kFenceState) {
    return Status(Reason::kMachineFault,
                  at +
                      " was taken over by another daemon; this one stores nothing any more. Stop "
                      "one of them. " +
                      OneLine(words),
                  details);
  }
  if (state == kDroppedState) {
    return Status(Reason::kMachineFault,
                  at +
                      " does not have this daemon among its hosts any more: it was not heard for "
                      "too long, or has left. It enters again by itself. " +
                      OneLine(words),
                  details);
  }
  const std::string said = at + " answers " + Quoted(state) + ": " + OneLine(words);
  if (state == kDiskFull) return Status(Reason::kNoSpace, said, details);
  const bool passes = std::any_of(std::begin(kPassing), std::end(kPassing),
                                  [state](std::string_view row) { return state.starts_with(row); });
  return Status(passes ? Reason::kMachineFault : Reason::kIoError, said, details);
}

Status SilenceError(std::string_view place, std::chrono::seconds time) {
  const std::string seconds = std::to_string(time.count());
  return Status(
      Reason::kMachineFault,
      "The database at " + Quoted(place) + " does not answer: nothing came in " + seconds + " s",
      {{"database", std::string(place)}, {"sqlstate", ""}, {kSilence, seconds}});
}

bool IsRefusal(const Status& status) {
  return HasState(status, kFenceState) || HasState(status, kDroppedState);
}

bool IsTimeout(const Status& status) {
  return HasState(status, kTooLong) || HasState(status, kLockTooLong) ||
         std::any_of(status.details().begin(), status.details().end(),
                     [](const Detail& detail) { return detail.key == kSilence; });
}

Status ConnectError(std::string_view place, std::string_view words) {
  return Status(Reason::kMachineFault,
                "The database at " + Quoted(place) + " cannot be reached: " + OneLine(words) +
                    " Check the setting [store.postgres], that the server runs, and that it lets "
                    "the user in (pg_hba.conf; a password comes from passfile=FILE or PGPASSFILE).",
                {{"database", std::string(place)}, {"setting", "store.postgres"}});
}

}  // namespace wb
