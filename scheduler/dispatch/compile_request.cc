#include "scheduler/dispatch/compile_request.h"

#include "scheduler/base/quoted.h"

namespace wb {

CompileOptions OptionsFor(const JobSpec& spec, CompileOptions options) {
  if (spec.fast32 && options.floats == Floats::kMetal) options.floats = Floats::kFast32;
  return options;
}

Lowering::Wish LoweringOf(const JobPlan& plan, std::optional<CompileOptions> options) {
  return {plan.spec.module, StartCallOf(plan), options};
}

bool IsTextFor(const ActiveJob& job, const LoweredKernel& lowered, const DeviceInfo& device) {
  const CompileOptions wanted = OptionsFor(job.plan.spec, device.options);
  const CompileOptions& emitted = lowered.source.options;
  return emitted.floats == wanted.floats && emitted.layout == wanted.layout &&
         emitted.windows == wanted.windows;
}

FairShare ShareOf(const ActiveJob& job) {
  return {job.plan.spec.tenant, job.tenant.weight, job.plan.spec.priority};
}

namespace {

BuildRecord RecordOf(const ActiveJob& job, const Result<BuiltPipeline>& built) {
  BuildRecord record;
  record.job = job.id;
  record.job_name = job.plan.spec.name;
  record.status = built.status();
  if (!built.ok()) return record;
  record.build = built->pipeline.build;
  record.cached = built->cached;
  record.time = built->time;
  return record;
}

}  // namespace

void RecordBuilt(ActiveJob& job, const Result<BuiltPipeline>& built) {
  const bool is_compiled = !built.ok() || built->pipeline.build != KernelBuild::kInterpreted;
  if (is_compiled && job.observer != nullptr) job.observer->OnBuild(RecordOf(job, built));
  if (!built.ok() || built->pipeline.build == KernelBuild::kInterpreted) return;
  job.Record([&built](JobProgress& progress) {
    JobUsage& usage = progress.usage;
    (built->pipeline.IsQuick() ? usage.quick_compile_time : usage.full_compile_time) += built->time;
  });
}

std::string CannotRun(const std::string& device, const Status& status) {
  return "The device " + Quoted(device) + " could not run the module: " + status.message();
}

}  // namespace wb
