#include "daemon/store/memory/job_requests.h"

#include <utility>

#include "daemon/store/job_holds.h"

namespace wb {
namespace {

// Steps of an ended job that are shown again; longer ones are dropped.
constexpr uint64_t kMostKeptSteps = 16 << 10;

}  // namespace

LedgerWords RequestWords() {
  return {"Steps, columns and linked modules", "jobs.max_request_bytes",
          "Wait until some have ended, upload long columns as inputs, or raise it."};
}

LedgerWords InputWords() {
  return {"Uploaded inputs", "inputs.max_total_bytes", "Wait until some have ended, or raise it."};
}

JobRequests::JobRequests(uint64_t max_request_bytes, uint64_t max_input_bytes)
    : max_request_bytes_(max_request_bytes),
      requests_(max_request_bytes, RequestWords()),
      inputs_(max_input_bytes, InputWords()) {}

Status JobRequests::Hold(const JobRequest& request) {
  WB_TRY(requests_.Hold(request.tenant, request.holds));
  Status status = inputs_.Hold(request.tenant, request.inputs);
  if (!status.ok()) requests_.Drop(request.tenant, request.holds);
  return status;
}

void JobRequests::DropOpen(const JobRequest& request) {
  requests_.Drop(request.tenant, request.holds);
  inputs_.Drop(request.tenant, request.inputs);
}

void JobRequests::KeepShown(JobRecord* record) {
  std::shared_ptr<const JobRequest>& request = record->info.request;
  DropOpen(*request);
  if (StepBytes(request->steps) > kMostKeptSteps) {
    JobRequest kept = *request;
    kept.steps = {};
    request = std::make_shared<const JobRequest>(std::move(kept));
  }
  record->kept_request_bytes = StepBytes(request->steps) + LabelBytes(*request);
  if (request->sent != nullptr) record->kept_request_bytes += request->sent->whole.size();
  kept_bytes_ += record->kept_request_bytes;
}

void JobRequests::Drop(const JobRecord& record) {
  if (!IsTerminal(record.info.state)) DropOpen(*record.info.request);
  kept_bytes_ -= record.kept_request_bytes;
}

}  // namespace wb
