#pragma once

// A job's bindings of imports from protobuf and back, and the calls that they recorded.

#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/link/binding.h"
#include "scheduler/job/job.h"

namespace wasmburst::v1 {
class Binding;
class InstanceResult;
class Job;
}  // namespace wasmburst::v1

namespace wb {

// Without what only the modules can tell (BindModules). INVALID_ARGUMENT with the field.
Result<std::vector<Binding>> BindingsFromProto(const wasmburst::v1::Job& proto);
// Without the rows of a look-up.
void BindingToProto(const Binding& binding, wasmburst::v1::Binding* proto);

// Whether the output holds recorded calls.
bool IsRecord(const Output& output);
// The calls in the output, in order. It comes from the instance: what is no record ends the list.
void CallsToProto(const Output& output, const std::vector<RecordedImport>& recorded,
                  wasmburst::v1::InstanceResult* proto);

}  // namespace wb
