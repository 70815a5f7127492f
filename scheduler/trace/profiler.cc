#include "scheduler/trace/profiler.h"

#include <algorithm>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seating.h"
#include "scheduler/trace/one_seat.h"
#include "scheduler/trace/profile_sample.h"

namespace wb {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

// So long at least an instance of a sample may run: what is over at once tells nothing.
constexpr nanoseconds kLeastTurn = std::chrono::milliseconds(20);

DispatchShape ShapeOfOne(const JobPlan& plan, const ProfileLimits& limits) {
  DispatchShape shape = ShapeOf(plan, OneSeat(plan, limits.instance_bytes()));
  shape.output_buffer = ~0u;  // room for all outputs, so that one launch is enough
  return shape;
}

// A plan's instances, one after another, on a device.
class InstanceRuns {
 public:
  InstanceRuns(const JobPlan& plan, const ProfileLimits& limits, Device& device,
               PipelineRef pipeline)
      : plan_(plan), limits_(limits), device_(device), pipeline_(std::move(pipeline)) {}

  Result<ProfiledInstance> Run(uint64_t instance, nanoseconds time, FuelProfile* fuel);

 private:
  const JobPlan& plan_;
  const ProfileLimits& limits_;
  Device& device_;
  const PipelineRef pipeline_;
};

Result<ProfiledInstance> InstanceRuns::Run(uint64_t instance, nanoseconds time, FuelProfile* fuel) {
  DispatchShape shape = ShapeOfOne(plan_, limits_);
  if (plan_.kept) {
    WB_ASSIGN(shape.kept, device_.Keep(plan_.kept->input));
  }
  WB_ASSIGN(const std::unique_ptr<Dispatch> dispatch, device_.Allocate(pipeline_, shape));
  FillShared(plan_, *dispatch);
  FillSeat(plan_, instance, 0, *dispatch);
  LaunchLimits launch;
  launch.max_duration = time;
  launch.slice_fuel = limits_.fuel;
  WB_ASSIGN(LaunchReport report, device_.Launch(*dispatch, launch));
  ProfiledInstance ran{instance, FuelOf(report.fuel), ProfileCut::kNone};
  *fuel = std::move(report.fuel);
  const std::optional<InstanceResult> result = DecodeRecord(plan_, RecordAt(*dispatch, 0));
  if (report.seats_left != 0) {
    ran.cut = ran.fuel >= limits_.fuel ? ProfileCut::kFuel : ProfileCut::kTime;
  } else if (!result) {
    ran.cut = ProfileCut::kMemory;
  } else if (!fuel->empty() && result->fuel >= ran.fuel) {
    // What steps paid besides their calls, after the last of them.
    fuel->front().fuel += result->fuel - ran.fuel;
    ran.fuel = result->fuel;
  } else {
    return Status(Reason::kInternal, "The instance " + Quoted(instance) + " used " +
                                         Quoted(result->fuel) + " instructions, but " +
                                         Quoted(ran.fuel) + " were counted.");
  }
  return ran;
}

std::string LeftOut(size_t made, size_t wanted, nanoseconds time) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time);
  return "The time of the sample, " + Quoted(static_cast<uint64_t>(ms.count())) +
         " ms, was over after " + Quoted(uint64_t{made}) + " of " + Quoted(uint64_t{wanted}) +
         " instances.";
}

}  // namespace

Profiler::Profiler(std::shared_ptr<LoweredModules> modules, DeviceStarter start,
                   const ProfileLimits& limits)
    : modules_(std::move(modules)), limits_(limits), device_(std::move(start)) {}

Status Profiler::Sample(const JobPlan& plan, const ProfileOrder& order, ProfileBuilder* builder,
                        JobProfile* profile) {
  const nanoseconds time = std::min<nanoseconds>(order.time, limits_.time);
  const auto until = steady_clock::now() + time;  // the start of the process counts, too
  WB_TRY(device_.Start());
  WB_ASSIGN(LoweredModuleRef module, modules_->Get(plan.spec.module));
  WB_ASSIGN(PipelineRef pipeline, device_->Load(module, module->program.module->binary()));
  InstanceRuns runs(plan, limits_, *device_, std::move(pipeline));
  const std::vector<uint64_t> wanted = SampleOf(plan.spec.instances, order.instances);
  for (const uint64_t instance : wanted) {
    if (order.is_unwanted && order.is_unwanted()) {
      return Status(Reason::kCancelled, "The caller has gone.");
    }
    const nanoseconds left = until - steady_clock::now();
    if (left < kLeastTurn && !profile->sample.empty()) {
      profile->note = LeftOut(profile->sample.size(), wanted.size(), time);
      break;
    }
    FuelProfile fuel;
    WB_ASSIGN(ProfiledInstance ran, runs.Run(instance, std::max(left, kLeastTurn), &fuel));
    builder->Add(fuel);
    profile->sample.push_back(ran);
  }
  return {};
}

Result<JobProfile> Profiler::Run(const JobPlan& plan, const ProfileOrder& order) {
  if (plan.group > 1) {
    return Status(Reason::kJobTerminal,
                  "Instances of this job compute in groups (collectives of gpu_std): none can run "
                  "again without its group, so that there is no profile of the job.");
  }
  if (plan.spec.host_calls != nullptr) {
    return Status(Reason::kJobTerminal,
                  "The job's caller answers calls of its instances (Binding.host) and is not asked "
                  "a second time, so that there is no profile of the job.");
  }
  if (plan.spec.residents != nullptr) {
    return Status(Reason::kJobTerminal,
                  "The job is a call of a session: what its instances began with is not there any "
                  "more, so that there is no profile of the job.");
  }
  MutexLock lock(running_);
  ProfileBuilder builder(*plan.spec.module, order.loops);
  JobProfile sampled;
  Status status = Sample(plan, order, &builder, &sampled);
  device_.End();
  if (status.reason() == Reason::kDeviceLost) {
    return Status(Reason::kDeviceLost,
                  status.message() + " It is bounded by profiles.max_memory_bytes.");
  }
  WB_TRY(status);
  JobProfile profile = builder.Take();
  profile.instances = plan.spec.instances;
  profile.sample = std::move(sampled.sample);
  profile.note = std::move(sampled.note);
  return profile;
}

}  // namespace wb
