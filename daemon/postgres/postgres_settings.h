#pragma once

// How the daemon reaches its PostgreSQL database.

#include <chrono>
#include <string>

namespace wb {

struct PostgresSettings {
  std::string address;               // postgres_address.h
  std::chrono::nanoseconds timeout;  // of a statement
};

}  // namespace wb
