#pragma once

#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace wb::cli {

// The option of this name ("--fuel", "-o"), of the command or of those above it; nullptr: there is
// none. Pure.
const CLI::Option* FindFlag(const CLI::App* command, const std::string& name);

}  // namespace wb::cli
