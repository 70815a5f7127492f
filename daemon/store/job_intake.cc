#include "daemon/store/job_intake.h"

#include <algorithm>
#include <utility>

#include "compiler/imports/primitive.h"
#include "daemon/process/fail_point.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/job/lane_program.h"
#include "scheduler/job/program_encoder.h"

namespace wb {
namespace {

// The sink of a job that keeps its store, which must outlive it.
std::shared_ptr<ResultSink> KeptSink(const std::shared_ptr<JobStore>& store,
                                     const std::string& id) {
  struct Kept {
    std::shared_ptr<JobStore> store;
    std::shared_ptr<ResultSink> sink;
  };
  const auto kept = std::make_shared<Kept>(Kept{store, store->SinkOf(id)});
  return {kept, kept->sink.get()};
}

Result<EncodedProgram> CheckProgram(const Submission& submission) {
  std::vector<ColumnType> types;
  for (const Column& column : submission.columns) {
    types.push_back({column.kind == Column::Kind::kBytes, column.type});
  }
  const JobRequest& request = submission.request;
  if (!UsesPrimitives(*submission.module)) {
    return EncodeProgram(*submission.module, request.steps, types);
  }
  const ProgramInputs inputs = {request.input_columns, static_cast<uint32_t>(types.size()),
                                request.instances};
  types.push_back({false, ValueType::kI64});  // the instance's number
  return EncodeProgram(*submission.module, request.steps, types, &inputs);
}

// Fills in what a result may hold, and what one may hold whose output fits into its record.
void BoundResults(const Module& module, const EncodedProgram& program, JobRequest& request) {
  const uint32_t most_output = request.limits.max_output_bytes;
  request.group = GroupOf(module);
  const uint64_t in_record =
      request.group > 1 ? most_output : OutputBufferOf(program, request.steps);
  const auto part = static_cast<uint32_t>(std::min<uint64_t>(in_record, most_output));
  uint64_t besides = request.host_calls != nullptr ? kLongestHostError : 0;
  for (const std::string& stream : request.streams) besides += stream.size();
  request.most_result_bytes = besides + MostHeldBytes(program, request.steps, most_output);
  request.most_part_bytes = besides + MostHeldBytes(program, request.steps, part);
}

}  // namespace

JobSpec SpecOf(Submission* submission) {
  const JobRequest& request = submission->request;
  JobSpec spec;
  spec.module = submission->module;
  spec.steps = request.steps;
  spec.columns = std::move(submission->columns);
  spec.inputs = request.input_columns;
  spec.streams = request.streams;
  spec.instances = request.instances;
  spec.limits = request.limits;
  spec.placement = request.placement;
  spec.fast32 = request.fast32;
  spec.hint = request.hint;
  spec.tenant = request.tenant;
  spec.priority = request.priority;
  spec.residents = submission->residents;
  if (request.host_calls != nullptr) {
    spec.host_calls = request.host_calls;
    spec.host_imports = spec.host_calls->imports();
  }
  if (const auto timeout = request.host_call_timeout) spec.host_call_timeout = *timeout;
  return spec;
}

JobIntake::JobIntake(std::shared_ptr<JobStore> store, Scheduler* scheduler)
    : store_(std::move(store)), scheduler_(scheduler) {
  store_->Listen({[scheduler](JobId number) { scheduler->RoomChanged(number); }});
}

JobIntake::~JobIntake() { store_->Listen({}); }

void JobIntake::StopAdmitting() {
  draining_ = true;
  store_->Suspend();
}

Result<JobInfo> JobIntake::Create(Submission submission) {
  if (draining_) {
    return Status(Reason::kDraining, "The daemon is shutting down and takes no new jobs.");
  }
  WB_TRY(Bound(&submission));
  JobSpec spec = SpecOf(&submission);
  WB_ASSIGN(JobStore::Created created, store_->Create(std::move(submission.request)));
  if (created.existed) return created.job;
  if (created.is_shared) {
    if (on_accepted_) on_accepted_(created.job);
    return created.job;
  }
  FailPoint(FailPlace::kJobCommitted);
  const std::string& id = created.job.id;
  spec.name = id;
  Status submitted =
      scheduler_->Submit(created.job.number, std::move(spec), SinkOf(created.job, submission.sent));
  if (!submitted.ok()) {
    store_->Discard(id);
    return submitted;
  }
  FailPoint(FailPlace::kJobSubmitted);
  JobInfo published = store_->Publish(id);
  if (on_accepted_) on_accepted_(published);
  return published;
}

std::shared_ptr<ResultSink> JobIntake::SinkOf(
    const JobInfo& job, const std::shared_ptr<const SentRequest>& sent) const {
  std::shared_ptr<ResultSink> sink = KeptSink(store_, job.id);
  for (const WrapSink& wrap : wraps_) sink = wrap(job, sent, std::move(sink));
  return sink;
}

Status JobIntake::Bound(Submission* submission) {
  WB_ASSIGN(const EncodedProgram program, CheckProgram(*submission));
  BoundResults(*submission->module, program, submission->request);
  return {};
}

void JobIntake::Resume(const JobInfo& restored, Submission submission,
                       std::shared_ptr<const JobBefore> before) {
  FailPoint(FailPlace::kJobRestored);
  JobUsage usage;
  usage.fuel = restored.usage.fuel;
  JobSpec spec = SpecOf(&submission);
  spec.name = restored.id;
  spec.before = std::move(before);
  Status submitted =
      scheduler_->Submit(restored.number, std::move(spec), SinkOf(restored, submission.sent));
  if (!submitted.ok())
    return store_->SinkOf(restored.id)->OnEnd(std::move(submitted), false, usage);
  if (on_accepted_) on_accepted_(restored);
}

Result<JobInfo> JobIntake::Validate(const Submission& submission) const {
  WB_TRY(CheckProgram(submission).status());
  JobInfo job;
  job.request = std::make_shared<const JobRequest>(submission.request);
  return job;
}

Result<JobInfo> JobIntake::Cancel(const std::string& id) {
  WB_ASSIGN(const JobInfo before, store_->Get(id));
  WB_ASSIGN(JobInfo job, store_->MarkCancelling(id));
  scheduler_->Cancel(job.number);
  if (before.state == JobState::kCheckpointed) store_->SinkOf(id)->OnEnd({}, true, before.usage);
  return job;
}

Result<JobInfo> JobIntake::GoOn(const std::string& id, std::optional<Placement> placement,
                                Submission submission, std::shared_ptr<const JobBefore> before) {
  if (draining_) {
    return Status(Reason::kDraining, "The daemon is shutting down and resumes no jobs.");
  }
  WB_ASSIGN(JobInfo job, store_->MarkResumed(id, placement));
  submission.request.placement = job.request->placement;
  JobSpec spec = SpecOf(&submission);
  spec.name = id;
  spec.before = std::move(before);
  Status submitted = scheduler_->Submit(job.number, std::move(spec), SinkOf(job, submission.sent));
  if (submitted.ok()) return job;
  (void)store_->MarkLeaving(id);
  store_->SinkOf(id)->OnEnd({}, true, job.usage);
  return submitted;
}

Status JobIntake::Acknowledge(const std::string& id, uint64_t position) {
  WB_ASSIGN(const bool has_room, store_->Acknowledge(id, position));
  if (!has_room) return {};
  WB_ASSIGN(const JobInfo job, store_->Get(id));
  scheduler_->RoomChanged(job.number);
  return {};
}

void JobIntake::Tick() {
  store_->Expire();
  for (const JobInfo& job : store_->List(ActiveJobs(), "", SIZE_MAX).jobs) {
    if (store_->SinkOf(job.id)->Room() > 0) scheduler_->RoomChanged(job.number);
  }
}

}  // namespace wb
