#pragma once

// The modelled database under the loads that bench/cluster_database.sh measures.

#include "tests/daemon/cluster/simulation/database_model.h"

namespace wb::bench {

void PrintDatabase(const test::DatabaseCosts& costs);

}  // namespace wb::bench
