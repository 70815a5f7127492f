#include "scheduler/run/device_parts.h"

#include <algorithm>
#include <thread>

namespace wb {
namespace {

// A quarter of the processors, this thread included: the rest is for devices and readers.
uint32_t HelperThreadsBeside() {
  return std::clamp(std::thread::hardware_concurrency() / 4, 1u, 8u) - 1;
}

}  // namespace

DeviceParts::DeviceParts(std::string device_id, DeviceStarter starter,
                         const DeviceSettings& device_settings, Clock& the_clock,
                         const SharedByDevices& shared, DeviceEvents device_events)
    : id(std::move(device_id)),
      settings(device_settings),
      clock(the_clock),
      rates(shared.rates),
      images(shared.images),
      events(std::move(device_events)),
      inbox(id, clock),
      lifecycle(id, std::move(starter), clock, inbox),
      thermal(settings.Thermal()),
      inputs(settings.input_percent, memory),
      helpers(HelperThreadsBeside()),
      pipelines(settings, events, memory),
      jobs(events, inbox),
      bursts(id, settings.burst_max_duration) {}

void DeviceParts::RecordLaunch(const BurstLaunch& launch) {
  if (events.burst) bursts.Record(launch);
}

void DeviceParts::EndBurst(BurstEnd end) {
  if (!bursts.is_open()) return;
  const auto ended = bursts.End({end, thermal.rest(), thermal.telemetry()}, clock.Now());
  if (ended) events.burst(*ended);
}

}  // namespace wb
