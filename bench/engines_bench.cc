// Engines in process, without scheduler and daemon: the demo's module on one thread of the CPU
// device and on the interpreter, and how long a pipeline takes to load from the cache.

#include <benchmark/benchmark.h>

#include "bench/mandelbrot.h"
#include "bench/scheduling/launches.h"
#include "bench/temporary_folder.h"
#include "scheduler/pipelines/pipeline_cache.h"

namespace wb::bench {
namespace {

// Every `step`-th row of the picture, from instantiation to the bytes in the record.
void BM_Rows(benchmark::State& state, Engine engine) {
  const auto step = static_cast<uint32_t>(state.range(0));
  RunLaunches(state, engine, MandelbrotJob(step / 2, step));
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
  const Compiled compiled(*device, MandelbrotModule());
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
