#include "scheduler/dispatch/engine_choice.h"

namespace wb {

Engine CompiledEngine(Placement wanted) {
  return wanted == Placement::kGpu ? Engine::kCuda : Engine::kCpu;
}

Result<PlacementChoice> ChoosePlacement(const PlacementFacts& facts) {
  if (facts.wanted == Placement::kInterpreter) {
    return PlacementChoice{Engine::kInterpreter, "The job asks for the interpreter."};
  }
  const bool open = facts.wanted == Placement::kAuto;
  const Engine engine = open ? facts.compiled : CompiledEngine(facts.wanted);
  const std::string device = engine == Engine::kCuda ? "GPU" : "CPU device";
  const bool insists = !open;
  if (!facts.enabled) {
    const std::string reason = engine == Engine::kCuda
                                   ? "There is no GPU here; the daemon's log says what is missing."
                                   : "The CPU device is switched off here.";
    if (insists) return Status(Reason::kNoDeviceFits, reason);
    return PlacementChoice{Engine::kInterpreter, reason};
  }
  if (!facts.refused.ok()) {
    if (insists) return facts.refused;
    return PlacementChoice{Engine::kInterpreter,
                           "The compiler refuses the module: " + facts.refused.message()};
  }
  if (!facts.avoids.empty()) {
    if (insists) return Status(Reason::kCompileFailed, facts.avoids);
    return PlacementChoice{Engine::kInterpreter, facts.avoids};
  }
  return PlacementChoice{engine, insists ? "The job asks for the " + device + "."
                                         : "The module compiles for the " + device + "."};
}

}  // namespace wb
