#include "daemon/inspection/instance_plan.h"

#include <utility>

#include "daemon/services/prepare_job.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {

namespace v1 = wasmburst::v1;

namespace {

Status Gone(const Status& status) {
  if (status.reason() != Reason::kNotFound && status.reason() != Reason::kModuleMissing) {
    return status;
  }
  return Status(Reason::kNotFound,
                status.message() + " The job used it, and without it no instance can run again.",
                status.details());
}

}  // namespace

Result<JobPlan> PlanOfRequest(const ServiceContext& context, ByteView request) {
  v1::Job proto;
  if (!proto.ParseFromArray(request.data(), static_cast<int>(request.size()))) {
    return Status(Reason::kBlobCorrupt, "What was kept of the job's request is damaged.");
  }
  const Result<StoredModule> module = ModuleNamed(context, nullptr, proto.module());
  if (!module.ok()) return Gone(module.status());
  Result<Submission> submission = PrepareJob(context, nullptr, proto, *module);
  if (!submission.ok()) return Gone(submission.status());
  const uint64_t most = context.config->Get()->highest_limits.max_memory_bytes;
  return PlanJob(SpecOf(&*submission), {most});
}

}  // namespace wb
