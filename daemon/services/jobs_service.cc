#include <google/protobuf/empty.pb.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "daemon/checkpoints/checkpoints.h"
#include "daemon/process/clock.h"
#include "daemon/services/host_call_session.h"
#include "daemon/services/job_waits.h"
#include "daemon/services/owned.h"
#include "daemon/services/paging.h"
#include "daemon/services/prepare_job.h"
#include "daemon/services/result_source.h"
#include "daemon/services/services.h"
#include "daemon/store/names.h"
#include "daemon/translate/translate_job.h"
#include "daemon/translate/translate_value.h"
#include "daemon/translate/translate_view.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;
using google::protobuf::Empty;

Result<v1::Job> ToProto(Result<JobInfo> job, bool with_program) {
  WB_ASSIGN(JobInfo info, std::move(job));
  v1::Job proto;
  JobToProto(info, with_program, &proto);
  return proto;
}

void CheckpointToProto(const ServiceContext& context, const JobInfo& job, v1::Job* proto) {
  const StateFiles& files = context.checkpoints->files();
  const uint64_t bytes = files.BytesOf(job.id);
  if (bytes == 0 || IsTerminal(job.state)) return;
  proto->mutable_checkpoint()->set_states(files.InstancesOf(job.id).size());
  proto->mutable_checkpoint()->set_bytes(bytes);
}

// Of a job of several daemons: why what this one has of it does not run.
std::vector<WaitReason> WaitsOf(const ServiceContext& context, const JobInfo& job) {
  std::vector<WaitReason> waits = context.scheduler->Waits(job.number);
  if (!context.parts_of) return waits;
  for (const JobId part : context.parts_of(job.id)) {
    for (WaitReason& reason : context.scheduler->Waits(part)) {
      const bool is_known = std::any_of(waits.begin(), waits.end(), [&reason](const auto& known) {
        return known.cause == reason.cause && known.words == reason.words;
      });
      if (!is_known) waits.push_back(std::move(reason));
    }
  }
  return waits;
}

Result<v1::Job> GetJob(const ServiceContext& context, const Caller& caller,
                       const v1::GetJobRequest& request) {
  WB_ASSIGN(const JobInfo job, JobFor(context, caller, request.name(), JobUse::kSee));
  v1::Job proto;
  JobToProto(job, true, &proto);
  const std::vector<WaitReason> waits = WaitsOf(context, job);
  const bool names = std::any_of(waits.begin(), waits.end(),
                                 [](const WaitReason& reason) { return !reason.jobs.empty(); });
  std::vector<JobInfo> active;
  if (names) {
    active = context.intake->store().List(FilterFor(caller, kActiveStates), "", SIZE_MAX).jobs;
  }
  if (!IsTerminal(job.state)) WaitsToProto(waits, active, UnixNow(), job, &proto);
  CheckpointToProto(context, job, &proto);
  return proto;
}

Result<v1::Job> CreateJob(const ServiceContext& context, const Call& call,
                          const v1::CreateJobRequest& request) {
  WB_ASSIGN(const StoredModule module, ModuleNamed(context, &call.caller, request.job().module()));
  WB_ASSIGN(Submission submission,
            PrepareRequest(context, call, request.job(), module, request.request_id(), request));
  if (request.validate_only()) return ToProto(context.intake->Validate(submission), true);
  return ToProto(context.intake->Create(std::move(submission)), true);
}

Result<v1::ListJobsResponse> ListJobs(const ServiceContext& context, const Caller& caller,
                                      const v1::ListJobsRequest& request) {
  WB_ASSIGN(size_t size, PageSize(request.page_size()));
  WB_ASSIGN(uint32_t states, ParseStateFilter(request.filter()));
  WB_ASSIGN(std::string after, ParseJobPageToken(request.page_token(), states));
  JobPage page = context.intake->store().List(FilterFor(caller, states), after, size);
  v1::ListJobsResponse response;
  for (const JobInfo& job : page.jobs) JobToProto(job, false, response.add_jobs());
  if (page.more) response.set_next_page_token(MakeJobPageToken({states, page.jobs.back().id}));
  return response;
}

