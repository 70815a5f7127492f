#pragma once

// One export of a module on many lanes, for programs that launch it by hand: cuda_probe,
// float_guests and race_kernels. Errors end the program with the reason.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/lane_program.h"

namespace wb {

template <typename T>
T Must(Result<T> result, const char* what) {
  if (result.ok()) return std::move(result).value();
  std::fprintf(stderr, "%s: %s\n", what, result.status().ToString().c_str());
  std::exit(1);
}

// start + step * lane.
struct Argument {
  ValueType type = ValueType::kI32;
  double start = 0;
  double step = 0;

  uint64_t At(uint32_t lane) const;
};
Argument ParseArgument(const std::string& text);  // "i32:5", "i64:0+1", "f64:-1.5+0.25"

struct Work {
  std::shared_ptr<const LoweredModule> module;
  EncodedProgram program;
  DispatchShape shape;
  std::vector<Argument> arguments;

  std::vector<uint32_t> Columns() const;
};
Work PrepareWork(const std::string& file, const std::string& function, uint32_t lanes,
                 std::vector<Argument> arguments);
Work PrepareWork(std::shared_ptr<const Module> module, const std::string& function, uint32_t lanes,
                 std::vector<Argument> arguments);

// Every seat to start anew.
void SeatAll(const Work& work, std::span<uint32_t> records);

// The i32 that each instance's call returned; those that did not return count in `failed`.
std::vector<uint32_t> Digests(const Work& work, std::span<const uint32_t> records,
                              uint32_t* failed);

// The best build of a text, or, where it has none, the full one.
Bytes BestBuild(Device& device, const LoweredModule& module, const KernelSource& source);

// The work built for a device, to be launched again and again until all lanes have ended.
class DeviceWork {
 public:
  // `built`: the best build, or the full one; empty: it is built now.
  DeviceWork(Device& device, const Work& work, Bytes built = {});
  // Launches from here on run this build. The first is the best one, or, where a text has none, the
  // full one, which is also what kFull means here. The device adopts pipelines.
  void Use(Effort effort);
  // From the start; how long the device was busy.
  std::chrono::nanoseconds Launch(const Occupancy& occupancy = {});
  std::vector<uint32_t> Records() const;

 private:
  const PipelineRef& PipelineOf(Effort effort);

  Device& device_;
  const Work& work_;
  Bytes built_;
  PipelineRef pipelines_[2];  // full, quick; null: not built yet
  std::unique_ptr<Dispatch> dispatch_;
};

// The cpu device, or where no compiler is at hand the interpreter.
std::unique_ptr<Device> ReferenceDevice();

}  // namespace wb
