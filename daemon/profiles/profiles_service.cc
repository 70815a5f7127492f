#include "daemon/profiles/profiles_service.h"

#include <optional>
#include <string>
#include <utility>

#include "daemon/profiles/make_profile.h"
#include "daemon/profiles/profile_view.h"
#include "daemon/services/owned.h"
#include "daemon/store/names.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

Result<ProfileOrder> OrderOf(const ProfileLimits& limits, const Call& call,
                             const v1::GetProfileRequest& request) {
  ProfileOrder order;
  order.instances = request.instances() != 0 ? request.instances() : limits.instances;
  order.loops = request.loops();
  order.time = limits.time;
  order.is_unwanted = call.is_unwanted;
  if (order.instances <= ProfileLimits::kMostInstances) return order;
  return Status(
      Reason::kLimitTooHigh,
      "A profile of " + Quoted(order.instances) + " instances was asked for; at most " +
          Quoted(ProfileLimits::kMostInstances) + " are run again.",
      {{"field", "instances"}, {"maximum", std::to_string(ProfileLimits::kMostInstances)}});
}

Result<v1::Profile> GetProfile(const ServiceContext& context, const JobProfiles& profiles,
                               const Call& call, const v1::GetProfileRequest& request) {
  WB_ASSIGN(const JobInfo job, JobFor(context, call.caller, request.job(), JobUse::kUse));
  const ProfileLimits limits =
      context.profiler == nullptr ? ProfileLimits() : context.profiler->limits();
  WB_ASSIGN(const ProfileOrder order, OrderOf(limits, call, request));
  std::optional<v1::Profile> kept;
  if (request.instances() == 0) kept = profiles.Get(JobName(job.id));
  if (!kept) return MakeProfile(context, job, order);
  return request.loops() ? *std::move(kept) : WithoutLoops(*kept);
}

}  // namespace

MethodTable ProfilesService(ServiceContextRef context,
                            std::shared_ptr<const JobProfiles> profiles) {
  MethodTable table("wasmburst.v1.Profiles");
  table.AddUnary<v1::GetProfileRequest>(
      "GetProfile", RunOn::kCompilePool,
      [context, profiles](const v1::GetProfileRequest& request, const Call& call) {
        return GetProfile(*context, *profiles, call, request);
      });
  return table;
}

}  // namespace wb
