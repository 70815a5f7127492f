// Engines in process, without scheduler and daemon: the demo's module on one thread of the CPU
// device and on the interpreter, and how long a pipeline takes to load from the cache.

#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "bench/mandelbrot.h"
#include "bench/temporary_folder.h"
#include "compiler/base/check.h"
#include "compiler/compiler.h"
#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/job_plan.h"
#include "scheduler/pipeline_cache.h"
#include "scheduler/record.h"
#include "scheduler/seating.h"

namespace wb::bench {
namespace {

template <typename T>
T Take(Result<T> result) {
  WB_CHECK(result.ok());
  return std::move(result).value();
}

std::unique_ptr<Device> OneThread(Engine engine) {
  if (engine == Engine::kInterpreter) {
    return CreateInterpreterDevice({.threads = 1});
  }
  return Take(CreateCpuDevice({.threads = 1}));
}

// The module, lowered and compiled for a device.
struct Compiled {
  explicit Compiled(Device& device)
      : lowered(Take(Lower(MandelbrotModule()))),
        source(Take(EmitKernel(*lowered, device.info().options))),
        binary(Take(device.Build(*lowered, source))) {}

  std::shared_ptr<const LoweredModule> lowered;
  KernelSource source;
  Bytes binary;
};

// Every `step`-th row of the picture, from instantiation to the bytes in the record.
void BM_Rows(benchmark::State& state, Engine engine) {
  const auto step = static_cast<uint32_t>(state.range(0));
  std::unique_ptr<Device> device = OneThread(engine);
  const Compiled compiled(*device);
  const PipelineRef pipeline = Take(device->Load(compiled.lowered, compiled.binary));
  const JobPlan plan = Take(PlanJob(MandelbrotJob(step / 2, step), {}));
  const auto lanes = static_cast<uint32_t>(plan.spec.instances);
  const auto seating = ChooseSeating(plan, compiled.lowered->layout,
                                     {.lanes = lanes, .enough_lanes = lanes, .pages = 1},
                                     device->info().memory_bytes);
  WB_CHECK(seating.has_value());
  const DispatchShape shape = ShapeOf(plan, *seating);
  auto dispatch = Take(device->Allocate(pipeline, shape));
  FillShared(plan, *dispatch);

  uint64_t fuel = 0;
  for (auto _ : state) {
    for (uint32_t lane = 0; lane < lanes; ++lane) FillSeat(plan, lane, lane, *dispatch);
    const LaunchReport report =
        Take(device->Launch(*dispatch, {.max_duration = std::chrono::hours(1)}));
    WB_CHECK(report.lanes_left == 0);
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      const auto record =
          dispatch->records().subspan(size_t{lane} * shape.RecordWords(), shape.RecordWords());
      const auto result = DecodeRecord(plan, record);
      WB_CHECK(result.has_value() && result->end == End::kReturned);
      fuel += result->fuel;
    }
  }
  state.counters["instructions"] =
      benchmark::Counter(static_cast<double>(fuel), benchmark::Counter::kAvgIterations);
  state.counters["instructions_per_s"] =
      benchmark::Counter(static_cast<double>(fuel), benchmark::Counter::kIsRate);
}
// Milliseconds of a pass over 64 rows here and in mandelbrot_v8.mjs compare.
BENCHMARK_CAPTURE(BM_Rows, cpu, Engine::kCpu)
    ->ArgName("every")
    ->Arg(16)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_Rows, interpreter, Engine::kInterpreter)
    ->ArgName("every")
    ->Arg(256)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// From the cache's file, digest checked, to a pipeline that can be launched.
void BM_LoadCachedPipeline(benchmark::State& state) {
  std::unique_ptr<Device> device = OneThread(Engine::kCpu);
  const Compiled compiled(*device);
  const TemporaryFolder folder;
  const auto cache = Take(PipelineCache::Open({.directory = folder.path()}));
  const CacheLabel label{compiled.source.digest, compiled.source.digest, device->info().target};
  cache->Store(label, compiled.binary);
  for (auto _ : state) {
    const auto binary = cache->Load(label);
    WB_CHECK(binary.has_value());
    benchmark::DoNotOptimize(Take(device->Load(compiled.lowered, *binary)));
  }
  state.counters["binary_bytes"] = static_cast<double>(compiled.binary.size());
}
BENCHMARK(BM_LoadCachedPipeline)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace wb::bench
