#pragma once

// Protobuf <-> jobs and modules. Checks everything that can be checked without the module.

#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/store/job_store.h"
#include "daemon/store/module_store.h"
#include "daemon/translate/translate_column.h"
#include "scheduler/job/job.h"

namespace wasmburst::v1 {
class Counts;
class Job;
class Module;
class ModuleExport;
class Value;
}  // namespace wasmburst::v1

namespace wb {

struct ParsedJob {
  JobRequest request;  // without module, request id and body; holds what its columns hold
  std::vector<Column> columns;
};

// INVALID_ARGUMENT with "field" ("job.columns[2].list"), LIMIT_TOO_HIGH with "field" and "maximum".
// NOT_FOUND for an uploaded column that is not there.
Result<ParsedJob> JobFromProto(const wasmburst::v1::Job& proto, const Config& config,
                               const FindInput& find_input = NoInputs);

// `with_program`: the steps too, unless they are those of an ended job and were dropped. Columns
// are never shown again.
void JobToProto(const JobInfo& job, bool with_program, wasmburst::v1::Job* proto);
void CountsToProto(const JobInfo& job, wasmburst::v1::Counts* proto);

void ModuleToProto(const StoredModule& stored, wasmburst::v1::Module* proto);
void ExportToProto(const Module& module, const Export& exported,
                   wasmburst::v1::ModuleExport* proto);

void ValueToProto(const Value& value, wasmburst::v1::Value* proto);
Result<Value> ValueFromProto(const wasmburst::v1::Value& proto, const std::string& field);

}  // namespace wb
