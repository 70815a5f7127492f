#pragma once

// Engines in process, without scheduler and daemon: jobs as launches of one thread.

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <utility>

#include "compiler/base/check.h"
#include "compiler/compiler.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/job.h"

namespace wb::bench {

template <typename T>
T Take(Result<T> result) {
  WB_CHECK(result.ok());
  return std::move(result).value();
}

// The decoded module in `file`. Stops the process when it is missing.
std::shared_ptr<const Module> ModuleIn(const std::string& file);

// `floats`: metal on the cpu engine only.
std::unique_ptr<Device> OneThread(Engine engine, Floats floats = Floats::kNative);

// A module, lowered and compiled for a device.
struct Compiled {
  Compiled(Device& device, const std::shared_ptr<const Module>& module);

  std::shared_ptr<const LoweredModule> lowered;
  KernelSource source;
  Bytes binary;
};

// An iteration is one launch of all instances of the job, side by side, from instantiation to the
// decoded records; every one must return. Counters: instructions (of an iteration) and
// instructions_per_s. A module that the engine refuses is an error with its reason.
void RunLaunches(benchmark::State& state, Engine engine, const JobSpec& job,
                 Floats floats = Floats::kNative);

}  // namespace wb::bench
