#pragma once

#include <filesystem>

namespace wb {

// The folder of the program that runs, where the programs it starts lie too. Empty: unknown.
std::filesystem::path OwnFolder();

}  // namespace wb
