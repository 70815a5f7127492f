#pragma once

// What a PostgreSQL error means for the daemon. Pure.

#include <chrono>
#include <string>
#include <string_view>

#include "compiler/base/status.h"

namespace wb {

// What the daemon's own functions raise where another daemon has taken the database over.
constexpr std::string_view kFenceState = "WB001";
// Where this daemon is not a host of the database, or is one no longer.
constexpr std::string_view kDroppedState = "WB002";

// `state`: SQLSTATE (postgresql.org/docs/15/errcodes-appendix.html), empty where the connection was
// lost. `words`: the server's or libpq's, which hold no password.
// MACHINE_FAULT: it passes, or an operator must see to the database; nothing was stored.
// NOSPACE: its disk is full. IO_ERROR: all else.
Status PostgresError(std::string_view place, std::string_view state, std::string_view words);

// The server did not answer a statement for so long.
Status SilenceError(std::string_view place, std::chrono::seconds time);

// Whether it is one of those two states.
bool IsRefusal(const Status& status);
// Whether a statement took too long: the server gave it up, or did not answer (SilenceError).
bool IsTimeout(const Status& status);

// Of an attempt to connect at the start: CONFIG_INVALID where the address is wrong.
Status ConnectError(std::string_view place, std::string_view words);

}  // namespace wb
