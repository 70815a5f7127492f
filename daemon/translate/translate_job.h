#pragma once

// Protobuf -> jobs. Checks everything that can be checked without the module.

#include <string>

#include "daemon/config/config.h"
#include "daemon/translate/parsed_job.h"
#include "daemon/translate/translate_column.h"

namespace wasmburst::v1 {
class Job;
}  // namespace wasmburst::v1

namespace wb {

// `imports_wasi`: the job's module is a program, which has an empty command where none is given.
// INVALID_ARGUMENT with "field" ("job.columns[2].list"), LIMIT_TOO_HIGH with "field" and "maximum".
// NOT_FOUND for an uploaded column that is not there.
Result<ParsedJob> JobFromProto(const wasmburst::v1::Job& proto, const Config& config,
                               const FindInput& find_input = NoInputs, bool imports_wasi = false);

// What JobToProto showed of a job that has ended: for a daemon that starts again. Nothing is
// checked that does not matter to show it. INVALID_ARGUMENT with "field".
Result<JobRequest> ShownJobFromProto(const wasmburst::v1::Job& proto);

// Of a v1::Placement. INVALID_ARGUMENT with this field.
Result<Placement> PlacementFromProto(int placement, const std::string& field);

}  // namespace wb
