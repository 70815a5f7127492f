#pragma once

// Libpq: PostgreSQL's client library (postgresql.org/docs/15/libpq.html), found at run time: only a
// daemon whose configuration names a database needs it.

#include <libpq-fe.h>

#include "compiler/base/status.h"

namespace wb {

struct Libpq {
#define WB_LIBPQ(name) decltype(&PQ##name) name = nullptr;
#include "daemon/postgres/libpq.def"
#undef WB_LIBPQ

  // The same for the whole process. CONFIG_INVALID: it is not installed, or is older than 14.
  static Result<const Libpq*> Load();
};

}  // namespace wb
