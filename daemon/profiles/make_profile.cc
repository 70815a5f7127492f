#include "daemon/profiles/make_profile.h"

#include <chrono>
#include <string>
#include <utility>

#include "daemon/profiles/profile_names.h"
#include "daemon/services/prepare_job.h"
#include "daemon/store/names.h"
#include "daemon/translate/translate_time.h"
#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/profiles.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

// A job that can run again.
struct KnownJob {
  std::shared_ptr<const Module> main;
  JobPlan plan;
};

Status GoneFor(const JobInfo& job, const Status& why) {
  return Status(Reason::kJobTerminal,
                "What the job [" + job.id + "] was given is not there any more: " + why.message());
}

bool IsGone(const Status& status) {
  return status.reason() == Reason::kNotFound || status.reason() == Reason::kModuleMissing;
}

Result<KnownJob> PlanAgain(const ServiceContext& context, const JobInfo& job) {
  WB_ASSIGN(const std::string request, context.intake->store().KeptRequest(job.id));
  v1::Job proto;
  if (!proto.ParseFromString(request)) {
    return Status(Reason::kIoError, "The stored request of the job is damaged.");
  }
  const Result<StoredModule> main = ModuleNamed(context, nullptr, proto.module());
  if (!main.ok()) return IsGone(main.status()) ? GoneFor(job, main.status()) : main.status();
  Result<Submission> submission = PrepareJob(context, nullptr, proto, *main);
  if (!submission.ok()) {
    const Status why = submission.status();
    return IsGone(why) ? GoneFor(job, why) : why;
  }
  JobBounds bounds;
  bounds.max_memory_bytes = UINT64_MAX;  // it was accepted once
  WB_ASSIGN(JobPlan plan, PlanJob(SpecOf(&*submission), bounds));
  return KnownJob{main->module, std::move(plan)};
}

v1::ProfiledInstance::Cut CutToProto(ProfileCut cut) {
  return static_cast<v1::ProfiledInstance::Cut>(cut);  // the numbers of both are the same
}

void FrameToProto(const ProfileFrame& frame, ProfileNames* names, v1::ProfileFrame* proto) {
  proto->set_many_callers(frame.many_callers);
  if (frame.many_callers) return;
  proto->set_module(names->ModuleOf(frame.instance, frame.function));
  proto->set_function(frame.function);
  proto->set_loop(frame.loop);
  if (frame.function != abi::NONE) {
    proto->set_function_name(names->FunctionOf(frame.instance, frame.function));
  }
}

v1::Profile ToProto(const JobProfile& profile, ProfileNames* names) {
  v1::Profile proto;
  proto.set_instances(profile.instances);
  for (const ProfiledInstance& instance : profile.sample) {
    v1::ProfiledInstance* added = proto.add_sample();
    added->set_instance(instance.instance);
    added->set_fuel(instance.fuel);
    added->set_cut(CutToProto(instance.cut));
  }
  proto.set_fuel(profile.fuel);
  proto.set_loops(profile.loops);
  for (const ProfileFrame& frame : profile.frames) FrameToProto(frame, names, proto.add_frames());
  for (const ProfileNode& node : profile.nodes) {
    v1::ProfileNode* added = proto.add_nodes();
    added->set_parent(node.parent);
    added->set_frame(node.frame);
    added->set_calls(node.calls);
    added->set_fuel(node.fuel);
  }
  proto.set_note(profile.note);
  return proto;
}

}  // namespace

Result<v1::Profile> MakeProfile(const ServiceContext& context, const JobInfo& job,
                                const ProfileOrder& order) {
  if (context.profiler == nullptr) {
    return Status(Reason::kUnavailable, "This daemon makes no profiles.");
  }
  const auto start = std::chrono::steady_clock::now();
  WB_ASSIGN(const KnownJob known, PlanAgain(context, job));
  WB_ASSIGN(const JobProfile profile, context.profiler->Run(known.plan, order));
  ProfileNames names(context, known.main, known.plan.spec.module);
  v1::Profile proto = ToProto(profile, &names);
  proto.set_job(JobName(job.id));
  proto.set_job_fuel(job.usage.fuel);
  DurationToProto(std::chrono::steady_clock::now() - start, proto.mutable_make_time());
  return proto;
}

}  // namespace wb
