#pragma once

// Programs that devices start and that are built with this one.

#include <optional>
#include <string>

namespace wb {

// Where it lies: beside the program that runs; else where a build tree has it, seen from the engine
// host and from tests. nullopt: in none of these. `looked` gets every place, if it is not null.
std::optional<std::string> OwnProgram(const std::string& name, std::string* looked = nullptr);

}  // namespace wb
