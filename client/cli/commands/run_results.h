#pragma once

// The results of a run, as they come.

#include <string>

#include "client/cli/output/program_output.h"
#include "client/cli/output/session.h"
#include "client/cli/run/item_list.h"

namespace wb::cli {

// Both outlive the call.
struct RunResults {
  const ItemList* items = nullptr;
  const ProgramOutput* output = nullptr;
  bool ordered = false;
};

// To the exit code: of a single program its own, of many 0 where none failed. An interrupted job
// is cancelled.
Result<int> ReadRunResults(Session& session, const std::string& job, const RunResults& results);

}  // namespace wb::cli
