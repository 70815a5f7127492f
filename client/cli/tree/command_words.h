#pragma once

// What documents say of a command and its options, whatever their form. Pure.

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace wb::cli {

// A line of a description that begins so is a command line to be shown as it is typed.
inline constexpr const char* kExample = "Example: ";

std::string FullCommand(const CLI::App& app);  // "wasmburstctl job run"

// Arguments of the command, in their order.
std::vector<const CLI::Option*> ArgumentsOf(const CLI::App& app);
// Its flags. Each command has --help, which only the root shows.
std::vector<const CLI::Option*> FlagsOf(const CLI::App& app);
// The names of a flag, as they are typed: "-o", "--output".
std::vector<std::string> NamesOf(const CLI::Option& flag);
// What stands behind the names: "FILE", "{table,json}"; empty for a flag without a value.
std::string ValueOf(const CLI::Option& flag);
// What it does, with its default, whether it is needed, and the variable that sets it.
std::string MeaningOf(const CLI::Option& option);

// Commands that can be run, and those that only have others; without hidden ones.
std::vector<const CLI::App*> ShownCommandsOf(const CLI::App& app);

}  // namespace wb::cli
