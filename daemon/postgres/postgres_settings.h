#pragma once

// How the daemon reaches its PostgreSQL database.

#include <chrono>
#include <string>

namespace wb {

struct PostgresSettings {
  std::string address;               // postgres_address.h
  std::chrono::nanoseconds timeout;  // of a statement
  // The name of this daemon among those that share the database; "": it uses the database alone.
  std::string shared_by = {};
};

}  // namespace wb
