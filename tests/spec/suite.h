#pragma once

// One script end to end: prepared (decoded, planned, lowered, builds queued), then run on a device.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/lane_program.h"
#include "tests/spec/build_pool.h"
#include "tests/spec/judge.h"
#include "tests/spec/plan.h"
#include "tests/spec/wast_file.h"

namespace wb::spec {

// A program that an engine can be asked to run.
struct PreparedProgram {
  size_t plan = 0;                       // index into Plan::programs
  std::shared_ptr<const Module> module;  // of several instances: linked
  std::shared_ptr<const LoweredModule> lowered;
  BuildPool::Future binary;
};

struct PreparedScript {
  WastFile file;
  Plan plan;
  std::vector<PreparedProgram> programs;
};

// Without a device only the decoder checks can be decided; the others stay open.
class Suite {
 public:
  // Device and pool outlive the suite; both or neither. With `reference` (the interpreter), every
  // instance runs there too and the records must be the same, fuel and places of traps included.
  Suite(Device* device, BuildPool* pool, bool leave, Device* reference = nullptr,
        Flattening flattening = Flattening::kWhereNeeded, const CutSizes& cuts = {})
      : device_(device),
        pool_(pool),
        leave_(leave),
        reference_(reference),
        flattening_(flattening),
        cuts_(cuts) {}

  // Decoder checks are decided here, and every refusal.
  PreparedScript Prepare(WastFile file);

  // Decides the rest. Waits for builds.
  void Run(PreparedScript* script);

 private:
  Status PrepareProgram(const PreparedScript& script, PreparedProgram* program);
  Status RunProgram(const PreparedScript& script, const PreparedProgram& program,
                    std::vector<Outcome>* outcomes);
  Status CheckReference(const PreparedProgram& prepared, const EncodedProgram& program,
                        const Observed& observed);

  Device* device_;
  BuildPool* pool_;
  bool leave_;
  Device* reference_;
  Flattening flattening_;
  CutSizes cuts_;
};

}  // namespace wb::spec
