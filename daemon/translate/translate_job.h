#pragma once

// Protobuf -> jobs. Checks everything that can be checked without the module.

#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/store/job_store.h"
#include "daemon/translate/translate_column.h"
#include "scheduler/job/job.h"

namespace wasmburst::v1 {
class Job;
}  // namespace wasmburst::v1

namespace wb {

// What a job's module imports besides other modules of the job.
struct ModuleImports {
  bool wasi = false;        // it is a program: without a command it gets an empty one
  bool primitives = false;  // of `wasmburst`
};

struct ParsedJob {
  JobRequest request;  // without module, request id and body; holds what its columns hold
  std::vector<Column> columns;
};

// INVALID_ARGUMENT with "field" ("job.columns[2].list"), LIMIT_TOO_HIGH with "field" and "maximum".
// NOT_FOUND for an uploaded column that is not there.
Result<ParsedJob> JobFromProto(const wasmburst::v1::Job& proto, const Config& config,
                               const FindInput& find_input = NoInputs, ModuleImports imports = {});

}  // namespace wb
