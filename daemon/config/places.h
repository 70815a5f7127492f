#pragma once

// Where the daemon finds its other programs and keeps its cache and its state.

#include <cstdint>
#include <string>

namespace wb {

enum class Companion : uint8_t { kEngineHost, kChecker };

// `configured` if it is not empty; else the program beside this one, in its installed place
// (libexec), or in its place in a build tree; else the program of its name. A name without a slash
// is searched in PATH.
std::string FindProgram(const std::string& configured, Companion program);

// `configured` if it is not empty; else $CACHE_DIRECTORY (systemd), $XDG_CACHE_HOME/wasmburst,
// ~/.cache/wasmburst.
std::string CacheDirectory(const std::string& configured);

// Likewise $STATE_DIRECTORY, $XDG_STATE_HOME/wasmburst, ~/.local/state/wasmburst. Empty: there is
// no home, and nothing is kept.
std::string StateDirectory(const std::string& configured);

}  // namespace wb
