#include "client/cli/tree/find_flag.h"

#include <CLI/CLI.hpp>

namespace wb::cli {

const CLI::Option* FindFlag(const CLI::App* command, const std::string& name) {
  for (; command != nullptr; command = command->get_parent()) {
    if (const CLI::Option* option = command->get_option_no_throw(name)) return option;
  }
  return nullptr;
}

}  // namespace wb::cli
