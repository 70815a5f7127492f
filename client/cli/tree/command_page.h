#pragma once

// Every command of wasmburstctl with its arguments and flags, as a page of the reference.

#include <string>

namespace CLI {
class App;
}

namespace wb::cli {

// In Markdown. Pure.
std::string CommandPage(const CLI::App& app);

}  // namespace wb::cli
