#pragma once

// Words on a command line that are not known, and the known ones nearest to them. Pure.

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace wb::cli {

// The first command or flag in `words` that `app` does not have, in a sentence with the nearest
// ones: "unknown command [rum] of [job]; did you mean [run]?". Nullopt: all are known.
std::optional<std::string> UnknownWord(const CLI::App& app, const std::vector<std::string>& words);

// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
size_t EditDistance(const std::string& one, const std::string& other);

}  // namespace wb::cli
