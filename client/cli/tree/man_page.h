#pragma once

// The manual page wasmburstctl(1), from the commands themselves.

#include <string>

namespace CLI {
class App;
}

namespace wb::cli {

// In man(7)'s language. Pure.
std::string ManPage(const CLI::App& app, const std::string& version);

}  // namespace wb::cli
