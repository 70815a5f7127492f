#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "bench/cuda/hand_kernels.h"
#include "bench/race/built_kernels.h"
#include "bench/race/race_rounds.h"
#include "bench/race/race_work.h"

namespace wb::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kPartOfMemory = 0.9;
constexpr uint32_t kGroup = abi::GROUP_LANES, kBlock = 128;      // lanes
constexpr auto kPowerSettles = std::chrono::milliseconds(1500);  // sensors average over a second
constexpr double kPowerSeconds = 3;

// One row of the result, launched again and again.
struct Runner {
  std::string what;
  std::string variant;
  std::function<double(std::vector<uint32_t>* digests)> launch;  // returns seconds on the device
  std::vector<double> seconds;
  std::optional<double> joules;  // of a launch
  bool queued = false;           // on fewer lanes than there are instances
  bool tiled = false;            // Occupancy::tiled
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
        device_(Must(CreateCudaDevice(CudaSettings()), "cuda device")),
        work_(WorkOf(kernel, settings.folder, LanesOf(kernel, settings, device_->info()))),
        built_(PipelineOf(kernel, settings, *device_, *work_.module)),
        module_(*device_, work_, built_),
        hand_(HandCodeOf(kernel, settings), work_.shape.lanes, kernel.scratch_words) {
    AddModule("full", {});
    if (device_->info().few_registers) AddModule("few registers", {.few_registers = true});
    if (device_->info().tiled) {
      AddModule("tiled", {.tiled = true});
      AddModule("tiled, few registers", {.few_registers = true, .tiled = true});
    }
    if (device_->info().hot) AddModule("hot", {.hot = true});
    AddFewer();
    for (const HandVariant& variant : kernel.variants) AddHand(variant);
  }

  nlohmann::ordered_json Run() {
    WarmUp();
    for (uint32_t round = 0; round < settings_.rounds; ++round) RunRound();
    if (settings_.joules) MeasurePower();
    return Result();
  }

 private:
  // The same instances, which wait for half as many lanes, or for as many as memory has room for.
  Work Queued() const {
    const auto room =
        static_cast<uint64_t>(kPartOfMemory * static_cast<double>(device_->info().memory_bytes));
    const uint64_t each = LaneBytes(work_);
    const uint64_t taken = (each + uint64_t{4} * kernel_.scratch_words) * work_.shape.lanes;
    const uint64_t lanes =
        std::min<uint64_t>(work_.shape.lanes / 2, (room - std::min(room, taken)) / each);
    Work work = work_;
    work.shape.seats = work.shape.lanes;
    work.shape.lanes = static_cast<uint32_t>(lanes / kGroup * kGroup);
    return work;
  }

  void AddModule(const std::string& variant, const Occupancy& occupancy, bool queued = false) {
    const auto launch = [this, occupancy, queued](std::vector<uint32_t>* digests) {
      DeviceWork& module = queued ? *queued_ : module_;
      const std::chrono::duration<double> busy = module.Launch(occupancy);
      *digests = Digests(work_, module.Records(), &failed_);
      return busy.count();
    };
    runners_.push_back({"gpu", variant, launch, {}, {}, queued, occupancy.tiled});
  }

  // What a daemon tries by itself (OccupancyTuner): halves of the lanes, down to a group of each
  // processor.
  void AddFewer() {
    const uint32_t processors = device_->info().processors;
    queued_work_ = Queued();
    if (queued_work_.shape.lanes == 0 || processors == 0) return;
    queued_.emplace(*device_, queued_work_, built_);
    for (const bool tiled : {false, true}) {
      if (tiled && !device_->info().tiled) continue;
      for (uint32_t each = 1024; each >= kGroup; each /= 2) {
        if (uint64_t{each} * processors > queued_work_.shape.lanes) continue;
        AddModule(
            std::to_string(each) + "_of_a_processor" + (tiled ? ", tiled" : ""),
            {.lanes = each * processors, .block_threads = std::min(each, kBlock), .tiled = tiled},
            true);
      }
    }
  }

  void AddHand(const HandVariant& variant) {
    const auto launch = [this, variant](std::vector<uint32_t>* digests) {
      return hand_.Run(variant.name.c_str(), digests, variant.block_threads) * 1e-3;
    };
    runners_.push_back({"cuda", variant.name, launch, {}, {}});
  }

  double Launch(Runner& runner) {
    std::vector<uint32_t> digests;
    const double seconds = runner.launch(&digests);
    if (digests_.empty()) digests_ = digests;
    if (digests != digests_ && different_.empty()) different_ = runner.variant;
    return seconds;
  }

  // Not counted. Of the numbers of fewer lanes the fastest stays, of both orders of words. A half
  // may take longer before a quarter takes less; after one that takes twice the least time no other
  // of its order is tried.
  void WarmUp() {
    std::vector<Runner> all = std::exchange(runners_, {});
    std::optional<Runner> fewer[2];
    double least = std::numeric_limits<double>::infinity();
    double least_fewer[2] = {least, least};
    bool hopeless[2] = {};
    for (Runner& runner : all) {
      if (runner.queued && hopeless[runner.tiled]) continue;
      const double seconds = Launch(runner);
      if (!runner.queued) {
        runners_.push_back(runner);
      } else if (seconds < least_fewer[runner.tiled]) {
        least_fewer[runner.tiled] = seconds;
        fewer[runner.tiled] = runner;
      }
      if (runner.what == "gpu") least = std::min(least, seconds);
      hopeless[runner.tiled] = runner.queued && seconds > 2 * least;
    }
    for (const std::optional<Runner>& one : fewer) {
      if (one) runners_.push_back(*one);
    }
  }

  void RunRound() {  // all in turns
    for (Runner& runner : runners_) runner.seconds.push_back(Launch(runner));
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
  const Bytes built_;
  DeviceWork module_;
  Work queued_work_;
  std::optional<DeviceWork> queued_;
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
