#pragma once

// Runs one lane program on many lanes at once and insists that all lanes agree.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/lane_program.h"
#include "tests/spec/judge.h"

namespace wb::spec {

// Whole groups and one lane of the next: one group where a lane costs a processor, else two.
constexpr uint32_t LanesOn(Engine engine) {
  return (engine == Engine::kCuda ? 2 : 1) * abi::GROUP_LANES + 1;
}

// Runs the program on LanesOn(its engine) lanes of one pipeline. With `leave`, a second run gives
// lane i a slice of 1 + i fuel per launch, so that every safepoint is left and resumed by some
// lane, and its records must equal those of the first, word for word (results, traps, fuel, memory
// size). An empty program instantiates only. `output_bytes` is room for what read steps write.
// Errors: INTERNAL when lanes or runs disagree or a lane never ends; the device's own.
Result<Observed> RunLanes(Device& device, const std::shared_ptr<const LoweredModule>& module,
                          const PipelineRef& pipeline, const EncodedProgram& program, bool leave,
                          uint32_t output_bytes = 0);

// OK, or INTERNAL with the first word that differs: results, traps and their places, fuel, memory
// size and output must be the same on every engine.
Status CompareRecords(const std::string& who, std::span<const uint32_t> a,
                      std::span<const uint32_t> b);

// Fuel of lane 0 in the nth launch of a run that leaves: 1 at first, so that lanes leave at every
// safepoint; later it doubles again and again, so that long loops end.
uint64_t LeavingSlice(uint64_t launch);

// Record words -> what happened.
Observed DecodeRecord(std::span<const uint32_t> record, const EncodedProgram& program);

}  // namespace wb::spec
