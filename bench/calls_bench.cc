// Recursion and comparators through function pointers (calls.c) on one thread, next to
// calls_v8.mjs.

#include <benchmark/benchmark.h>

#include "bench/scheduling/launches.h"

namespace wb::bench {
namespace {

// `function` of a number: the instance's own plus `first`, or `first` for all.
JobSpec CallJob(const char* function, uint32_t first, uint32_t step, uint64_t instances) {
  JobSpec spec;
  spec.module = ModuleIn(WB_BENCH_CALLS);
  const Operand number{.source = Operand::Source::kColumn, .value = Value::I32(0), .column = 0};
  spec.steps = {CallStep{.function = function, .args = {number}}};
  Column numbers{.kind = Column::Kind::kRange};
  numbers.start = Value::I32(first);
  numbers.step = Value::I32(step);
  spec.columns = {std::move(numbers)};
  spec.instances = instances;
  return spec;
}

// Milliseconds here and in calls_v8.mjs compare: the same calls, as many.
void BM_Fib(benchmark::State& state, Engine engine) {
  RunLaunches(state, engine, CallJob("fib", 26, 0, static_cast<uint64_t>(state.range(0))));
}
void BM_Sort(benchmark::State& state, Engine engine) {
  RunLaunches(state, engine, CallJob("sort", 0, 1, static_cast<uint64_t>(state.range(0))));
}

BENCHMARK_CAPTURE(BM_Fib, cpu, Engine::kCpu)
    ->ArgName("instances")
    ->Arg(64)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_Fib, interpreter, Engine::kInterpreter)
    ->ArgName("instances")
    ->Arg(4)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_Sort, cpu, Engine::kCpu)
    ->ArgName("instances")
    ->Arg(64)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_Sort, interpreter, Engine::kInterpreter)
    ->ArgName("instances")
    ->Arg(4)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace wb::bench
