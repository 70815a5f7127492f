#include <algorithm>
#include <chrono>

#include "bench/race/race_rounds.h"
#include "bench/race/race_work.h"
#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"

namespace wb::bench {
namespace {

constexpr uint32_t kMostLanes = 4096;
// Seconds of a launch that its beginning and end do not show in.
constexpr double kLongEnough = 0.05;

double Seconds(std::chrono::nanoseconds time) { return static_cast<double>(time.count()) * 1e-9; }

// Launches of so many instances.
struct Launches {
  Launches(Device& device, const RaceKernel& kernel, const std::string& folder, uint32_t lanes)
      : work(WorkOf(kernel, folder, lanes)), launched(device, work) {}

  Work work;
  DeviceWork launched;
};

// Enough instances that a launch takes long enough, where the device is quick.
std::unique_ptr<Launches> Prepare(Device& device, const RaceKernel& kernel,
                                  const std::string& folder, bool grows) {
  uint32_t lanes = std::max(kernel.check, grows ? 4 * device.info().threads : 0);
  while (true) {
    auto launches = std::make_unique<Launches>(device, kernel, folder, lanes);
    const double took = Seconds(launches->launched.Launch());  // and it is warm
    if (!grows || took >= kLongEnough || lanes >= kMostLanes) return launches;
    const double times = std::clamp(1.5 * kLongEnough / std::max(took, 1e-4), 2.0, 64.0);
    lanes = std::min(kMostLanes, static_cast<uint32_t>(lanes * times));
  }
}

}  // namespace

nlohmann::ordered_json RaceOnProcessors(const RaceKernel& kernel, const RaceSettings& settings,
                                        const std::string& engine) {
  const auto device =
      engine == "cpu" ? Must(CreateCpuDevice({}), "cpu device") : CreateInterpreterDevice({});
  const auto launches = Prepare(*device, kernel, settings.folder, engine == "cpu");
  std::vector<double> seconds;
  uint64_t instances = 0;
  for (uint32_t round = 0; round < settings.rounds; ++round) {
    double took = 0;
    instances = 0;
    do {
      took += Seconds(launches->launched.Launch());
      instances += launches->work.shape.lanes;
    } while (engine == "cpu" && took < settings.seconds);
    seconds.push_back(took / static_cast<double>(instances));
  }
  uint32_t failed = 0;
  const auto digests = Digests(launches->work, launches->launched.Records(), &failed);
  nlohmann::ordered_json result = {{"kernel", kernel.name},
                                   {"device", device->info().name},
                                   {"lanes", launches->work.shape.lanes},
                                   {"digests", digests}};
  result["rows"] = {{{"what", engine}, {"variant", "-"}, {"seconds_each", seconds}}};
  if (failed != 0) result["error"] = std::to_string(failed) + " instances did not return";
  return result;
}

}  // namespace wb::bench
