#include "bench/scheduling/launches.h"

#include <chrono>
#include <fstream>
#include <iterator>

#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seating.h"

namespace wb::bench {
namespace {

// One launch; returns the fuel of all instances.
uint64_t Pass(Device& device, const JobPlan& plan, Dispatch& dispatch) {
  const uint32_t lanes = dispatch.shape().lanes;
  const uint32_t words = dispatch.shape().RecordWords();
  for (uint32_t lane = 0; lane < lanes; ++lane) FillSeat(plan, lane, lane, dispatch);
  const LaunchReport report =
      Take(device.Launch(dispatch, {.max_duration = std::chrono::hours(1)}));
  WB_CHECK(report.seats_left == 0);
  uint64_t fuel = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const auto record = dispatch.records().subspan(size_t{lane} * words, words);
    const auto result = DecodeRecord(plan, record);
    WB_CHECK(result.has_value() && result->end == End::kReturned);
    fuel += result->fuel;
  }
  return fuel;
}

}  // namespace

std::shared_ptr<const Module> ModuleIn(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const Bytes wasm{std::istreambuf_iterator<char>(stream), {}};
  return Take(Module::Decode(wasm));
}

std::unique_ptr<Device> OneThread(Engine engine, Floats floats) {
  if (engine == Engine::kInterpreter) return CreateInterpreterDevice({.threads = 1});
  return Take(CreateCpuDevice({.threads = 1, .metal_floats = floats == Floats::kMetal}));
}

Compiled::Compiled(Device& device, const std::shared_ptr<const Module>& module)
    : lowered(Take(Lower(module))),
      source(Take(EmitKernel(*lowered, device.info().options))),
      binary(Take(device.Build(*lowered, source))) {}

void RunLaunches(benchmark::State& state, Engine engine, const JobSpec& job, Floats floats) {
  const std::unique_ptr<Device> device = OneThread(engine, floats);
  const auto lowered = Take(Lower(job.module));
  const auto emitted = EmitKernel(*lowered, device->info().options);
  if (!emitted.ok() && engine != Engine::kInterpreter) {
    state.SkipWithError(emitted.status().message().c_str());
    return;
  }
  const KernelSource source = emitted.ok() ? *emitted : KernelSource{};
  const Bytes binary = Take(device->Build(*lowered, source));
  const PipelineRef pipeline = Take(device->Load(lowered, binary));
  const JobPlan plan = Take(PlanJob(job, {}));
  WB_CHECK(!plan.kept.has_value());  // this dispatch has none of the device's inputs
  const auto lanes = static_cast<uint32_t>(job.instances);
  const auto seating =
      ChooseSeating(plan, lowered->layout, {.lanes = lanes, .enough_lanes = lanes, .pages = 1},
                    device->info().memory_bytes);
  WB_CHECK(seating.has_value());
  const auto dispatch = Take(device->Allocate(pipeline, ShapeOf(plan, *seating)));
  FillShared(plan, *dispatch);

  uint64_t fuel = 0;
  for (auto _ : state) fuel += Pass(*device, plan, *dispatch);
  state.counters["instructions"] =
      benchmark::Counter(static_cast<double>(fuel), benchmark::Counter::kAvgIterations);
  state.counters["instructions_per_s"] =
      benchmark::Counter(static_cast<double>(fuel), benchmark::Counter::kIsRate);
}

}  // namespace wb::bench
