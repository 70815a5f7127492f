#pragma once

// The engines under test, in process, one thread each; and what they did with a plan.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/devices/device.h"
#include "tests/fuzz/batch.h"
#include "tests/fuzz/calls.h"
#include "tests/spec/engines.h"

namespace wb::fuzz {

struct EngineSetup {
  std::string name;  // "cpu-metal"
  spec::EngineChoice choice;
  bool flattens = false;  // as the batch's variant says
  // Negative control: this operator of every module is compiled as that one.
  std::optional<std::pair<Opcode, Opcode>> broken;
};

// By name: "cpu", "cpu-interleaved" (flattened, too, and with a part of memory 0 first),
// "cpu-tiled", "cpu-hot", "cpu-metal", "cpu-chunks", "cuda", "cuda-windows", "cuda-metal",
// "interpreter". Null for others.
std::optional<EngineSetup> SetupNamed(std::string_view name);

// All words that lanes wrote, lane by lane.
struct Records {
  std::vector<uint32_t> words;
  uint32_t words_per_lane = 0;
  std::span<const uint32_t> lane(uint32_t index) const {
    return std::span(words).subspan(size_t{index} * words_per_lane, words_per_lane);
  }
};

// One thread at a time.
class EngineUnderTest {
 public:
  static Result<EngineUnderTest> Open(const EngineSetup& setup);
  const EngineSetup& setup() const { return setup_; }
  Effort effort() const { return effort_; }  // of the last Build

  // Lowers, prints, builds and loads the batch; the rest is then for its subjects.
  Status Build(const Batch& batch, Effort effort);
  // Lanes for the plan, which none has run in.
  Status Seat(const Plan& plan, const Subject& subject);
  // Every instance of the plan from its start to its end, in one go or leaving at its safepoints.
  // Another Run is in the same lanes, which must show nothing of the one before.
  Result<Records> Run(bool leave);

 private:
  Status Launch(Dispatch& dispatch, bool leave);
  Status RunMissed(bool leave);

  EngineSetup setup_;
  Effort effort_ = Effort::kFull;
  std::unique_ptr<Device> device_;
  std::shared_ptr<const LoweredModule> lowered_;
  PipelineRef pipeline_;
  std::unique_ptr<Dispatch> dispatch_;
  std::unique_ptr<Dispatch> whole_;  // where lanes of dispatch_ hold a part of memory
};

}  // namespace wb::fuzz
