#pragma once

// Test only: one exported function of a module on a group of lanes and one lane more, in process,
// and every word of what came out.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "scheduler/devices/device.h"

namespace wb::test {

// A whole group and one lane of the next.
inline constexpr uint32_t kLanes = 33;

// What lane `lane` of every run is called with: the bits of its (i32, i64, f32, f64).
std::vector<uint64_t> ArgumentsOf(uint32_t lane);

struct LaneRun {
  std::vector<uint32_t> records;
  uint32_t record_words = 0;
  uint32_t trap_at = 0;    // register words {trap, function, offset} of the call
  uint32_t output_at = 0;  // word of the record where memory's first KiB begins
  uint64_t launches = 0;

  const uint32_t* record(uint32_t lane) const { return &records[lane * record_words]; }
  const uint32_t* registers(uint32_t lane) const { return record(lane) + abi::RECORD_REGISTERS; }
};

// What a test does to a kernel text before it is compiled.
using TextChange = std::function<void(std::string& text)>;

struct BuildChoice {
  uint32_t copies = 0;  // of recursive functions, whatever their size (CompileOptions)
  Flattening flattening = Flattening::kWhereNeeded;
  TextChange change = {};
  Effort effort = Effort::kFull;  // a fifth of the time with kQuick, without the optimizer
};

// What a text leaves undefined shows where an optimizer has read it. Two layouts are compiled with
// one: contiguous memory, and hot bytes, whose text is that of interleaved memory and more.
constexpr Effort EffortOf(MemoryLayout layout) {
  return layout == MemoryLayout::kContiguous || layout == MemoryLayout::kHot ? Effort::kFull
                                                                             : Effort::kQuick;
}

// A module on one device, built and loaded.
class LanesUnderTest {
 public:
  static Result<LanesUnderTest> Build(std::unique_ptr<Device> device,
                                      std::shared_ptr<const LoweredModule> module,
                                      const BuildChoice& choice = {});

  // Calls the export on kLanes lanes: parameters are (i32, i64, f32, f64), different on each lane;
  // then its first KiB of memory is read. With a `slice`, lane i gets (1 + i) * slice fuel per
  // launch.
  Result<LaneRun> Run(const std::string& name, uint32_t slice, uint64_t max_fuel,
                      uint32_t max_stack = kMaxStackSlots);

 private:
  std::unique_ptr<Device> device_;
  std::shared_ptr<const LoweredModule> module_;
  PipelineRef pipeline_;
};

// The first word in which two runs differ, as a sentence with lane, word and both values; empty if
// there is none.
std::string Difference(const LaneRun& one, const LaneRun& other);

}  // namespace wb::test
