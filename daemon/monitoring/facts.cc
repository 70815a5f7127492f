#include "daemon/monitoring/facts.h"

#include <algorithm>
#include <iterator>

#include "daemon/metrics/label_text.h"

namespace wb {
namespace {

constexpr const char* kDeviceStates[] = {"idle", "bursting", "cooling", "restarting",
                                         "not_responding"};

void AddStates(const DeviceStatus& device, Samples* samples) {
  const std::string& id = device.info.id;
  const std::string state = LabelText(device.state);
  for (const char* known : kDeviceStates) {
    samples->push_back({Metric::kDeviceState, {id, known}, state == known ? 1.0 : 0.0});
  }
  const bool is_known = std::find(std::begin(kDeviceStates), std::end(kDeviceStates), state) !=
                        std::end(kDeviceStates);
  if (!is_known) samples->push_back({Metric::kDeviceState, {id, state}, 1});
}

template <typename T>
void AddSensor(Metric metric, const std::string& device, const std::optional<T>& value,
               Samples* samples) {
  if (value) samples->push_back({metric, {device}, static_cast<double>(*value)});
}

void AddDevice(const DeviceStatus& device, Samples* samples) {
  const std::string& id = device.info.id;
  const auto add = [samples, &id](Metric metric, double value) {
    samples->push_back({metric, {id}, value});
  };
  samples->push_back({Metric::kDeviceInfo,
                      {id, std::string(EngineName(device.info.engine)), device.info.name},
                      1});
  add(Metric::kDeviceHealthy, device.healthy ? 1 : 0);
  add(Metric::kDeviceOpen, device.gate == Gate::kOpen ? 1 : 0);
  AddStates(device, samples);
  add(Metric::kDeviceBursts, static_cast<double>(device.bursts));
  add(Metric::kDeviceInstances, static_cast<double>(device.instances));
  add(Metric::kDeviceFuel, static_cast<double>(device.fuel));
  if (device.lane_fuel.resident != 0) {
    add(Metric::kDeviceUsefulFuel, static_cast<double>(device.lane_fuel.useful));
    add(Metric::kDeviceResidentFuel, static_cast<double>(device.lane_fuel.resident));
  }
  add(Metric::kDeviceBusy, SecondsOf(device.busy));
  add(Metric::kDeviceRestarts, static_cast<double>(device.restarts));
  AddSensor(Metric::kDeviceEnergy, id, device.joules, samples);
  const Telemetry& telemetry = device.telemetry;
  AddSensor(Metric::kDeviceTemperature, id, telemetry.celsius, samples);
  AddSensor(Metric::kDevicePower, id, telemetry.watts, samples);
  AddSensor(Metric::kDeviceUtilization, id, telemetry.utilisation, samples);
  AddSensor(Metric::kDeviceMemoryUsed, id, telemetry.memory_used, samples);
  AddSensor(Metric::kDeviceMemoryTotal, id, telemetry.memory_total, samples);
}

}  // namespace

void AddDeviceSamples(const std::vector<DeviceStatus>& devices, Samples* samples) {
  for (const DeviceStatus& device : devices) AddDevice(device, samples);
}

void AddCacheSamples(const CacheStats& stats, Samples* samples) {
  const auto add = [samples](Metric metric, uint64_t value) {
    samples->push_back({metric, {}, static_cast<double>(value)});
  };
  add(Metric::kCacheHits, stats.hits);
  add(Metric::kCacheMisses, stats.misses);
  add(Metric::kCacheEvictions, stats.evictions);
  add(Metric::kCacheCorrupt, stats.corrupt);
  add(Metric::kCacheForeign, stats.foreign);
  add(Metric::kCacheBytes, stats.bytes);
  add(Metric::kCacheMaxBytes, stats.max_bytes);
}

void AddJobSamples(const JobStoreFigures& figures, Samples* samples) {
  for (size_t state = 0; state < kJobStates; ++state) {
    const std::string name = JobStateName(static_cast<JobState>(state));
    samples->push_back({Metric::kJobs, {name}, static_cast<double>(figures.by_state[state])});
  }
  samples->push_back({Metric::kResultsBytes, {}, static_cast<double>(figures.result_bytes)});
  samples->push_back({Metric::kRequestsBytes, {}, static_cast<double>(figures.request_bytes)});
}

}  // namespace wb