Result<v1::Job> CancelJob(const ServiceContext& context, const Caller& caller,
                          const v1::CancelJobRequest& request) {
  WB_ASSIGN(const JobInfo job, JobFor(context, caller, request.name(), JobUse::kSee));
  return ToProto(context.intake->Cancel(job.id), false);
}

Result<v1::Job> CheckpointJob(const ServiceContext& context, const Caller& caller,
                              const v1::CheckpointJobRequest& request) {
  WB_ASSIGN(const JobInfo job, JobFor(context, caller, request.name(), JobUse::kSee));
  return ToProto(context.checkpoints->Checkpoint(job.id), false);
}

Result<v1::Job> ResumeJob(const ServiceContext& context, const Caller& caller,
                          const v1::ResumeJobRequest& request) {
  WB_ASSIGN(const JobInfo job, JobFor(context, caller, request.name(), JobUse::kSee));
  std::optional<Placement> placement;
  if (request.has_placement()) {
    WB_ASSIGN(placement, PlacementFromProto(request.placement(), "placement"));
  }
  const std::optional<JobBefore> left = context.checkpoints->LeftOf(job.id);
  if (!left || job.state != JobState::kCheckpointed) {
    return FieldError("name", "names a job that is " + JobStateName(job.state) +
                                  "; only one that is checkpointed can be resumed");
  }
  WB_ASSIGN(const std::string whole, context.intake->store().KeptRequest(job.id));
  WB_ASSIGN(Submission submission, PrepareKept(context, whole));
  WB_ASSIGN(const JobInfo resumed, context.intake->GoOn(job.id, placement, std::move(submission),
                                                        context.checkpoints->BeginOf(job, *left)));
  context.checkpoints->Resumed(job.id);
  return ToProto(resumed, false);
}

Result<Empty> DeleteJob(const ServiceContext& context, const Caller& caller,
                        const v1::DeleteJobRequest& request) {
  WB_ASSIGN(const JobInfo job, JobFor(context, caller, request.name(), JobUse::kUse));
  WB_TRY(context.intake->store().Delete(job.id));
  return Empty();
}

Result<v1::AcknowledgeResultsResponse> AcknowledgeResults(
    const ServiceContext& context, const Caller& caller,
    const v1::AcknowledgeResultsRequest& request) {
  WB_ASSIGN(const std::string id, ParseJobName(request.name()));
  WB_ASSIGN(const uint64_t position, ParseCursor(request.cursor(), id, "cursor"));
  WB_TRY(JobFor(context, caller, request.name(), JobUse::kUse).status());
  WB_TRY(context.intake->Acknowledge(id, position));
  return v1::AcknowledgeResultsResponse();
}

Result<std::unique_ptr<StreamSource>> ReadResults(const ServiceContext& context, const Call& call,
                                                  const v1::ReadResultsRequest& request,
                                                  std::function<void()> wake) {
  ResultReading reading;
  WB_ASSIGN(reading.job, ParseJobName(request.name()));
  WB_ASSIGN(reading.position, ParseCursor(request.cursor(), reading.job, "cursor"));
  WB_TRY(JobFor(context, call.caller, request.name(), JobUse::kUse).status());
  reading.may_acknowledge = call.caller.role >= Role::kSubmitter;
  if (reading.position > 0 && reading.may_acknowledge) {
    WB_TRY(context.intake->Acknowledge(reading.job, reading.position));
  }
  reading.follow = request.follow();
  if (request.columns()) reading.form = ResultForm::kColumns;
  reading.message_bytes = context.config->Get()->result_message_bytes;
  return ReadResultsOf(context.intake, context.modules, reading, std::move(wake));
}

Result<StoredModule> ModuleOf(const ServiceContext& context, const Caller& caller,
                              const v1::RunJobRequest& request) {
  if (request.module_case() == v1::RunJobRequest::kWasm) {
    return StoreModule(context, caller, AsBytes(request.wasm()), false);
  }
  return ModuleNamed(context, &caller, request.module_name());
}

