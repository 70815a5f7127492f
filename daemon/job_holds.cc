#include "daemon/job_holds.h"

namespace wb {
namespace {

// The daemon's, the scheduler's, and the lane program made of them.
constexpr uint64_t kCopiesOfSteps = 3;
// A decoded module holds about as much again as its binary (measured: 125 MB of 60 MiB).
constexpr uint64_t kModuleFactor = 2;

}  // namespace

uint64_t StepBytes(const std::vector<Step>& steps) {
  uint64_t bytes = steps.size() * sizeof(Step);
  for (const Step& step : steps) {
    if (const auto* call = std::get_if<CallStep>(&step)) {
      bytes += call->function.size() + call->instance.size() + call->args.size() * sizeof(Operand);
    } else if (const auto* read = std::get_if<ReadStep>(&step)) {
      bytes += read->output.size();
    }
  }
  return bytes;
}

uint64_t LabelBytes(const JobRequest& request) {
  uint64_t bytes = sizeof(JobRequest) + request.tenant.size() + request.request_id.size();
  for (const auto& [key, value] : request.labels) bytes += key.size() + value.size();
  for (const LinkedModuleName& linked : request.linked) bytes += sizeof linked + linked.name.size();
  return bytes;
}

void AddRequestHolds(const Module& module, JobRequest* request) {
  request->holds.bytes += kCopiesOfSteps * StepBytes(request->steps) + LabelBytes(*request);
  request->holds.shared.push_back({module.digest(), kModuleFactor * module.binary().size()});
}

}  // namespace wb
