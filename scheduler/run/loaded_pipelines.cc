#include "scheduler/run/loaded_pipelines.h"

#include <bit>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "compiler/emit/plan/hot_bytes.h"
#include "scheduler/base/quoted.h"
#include "scheduler/job/batch_key.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/pipelines/build_request.h"

namespace wb {
namespace {

constexpr uint64_t kMostPipelines = 64;

std::string WordsOf(const OccupancyChoice& choice, uint32_t processors) {
  const auto& [lanes, block_threads, few_registers, tiled, hot] = choice.occupancy;
  if (choice.occupancy == Occupancy()) return "all lanes, no other number is faster.";
  std::string words = lanes == 0 ? "all" : Quoted(uint64_t{lanes / processors});
  words += " lanes a processor";
  if (block_threads != 0) words += " in blocks of " + Quoted(uint64_t{block_threads});
  if (few_registers) words += " with few registers";
  if (tiled) words += " with memory in tiles";
  if (hot) words += " with hot bytes in shared memory";
  char gain[32];
  std::snprintf(gain, sizeof gain, "%.2f", choice.gain);
  return words + ", at least " + Quoted(gain) + " times as fast as all in the usual blocks.";
}

// From kBusy on, each time that it is twice as long.
bool HasDoubled(std::chrono::nanoseconds before, std::chrono::nanoseconds after) {
  const auto doublings = [](std::chrono::nanoseconds busy) {
    return std::bit_width(static_cast<uint64_t>(busy / LoadedPipelines::kBusy));
  };
  return doublings(after) > doublings(before);
}

OccupancyOwner OwnerOf(const DeviceJob& job, const DeviceInfo& info) {
  const JobSpec& spec = job.job()->plan.spec;
  const PreparedPipeline& prepared = job.state().prepared;
  return {BuildRequest::DiskKeyOf(prepared.key, prepared.effort()), prepared.is_best,
          spec.module->digest(), CallsOf(spec), info};
}

}  // namespace

LoadedPipelines::LoadedPipelines(const DeviceSettings& settings, const DeviceEvents& events,
                                 MemoryBudget& memory)
    : settings_(settings),
      events_(events),
      memory_(memory),
      pipelines_(kMostPipelines),
      controllers_(kMostPipelines),
      touched_(kMostPipelines),
      tuners_(kMostPipelines),
      batchers_(kMostPipelines) {}

Status LoadedPipelines::Load(DeviceJob& job, Device& device) {
  const PreparedPipeline& prepared = job.state().prepared;
  const std::pair key(prepared.key, prepared.effort());
  PipelineRef pipeline;
  if (const PipelineRef* loaded = pipelines_.Find(key)) {
    pipeline = *loaded;
  } else {
    WB_ASSIGN(pipeline, device.Load(prepared.module, *prepared.binary));
    pipelines_.Put(key, pipeline, 1);
    book_.RecordLoaded(prepared, pipeline->facts(), device.info().processors);
  }
  Use(job, std::move(pipeline), device.info());
  return {};
}

Status LoadedPipelines::Adopt(DeviceJob& job, Device& device, const PreparedPipeline& better) {
  PreparedPipeline before = std::exchange(job.state().prepared, better);
  Status loaded = Load(job, device);
  if (!loaded.ok()) {
    job.state().prepared = std::move(before);
    return loaded;
  }
  return job.AdoptPipeline(device);
}

void LoadedPipelines::Use(DeviceJob& job, PipelineRef pipeline, const DeviceInfo& info) {
  std::shared_ptr<Batcher> batcher = BatcherOf(job, pipeline, info);
  const PreparedPipeline& prepared = job.state().prepared;
  job.SetPipeline({std::move(pipeline), ControllerOf(prepared.key), TouchedBy(prepared, info),
                   TunerOf(job, info), std::move(batcher)},
                  info);
}

std::shared_ptr<SliceController> LoadedPipelines::ControllerOf(const Digest& pipeline) {
  if (const auto* known = controllers_.Find(pipeline)) return *known;
  BurstShape shape;
  shape.burst = shape.longest_slice = settings_.burst_max_duration;
  auto controller = std::make_shared<SliceController>(shape);
  controllers_.Put(pipeline, controller, 1);
  return controller;
}

// nullptr: lanes hold all of their memory.
std::shared_ptr<TouchedMemory> LoadedPipelines::TouchedBy(const PreparedPipeline& prepared,
                                                          const DeviceInfo& info) {
  const ir::Program& program = prepared.module->program;
  const WindowForm form = WindowFormOf(program, info.options);
  if (form == WindowForm::kNone) return nullptr;
  if (const auto* known = touched_.Find(prepared.key)) return *known;
  auto touched = std::make_shared<TouchedMemory>(program, form);
  touched_.Put(prepared.key, touched, 1);
  return touched;
}

// nullptr: launches fill all of the device.
std::shared_ptr<OccupancyTuner> LoadedPipelines::TunerOf(const DeviceJob& job,
                                                         const DeviceInfo& info) {
  if (!settings_.tunes_occupancy || info.processors == 0) return nullptr;
  const OccupancyOwner owner = OwnerOf(job, info);
  const std::tuple key(owner.pipeline, owner.is_best, owner.calls);
  if (const auto* known = tuners_.Find(key)) return *known;
  const PreparedPipeline& prepared = job.state().prepared;
  FurtherKernels kernels;
  if (!prepared.IsQuick()) {
    const bool hot = info.hot && owner.is_best && !HotBytesOf(prepared.module->program, {}).empty();
    kernels = {info.few_registers, info.tiled && owner.is_best, hot};
  }
  auto tuner = std::make_shared<OccupancyTuner>(info.processors, info.threads, kernels);
  if (events_.find_occupancy) {
    if (const auto found = events_.find_occupancy(owner)) {
      tuner->Adopt(*found);
      book_.RecordOccupancy(prepared, *found);
    }
  }
  tuners_.Put(key, tuner, 1);
  return tuner;
}

// nullptr: the job shares no launches.
std::shared_ptr<Batcher> LoadedPipelines::BatcherOf(const DeviceJob& job,
                                                    const PipelineRef& pipeline,
                                                    const DeviceInfo& info) {
  const PreparedPipeline& prepared = job.state().prepared;
  const JobPlan& plan = job.job()->plan;
  const bool has_own =
      plan.spec.host_calls != nullptr || plan.spec.residents != nullptr || plan.group > 1;
  if (!settings_.shares_launches || has_own) return nullptr;
  if (job.job()->Left().waiting >= Batcher::Filling(settings_, info)) return nullptr;
  const auto key = ShareKeyOf(plan, {prepared.key, prepared.effort(), prepared.fast32});
  if (!key) return nullptr;
  if (const std::weak_ptr<Batcher>* known = batchers_.Find(*key)) {
    if (std::shared_ptr<Batcher> batcher = known->lock()) return batcher;
  }
  auto batcher = std::make_shared<Batcher>(plan, pipeline, prepared.module->layout,
                                           ControllerOf(prepared.key), settings_, info, memory_);
  batchers_.Put(*key, batcher, 1);
  return batcher;
}

void LoadedPipelines::RecordOccupancy(DeviceJob& job, const DeviceInfo& info) {
  const std::optional<OccupancyChoice> choice = job.own().TakeOccupancy();
  if (!choice) return;
  book_.RecordOccupancy(job.state().prepared, choice->occupancy);
  const OccupancyOwner owner = OwnerOf(job, info);
  // Names of functions are the guest's, and not for the log.
  events_.log(Severity::kInfo, "residency: the module " + Quoted(owner.module.Hex()) +
                                   ", called as in job " + Quoted(job.job()->id) +
                                   ", on the device " + Quoted(job.state().device) + ": " +
                                   WordsOf(*choice, owner.device.processors));
  if (events_.remember_occupancy) events_.remember_occupancy(owner, choice->occupancy);
}

void LoadedPipelines::RecordLaunch(const DeviceJob& job, const PipelineBook::Launch& launch) {
  const PreparedPipeline& prepared = job.state().prepared;
  const std::chrono::nanoseconds busy = book_.RecordLaunch(prepared, launch);
  const bool is_full = prepared.build == KernelBuild::kFull && !prepared.is_best;
  if (!is_full || !events_.kept_busy || !HasDoubled(busy - launch.busy, busy)) return;
  events_.kept_busy(job.job(), job.state().device, busy);
}

}  // namespace wb
