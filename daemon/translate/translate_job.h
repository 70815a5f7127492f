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

struct ParsedJob {
  JobRequest request;  // without module, request id and body; holds what its columns hold
  std::vector<Column> columns;
};

// `imports_wasi`: the job's module is a program, which has an empty command where none is given.
// INVALID_ARGUMENT with "field" ("job.columns[2].list"), LIMIT_TOO_HIGH with "field" and "maximum".
// NOT_FOUND for an uploaded column that is not there.
Result<ParsedJob> JobFromProto(const wasmburst::v1::Job& proto, const Config& config,
                               const FindInput& find_input = NoInputs, bool imports_wasi = false);

}  // namespace wb
