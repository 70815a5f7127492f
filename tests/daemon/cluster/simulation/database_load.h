#pragma once

// How many transactions of a kind a modelled database makes in a second when so many clients each
// begin the next one when the last one has ended: what bench/cluster_database.sh measures of a
// real one.

#include <cstdint>

#include "tests/daemon/cluster/simulation/database_model.h"

namespace wb::test {

struct DatabaseLoad {
  Transaction transaction;  // its job is the client's
  uint32_t clients = 1;
  uint32_t jobs = 1;
  uint32_t listeners = 0;
};

double PerSecond(const DatabaseCosts& costs, const DatabaseLoad& load);

}  // namespace wb::test
