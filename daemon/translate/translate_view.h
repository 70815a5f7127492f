#pragma once

// Jobs and modules -> protobuf, as clients see them.

#include "daemon/store/job_store.h"
#include "daemon/store/module_store.h"

namespace wasmburst::v1 {
class Counts;
class Job;
class Module;
class ModuleExport;
class ReadResultsResponse;
class Trace;
}  // namespace wasmburst::v1

namespace wb {

// `with_program`: the steps too, unless they are those of an ended job and were dropped. Columns
// are never shown again.
void JobToProto(const JobInfo& job, bool with_program, wasmburst::v1::Job* proto);
void TraceToProto(const TraceContext& trace, wasmburst::v1::Trace* proto);
void CountsToProto(const JobInfo& job, wasmburst::v1::Counts* proto);
// Counts, and of a running job its forecast, beside results.
void ProgressToProto(const JobInfo& job, wasmburst::v1::ReadResultsResponse* proto);

void ModuleToProto(const StoredModule& stored, wasmburst::v1::Module* proto);
void ExportToProto(const Module& module, const Export& exported,
                   wasmburst::v1::ModuleExport* proto);

}  // namespace wb
