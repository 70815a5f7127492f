#pragma once

// A job's bindings of imports from protobuf and back, and the calls that they recorded.

#include <google/protobuf/repeated_field.h>

#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "compiler/link/binding.h"
#include "scheduler/job/job.h"

namespace wasmburst::v1 {
class Binding;
class ImportCall;
class Job;
}  // namespace wasmburst::v1

namespace wb {

// Without what only the modules can tell (BindModules). INVALID_ARGUMENT with the field.
Result<std::vector<Binding>> BindingsFromProto(const wasmburst::v1::Job& proto);
// Without the rows of a look-up.
void BindingToProto(const Binding& binding, wasmburst::v1::Binding* proto);

// Whether the output of this name holds recorded calls.
bool IsRecord(const std::string& output);
// The calls in its bytes, in order. They come from the instance: what is no record ends the list.
void CallsToProto(ByteView bytes, const std::vector<RecordedImport>& recorded,
                  google::protobuf::RepeatedPtrField<wasmburst::v1::ImportCall>* calls);

}  // namespace wb
