#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <optional>
#include <thread>

#include "bench/cuda/hand_kernels.h"
#include "bench/race/race_rounds.h"
#include "bench/race/race_work.h"
#include "scheduler/devices/cuda/cuda_device.h"

namespace wb::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kPartOfMemory = 0.9;
constexpr auto kPowerSettles = std::chrono::milliseconds(1500);  // sensors average over a second
constexpr double kPowerSeconds = 3;

// One row of the result, launched again and again.
struct Runner {
  std::string what;
  std::string variant;
  std::function<double(std::vector<uint32_t>* digests)> launch;  // returns seconds on the device
  std::vector<double> seconds;
  std::optional<double> joules;  // of a launch
};

double Median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return all.empty() ? 0 : all[all.size() / 2];
}

uint64_t LaneBytes(const Work& work) {
  return uint64_t{4} *
         work.module->layout.LaneWords(work.shape.Reserve(), work.shape.StackReserve());
}

// As many as the list and the GPU's threads allow, the memory of the hand-written kernels beside.
uint32_t LanesOf(const RaceKernel& kernel, const RaceSettings& settings, const DeviceInfo& info) {
  const uint64_t bytes =
      LaneBytes(WorkOf(kernel, settings.folder, 1)) + uint64_t{4} * kernel.scratch_words;
  uint64_t lanes = info.threads;
  if (kernel.lanes != 0) lanes = std::min<uint64_t>(lanes, kernel.lanes);
  if (settings.lanes != 0) lanes = std::min<uint64_t>(lanes, settings.lanes);
  const double memory = kPartOfMemory * static_cast<double>(info.memory_bytes);
  lanes = std::min(lanes, static_cast<uint64_t>(memory / static_cast<double>(bytes)));
  return static_cast<uint32_t>(std::max<uint64_t>(lanes / 32 * 32, 32));
}

float Watts(Device& device) { return device.Sample().watts.value_or(0); }

// What a launch takes above an idle GPU's power, and an idle one's for as long as it lasts.
void MeasureJoules(Device& device, float idle_watts, Runner* runner) {
  std::vector<uint32_t> digests;
  double busy = 0, watts = 0;
  int launches = 0, samples = 0;
  const auto begin = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  while (passed() < kPowerSeconds || samples == 0) {
    busy += runner->launch(&digests);
    ++launches;
    if (passed() < kPowerSeconds / 2) continue;
    watts += Watts(device);
    ++samples;
  }
  const double wall = passed();
  const double joules = watts / samples * wall - idle_watts * std::max(0.0, wall - busy);
  if (idle_watts > 0) runner->joules = joules / launches;
}

class GpuRace {
 public:
  GpuRace(const RaceKernel& kernel, const RaceSettings& settings)
      : kernel_(kernel),
        settings_(settings),
        device_(Must(CreateCudaDevice({}), "cuda device")),
        work_(WorkOf(kernel, settings.folder, LanesOf(kernel, settings, device_->info()))),
        module_(*device_, work_),
        hand_(FileContents(settings.folder + "/" + kernel.text), work_.shape.lanes,
              kernel.scratch_words, settings.folder) {
    AddModule("full", {});
    if (device_->info().few_registers) AddModule("few registers", {.few_registers = true});
    for (const HandVariant& variant : kernel.variants) AddHand(variant);
  }

  nlohmann::ordered_json Run() {
    for (uint32_t round = 0; round <= settings_.rounds; ++round) RunRound(round > 0);
    if (settings_.joules) MeasurePower();
    return Result();
  }

 private:
  void AddModule(const char* variant, const Occupancy& occupancy) {
    const auto launch = [this, occupancy](std::vector<uint32_t>* digests) {
      const std::chrono::duration<double> busy = module_.Launch(occupancy);
      *digests = Digests(work_, module_.Records(), &failed_);
      return busy.count();
    };
    runners_.push_back({"gpu", variant, launch, {}, {}});
  }

  void AddHand(const HandVariant& variant) {
    const auto launch = [this, variant](std::vector<uint32_t>* digests) {
      return hand_.Run(variant.name.c_str(), digests, variant.block_threads) * 1e-3;
    };
    runners_.push_back({"cuda", variant.name, launch, {}, {}});
  }

  // All in turns; the first round warms up and does not count.
  void RunRound(bool counts) {
    for (Runner& runner : runners_) {
      std::vector<uint32_t> digests;
      const double seconds = runner.launch(&digests);
      if (counts) runner.seconds.push_back(seconds);
      if (digests_.empty()) digests_ = digests;
      if (digests != digests_ && different_.empty()) different_ = runner.variant;
    }
  }

  void MeasurePower() {
    std::this_thread::sleep_for(kPowerSettles);
    const float idle = Watts(*device_);
    for (const char* what : {"gpu", "cuda"}) {
      Runner* best = nullptr;
      for (Runner& runner : runners_) {
        const bool better = best == nullptr || Median(runner.seconds) < Median(best->seconds);
        if (runner.what == what && better) best = &runner;
      }
      if (best != nullptr) MeasureJoules(*device_, idle, best);
    }
  }

  nlohmann::ordered_json Result() {
    const DeviceInfo& info = device_->info();
    nlohmann::ordered_json result = {{"kernel", kernel_.name},
                                     {"device", info.name},
                                     {"lanes", work_.shape.lanes},
                                     {"lane_bytes", LaneBytes(work_)},
                                     {"lanes_in_memory", info.memory_bytes / LaneBytes(work_)}};
    for (const Runner& runner : runners_) result["rows"].push_back(Row(runner));
    result["digests"] = digests_;
    if (failed_ != 0) result["error"] = std::to_string(failed_) + " instances did not return";
    if (!different_.empty()) result["error"] = "digests of [" + different_ + "] are different";
    return result;
  }

  nlohmann::ordered_json Row(const Runner& runner) {
    const double lanes = work_.shape.lanes;
    std::vector<double> each;
    for (const double seconds : runner.seconds) each.push_back(seconds / lanes);
    nlohmann::ordered_json row = {
        {"what", runner.what}, {"variant", runner.variant}, {"seconds_each", each}};
    if (runner.joules) row["joules_each"] = *runner.joules / lanes;
    if (runner.what == "cuda") row["resources"] = hand_.Resources(runner.variant.c_str());
    return row;
  }

  const RaceKernel& kernel_;
  const RaceSettings& settings_;
  std::unique_ptr<Device> device_;
  Work work_;
  DeviceWork module_;
  HandKernels hand_;
  std::vector<Runner> runners_;
  std::vector<uint32_t> digests_;  // of the first launch of all
  uint32_t failed_ = 0;
  std::string different_;  // the first variant whose digests are others
};

}  // namespace

nlohmann::ordered_json RaceOnGpu(const RaceKernel& kernel, const RaceSettings& settings) {
  return GpuRace(kernel, settings).Run();
}

}  // namespace wb::bench
