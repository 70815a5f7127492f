#include "daemon/services/burst_source.h"

#include <algorithm>
#include <utility>

#include "daemon/bursts/burst_token.h"
#include "daemon/store/names.h"
#include "daemon/translate/translate_time.h"
#include "scheduler/base/quoted.h"
#include "wasmburst/v1/admin.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kInMessage = 32;  // bursts

static_assert(v1::INTERPRETED == static_cast<int>(KernelBuild::kInterpreted));
static_assert(v1::QUICK == static_cast<int>(KernelBuild::kQuick));
static_assert(v1::FULL == static_cast<int>(KernelBuild::kFull));

class BurstSource : public StreamSource {
 public:
  struct Reading {
    std::string device;  // id; empty: all
    bool follow = false;
    bool restarted = false;  // the token was of an earlier daemon
    BurstToken at;
  };
  BurstSource(std::shared_ptr<BurstLog> log, Caller caller, Reading reading,
              std::function<void()> wake)
      : log_(std::move(log)),
        caller_(std::move(caller)),
        reading_(std::move(reading)),
        subscription_(reading_.follow ? log_->Subscribe(std::move(wake)) : nullptr) {}

  Item Next() override {
    BurstRing::Page page = log_->Read(reading_.at.place, reading_.device, kInMessage);
    const bool says_something = !page.bursts.empty() || reading_.restarted;
    if (!says_something) return {nullptr, !reading_.follow, {}};
    reading_.at.place = std::move(page.place);
    auto message = std::make_unique<v1::BurstEvent>();
    message->set_resume_token(MakeBurstToken(reading_.at));
    message->set_missed(page.missed);
    message->set_restarted(std::exchange(reading_.restarted, false));
    for (const KeptBurstRef& burst : page.bursts) {
      BurstToProto(*burst, caller_, message->add_bursts());
    }
    return {std::move(message), false, {}};
  }

  MessagePtr Heartbeat() override {
    auto message = std::make_unique<v1::BurstEvent>();
    message->set_resume_token(MakeBurstToken(reading_.at));
    message->set_heartbeat(true);
    return message;
  }

 private:
  const std::shared_ptr<BurstLog> log_;
  const Caller caller_;
  Reading reading_;
  const std::shared_ptr<void> subscription_;
};

// The device's id; "": all devices.
Result<std::string> DeviceOf(const ServiceContext& context, const std::string& name) {
  if (name.empty()) return std::string();
  WB_ASSIGN(std::string id, ParseDeviceName(name));
  std::string known;
  for (const DeviceStatus& device : context.scheduler->Devices()) {
    if (device.info.id == id) return id;
    known += (known.empty() ? "" : ", ") + device.info.id;
  }
  if (context.bursts->Has(id)) return id;
  return Status(Reason::kNotFound,
                "There is no device " + Quoted(id) + "; there are " + Quoted(known) + ".",
                {{"resource_type", "device"}, {"resource", id}});
}

void ShareToProto(const BurstShare& share, const Caller& caller, v1::BurstJob* proto) {
  if (caller.MaySeeJobsOf(share.tenant)) proto->set_job(JobName(share.name));
  proto->set_instances(share.instances);
  proto->set_fuel(share.fuel);
  proto->set_launches(share.launches);
  DurationToProto(share.busy, proto->mutable_busy());
  proto->set_build(static_cast<v1::Build>(static_cast<int>(share.build)));
}

void RestsToProto(const BurstRecord& burst, v1::Burst* proto) {
  if (burst.rest_before) {
    DurationToProto(*burst.rest_before, proto->mutable_rest_before());
    proto->set_rest_before_cause(std::string(RestCauseName(burst.rest_before_cause)));
  }
  if (burst.rest_after_cause == RestCause::kNone) return;
  DurationToProto(burst.rest_after, proto->mutable_rest_after());
  proto->set_rest_after_cause(std::string(RestCauseName(burst.rest_after_cause)));
}

}  // namespace

void BurstToProto(const KeptBurst& kept, const Caller& caller, v1::Burst* proto) {
  const BurstRecord& burst = kept.burst;
  proto->set_device(DeviceName(burst.device));
  proto->set_number(burst.number);
  TimeToProto(kept.start_unix_ns, proto->mutable_start_time());
  DurationToProto(burst.duration, proto->mutable_duration());
  DurationToProto(burst.busy, proto->mutable_busy());
  proto->set_launches(burst.launches);
  proto->set_instances(burst.instances);
  proto->set_fuel(burst.fuel);
  RestsToProto(burst, proto);
  proto->set_end(std::string(BurstEndName(burst.end)));
  proto->set_job_count(burst.jobs);
  for (const BurstShare& share : burst.shares) ShareToProto(share, caller, proto->add_jobs());
  proto->set_lanes_resident(burst.lanes_resident);
  proto->set_lanes_useful(burst.lanes_useful);
  if (burst.celsius) proto->set_celsius(*burst.celsius);
  if (burst.watts) proto->set_watts(*burst.watts);
}

Result<std::unique_ptr<StreamSource>> WatchBursts(const ServiceContext& context,
                                                  const Caller& caller,
                                                  const v1::WatchBurstsRequest& request,
                                                  std::function<void()> wake) {
  BurstSource::Reading reading;
  WB_ASSIGN(reading.device, DeviceOf(context, request.device()));
  reading.follow = request.follow();
  if (request.resume_token().empty()) {
    reading.at.place = context.bursts->Begin();
  } else {
    WB_ASSIGN(reading.at, ParseBurstToken(request.resume_token()));
    reading.restarted = reading.at.daemon != context.start_unix_ns;
    if (reading.restarted) reading.at.place = context.bursts->Begin();
  }
  reading.at.daemon = context.start_unix_ns;
  std::unique_ptr<StreamSource> source =
      std::make_unique<BurstSource>(context.bursts, caller, std::move(reading), std::move(wake));
  return source;
}

}  // namespace wb
