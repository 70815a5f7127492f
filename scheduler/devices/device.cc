#include "scheduler/devices/device.h"

namespace wb {

std::string_view EngineName(Engine engine) {
  switch (engine) {
    case Engine::kCpu: return "cpu";
    case Engine::kInterpreter: return "interpreter";
    case Engine::kCuda: return "cuda";
    case Engine::kMetal: return "metal";
  }
  return "unknown";
}

std::string KindOf(const DeviceInfo& info) {
  return std::string(EngineName(info.engine)) + " " + info.name + ", " + info.target + ", " +
         std::to_string(info.threads);
}

}  // namespace wb