Result<std::unique_ptr<StreamSource>> RunJob(const ServiceContext& context, const Call& call,
                                             const v1::RunJobRequest& request,
                                             std::function<void()> wake) {
  if (context.intake->draining()) {
    return Status(Reason::kDraining, "The daemon is shutting down and takes no new jobs.");
  }
  WB_ASSIGN(const StoredModule module, ModuleOf(context, call.caller, request));
  WB_ASSIGN(Submission submission,
            PrepareRequest(context, call, request.job(), module, request.request_id(), request));
  WB_ASSIGN(JobInfo job, context.intake->Create(std::move(submission)));
  ResultReading reading;
  reading.job = job.id;
  reading.follow = true;
  if (request.columns()) reading.form = ResultForm::kColumns;
  reading.message_bytes = context.config->Get()->result_message_bytes;
  return RunAndReadResultsOf(context.intake, context.modules, reading, std::move(wake));
}

Result<std::unique_ptr<StreamSource>> WatchJob(const ServiceContext& context, const Call& call,
                                               const v1::WatchJobRequest& request,
                                               std::function<void()> wake) {
  WB_ASSIGN(const std::string id, ParseJobName(request.name()));
  WB_ASSIGN(const uint64_t version, ParseCursor(request.resume_token(), id, "resume_token"));
  WB_TRY(JobFor(context, call.caller, request.name(), JobUse::kSee).status());
  return WatchChangesOf(context.intake, id, version, std::move(wake));
}

Result<std::unique_ptr<StreamSession>> ServeHostCalls(const ServiceContext& context,
                                                      const Caller& caller,
                                                      const v1::ServeHostCallsRequest& first,
                                                      std::function<void()> wake) {
  WB_ASSIGN(const JobInfo job, JobFor(context, caller, first.job(), JobUse::kUse));
  if (job.request->host_calls != nullptr) {
    return ServeCallsAt(job.request->host_calls, std::move(wake));
  }
  return FieldError("job", "binds no import to its caller (Binding.host)");
}

}  // namespace

MethodTable JobsService(ServiceContextRef context) {
  MethodTable table("wasmburst.v1.Jobs");
  table.AddUnary<v1::CreateJobRequest>(
      "CreateJob", RunOn::kPool, [context](const v1::CreateJobRequest& request, const Call& call) {
        return CreateJob(*context, call, request);
      });
  table.AddUnary<v1::GetJobRequest>("GetJob", RunOn::kCaller,
                                    [context](const v1::GetJobRequest& request, const Call& call) {
                                      return GetJob(*context, call.caller, request);
                                    });
  table.AddUnary<v1::ListJobsRequest>(
      "ListJobs", RunOn::kCaller, [context](const v1::ListJobsRequest& request, const Call& call) {
        return ListJobs(*context, call.caller, request);
      });
  table.AddUnary<v1::CancelJobRequest>(
      "CancelJob", RunOn::kPool, [context](const v1::CancelJobRequest& request, const Call& call) {
        return CancelJob(*context, call.caller, request);
      });
  table.AddUnary<v1::CheckpointJobRequest>(
      "CheckpointJob", RunOn::kPool,
      [context](const v1::CheckpointJobRequest& request, const Call& call) {
        return CheckpointJob(*context, call.caller, request);
      });
  table.AddUnary<v1::ResumeJobRequest>(
      "ResumeJob", RunOn::kPool, [context](const v1::ResumeJobRequest& request, const Call& call) {
        return ResumeJob(*context, call.caller, request);
      });
  table.AddUnary<v1::DeleteJobRequest>(
      "DeleteJob", RunOn::kPool, [context](const v1::DeleteJobRequest& request, const Call& call) {
        return DeleteJob(*context, call.caller, request);
      });
  table.AddUnary<v1::AcknowledgeResultsRequest>(
      "AcknowledgeResults", RunOn::kCaller,
      [context](const v1::AcknowledgeResultsRequest& request, const Call& call) {
        return AcknowledgeResults(*context, call.caller, request);
      });
  const auto with = [context](auto open) {
    return [context, open](const auto& request, const auto& from, std::function<void()> wake) {
      return open(*context, from, request, std::move(wake));
    };
  };
  table.AddServerStream<v1::WatchJobRequest>("WatchJob", with(WatchJob));
  table.AddServerStream<v1::ReadResultsRequest>("ReadResults", with(ReadResults));
  table.AddServerStream<v1::RunJobRequest>("RunJob", with(RunJob));
  table.AddSession<v1::ServeHostCallsRequest>("ServeHostCalls", with(ServeHostCalls));
  return table;
}

}  // namespace wb
