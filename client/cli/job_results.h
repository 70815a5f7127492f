#pragma once

// A job's results, printed and kept as they come.

#include <string>
#include <vector>

#include "client/cli/session.h"

namespace CLI {
class App;
}

namespace wb::cli {

// Where results go; of run and results.
struct ResultOptions {
  std::string cursor;
  bool follow = false;
  bool no_results = false;
  std::string out;
  std::vector<std::string> concats;
  std::string report;
  bool cancels = false;  // the job is cancelled when standard output takes no more
};

// Whether the files that the options name can be written. Before a job is submitted. IO_ERROR.
Status CheckTargets(const ResultOptions& options);

void AddResultOptions(CLI::App* command, ResultOptions* options);

// To the exit code: what the job came to, where it was read to its end.
Result<int> ReadResults(Session& session, const std::string& name, const ResultOptions& options);

}  // namespace wb::cli
