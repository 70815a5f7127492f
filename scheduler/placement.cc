#include "scheduler/placement.h"

namespace wb {

Result<PlacementChoice> ChoosePlacement(const PlacementFacts& facts) {
  if (facts.wanted == Placement::kInterpreter) {
    return PlacementChoice{Engine::kInterpreter, "The job asks for the interpreter."};
  }
  const bool insists = facts.wanted == Placement::kCpu;
  if (!facts.cpu_enabled) {
    const std::string reason = "The CPU device is switched off here.";
    if (insists) return Status(Reason::kNoDeviceFits, reason);
    return PlacementChoice{Engine::kInterpreter, reason};
  }
  if (!facts.refused.ok()) {
    if (insists) return facts.refused;
    return PlacementChoice{Engine::kInterpreter,
                           "The compiler refuses the module: " + facts.refused.message()};
  }
  if (!facts.avoids_cpu.empty()) {
    if (insists) return Status(Reason::kCompileFailed, facts.avoids_cpu);
    return PlacementChoice{Engine::kInterpreter, facts.avoids_cpu};
  }
  return PlacementChoice{Engine::kCpu, insists ? "The job asks for the CPU device."
                                               : "The module compiles for the CPU device."};
}

}  // namespace wb
