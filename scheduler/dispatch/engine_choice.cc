#include "scheduler/dispatch/engine_choice.h"

namespace wb {

DeviceClass CompiledClass(Placement wanted) {
  return wanted == Placement::kGpu ? DeviceClass::kGpu : DeviceClass::kCpu;
}

Result<PlacementChoice> ChoosePlacement(const PlacementFacts& facts) {
  if (facts.wanted == Placement::kInterpreter) {
    return PlacementChoice{DeviceClass::kInterpreter, "The job asks for the interpreter."};
  }
  const bool open = facts.wanted == Placement::kAuto;
  const DeviceClass chosen = open ? facts.compiled : CompiledClass(facts.wanted);
  const std::string device = chosen == DeviceClass::kGpu ? "GPU" : "CPU device";
  const bool insists = !open;
  if (!facts.enabled) {
    const std::string reason = chosen == DeviceClass::kGpu
                                   ? "There is no GPU here; the daemon's log says what is missing."
                                   : "The CPU device is switched off here.";
    if (insists) return Status(Reason::kNoDeviceFits, reason);
    return PlacementChoice{DeviceClass::kInterpreter, reason};
  }
  if (!facts.refused.ok()) {
    if (insists) return facts.refused;
    return PlacementChoice{DeviceClass::kInterpreter,
                           "The compiler refuses the module: " + facts.refused.message()};
  }
  if (!facts.avoids.empty()) {
    if (insists) return Status(Reason::kCompileFailed, facts.avoids);
    return PlacementChoice{DeviceClass::kInterpreter, facts.avoids};
  }
  return PlacementChoice{chosen, insists ? "The job asks for the " + device + "."
                                         : "The module compiles for the " + device + "."};
}

}  // namespace wb
