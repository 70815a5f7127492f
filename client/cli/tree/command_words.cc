#include "client/cli/tree/command_words.h"

#include <CLI/CLI.hpp>

namespace wb::cli {

std::string FullCommand(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? "wasmburstctl" : FullCommand(*parent) + " " + app.get_name();
}

std::vector<const CLI::Option*> ArgumentsOf(const CLI::App& app) {
  std::vector<const CLI::Option*> arguments;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) arguments.push_back(option);
  }
  return arguments;
}

std::vector<const CLI::Option*> FlagsOf(const CLI::App& app) {
  std::vector<const CLI::Option*> flags;
  for (const CLI::Option* option : app.get_options()) {
    const bool is_again = app.get_parent() != nullptr && option == app.get_help_ptr();
    const bool is_hidden = option->get_group().empty() || option->get_positional();
    if (!is_again && !is_hidden) flags.push_back(option);
  }
  return flags;
}

std::vector<std::string> NamesOf(const CLI::Option& flag) {
  std::vector<std::string> names;
  for (const std::string& name : flag.get_snames()) names.push_back("-" + name);
  for (const std::string& name : flag.get_lnames()) names.push_back("--" + name);
  return names;
}

std::string ValueOf(const CLI::Option& flag) {
  return flag.get_expected_min() > 0 ? flag.get_type_name() : "";
}

std::string MeaningOf(const CLI::Option& option) {
  std::string text = option.get_description();
  const std::string usual = option.get_default_str();
  if (!usual.empty()) text += (text.empty() ? "default: " : "; default: ") + usual;
  if (option.get_required()) text += text.empty() ? "required" : " (required)";
  const std::string variable = option.get_envname();
  if (!variable.empty()) text += " (Env:" + variable + ")";
  return text;
}

std::vector<const CLI::App*> ShownCommandsOf(const CLI::App& app) {
  std::vector<const CLI::App*> commands;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!one->get_group().empty()) commands.push_back(one);
  }
  return commands;
}

}  // namespace wb::cli
