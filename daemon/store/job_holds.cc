#include "daemon/store/job_holds.h"

namespace wb {
namespace {

// The daemon's, the scheduler's, and the lane program made of them.
constexpr uint64_t kCopiesOfSteps = 3;
// A decoded module holds about as much again as its binary (measured: 125 MB of 60 MiB).
constexpr uint64_t kModuleFactor = 2;

// What an operand points to: names of globals, the pointers that it loads from.
uint64_t PointedBytes(const Operand& operand) {
  uint64_t bytes = 0;
  for (const Operand* at = &operand; at != nullptr; at = at->pointer.get()) {
    if (at->pointer != nullptr) bytes += sizeof(Operand);
    if (at->global == nullptr) continue;
    bytes += sizeof(GlobalName) + at->global->name.size() + at->global->instance.size();
  }
  return bytes;
}

uint64_t BytesOfCall(const CallStep& call) {
  uint64_t bytes = call.function.size() + call.instance.size();
  for (const Operand& arg : call.args) bytes += sizeof(Operand) + PointedBytes(arg);
  return bytes;
}

uint64_t BindingBytes(const JobRequest& request) {
  uint64_t bytes = 0;
  for (const Binding& binding : request.bindings) {
    bytes += sizeof binding + binding.import.size() + binding.values.size() * sizeof(BoundValue) +
             binding.bytes.size() * sizeof(CallBytes);
  }
  for (const RecordedImport& import : request.recorded) {
    bytes += sizeof import + import.name.size() + import.params.size();
  }
  return bytes;
}

}  // namespace

uint64_t StepBytes(const std::vector<Step>& steps) {
  uint64_t bytes = steps.size() * sizeof(Step);
  for (const Step& step : steps) {
    if (const auto* call = std::get_if<CallStep>(&step)) {
      bytes += BytesOfCall(*call);
    } else if (const auto* write = std::get_if<WriteStep>(&step)) {
      bytes += PointedBytes(write->pointer);
    } else if (const auto* read = std::get_if<ReadStep>(&step)) {
      bytes += read->output.size() + PointedBytes(read->pointer) + PointedBytes(read->length);
    } else if (const auto* store = std::get_if<StoreStep>(&step)) {
      bytes += PointedBytes(store->pointer) + PointedBytes(store->value);
    }
  }
  return bytes;
}

uint64_t LabelBytes(const JobRequest& request) {
  uint64_t bytes = sizeof(JobRequest) + request.tenant.size() + request.request_id.size();
  for (const auto& [key, value] : request.labels) bytes += key.size() + value.size();
  for (const LinkedModuleName& linked : request.linked)
    bytes += sizeof(LinkedModuleName) + linked.name.size();
  bytes += BindingBytes(request);
  bytes += request.input_columns.size() * sizeof(uint32_t);
  for (const std::string& stream : request.streams) bytes += sizeof(std::string) + stream.size();
  return bytes;
}

void AddRequestHolds(const Module& module, JobRequest* request) {
  request->holds.bytes += kCopiesOfSteps * StepBytes(request->steps) + LabelBytes(*request);
  request->holds.shared.push_back({module.digest(), kModuleFactor * module.binary().size()});
}

}  // namespace wb
