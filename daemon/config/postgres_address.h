#pragma once

// The address of a PostgreSQL database, as a setting. Pure.

#include <string>
#include <string_view>

#include "compiler/base/status.h"

namespace wb {

// "postgresql://USER@HOST[:PORT]/DATABASE[?KEY=VALUE&...]", as libpq reads it
// (postgresql.org/docs/15/libpq-connect.html, 34.1.1.2). CONFIG_INVALID for anything else, and
// where it holds a password: settings are shown. Messages do not repeat the text, which may hold
// one.
Status CheckPostgresAddress(std::string_view text);

// What messages call it: the hosts and the database, without user and keys.
std::string PostgresPlace(std::string_view address);

}  // namespace wb
