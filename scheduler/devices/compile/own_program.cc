#include "scheduler/devices/compile/own_program.h"

#include <unistd.h>

#include "compiler/base/own_folder.h"

namespace wb {

std::optional<std::string> OwnProgram(const std::string& name, std::string* looked) {
  for (const char* folder : {".", "../scheduler/engine_host", "../../scheduler/engine_host",
                             "../../../scheduler/engine_host"}) {
    std::string place = (OwnFolder() / folder / name).lexically_normal().string();
    if (access(place.c_str(), X_OK) == 0) return place;
    if (looked != nullptr) *looked += (looked->empty() ? "[" : ", [") + place + "]";
  }
  return std::nullopt;
}

}  // namespace wb
