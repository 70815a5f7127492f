// wasmburstctl config: the daemon's settings. Only dump calls a daemon; the others ask the program
// wasmburstd that lies beside this one, whose parser is the only one there is.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "client/cli/commands/commands.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/program/child.h"
#include "client/services/server.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr int kNotValid = 2;

// What it says comes as one text, whichever way it says it.
Result<ChildEnd> RunDaemonProgram(const std::vector<std::string>& arguments) {
  WB_ASSIGN(const std::string program, FindCompanion("wasmburstd", "daemon"));
  std::vector<std::string> command = {"/bin/sh", "-c", "exec \"$0\" \"$@\" 2>&1", program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return RunToEnd(command, "");
}

Result<int> PrintDefault(Invocation&) {
  WB_ASSIGN(const ChildEnd end, RunDaemonProgram({"--print-default-config"}));
  Print(end.output);
  return end.exit_code;
}

Result<int> Validate(Invocation& invocation, const std::string& file) {
  WB_ASSIGN(const ChildEnd end, RunDaemonProgram({"--config", file, "--check-config"}));
  const bool is_valid = end.exit_code == 0;
  constexpr std::string_view kSpeaker = "wasmburstd: ";
  std::string said = end.output.substr(end.output.starts_with(kSpeaker) ? kSpeaker.size() : 0);
  while (said.ends_with('\n')) said.pop_back();
  if (invocation.json()) {
    nlohmann::ordered_json json = {{"file", file}, {"valid", is_valid}};
    if (!is_valid) json["problem"] = said;
    constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;
    PrintLine(json.dump(invocation.format() == Format::kJson ? 1 : -1, ' ', false, kReplace));
  } else if (is_valid) {
    invocation.Talk(said);
  } else {
    PrintLine(said);
  }
  return is_valid ? 0 : kNotValid;
}

std::vector<std::string> RowOf(const v1::ServerSetting& setting) {
  std::string origin = setting.origin();
  if (!setting.after_restart().empty()) {
    origin += ", after a restart " + setting.after_restart();
  }
  return {setting.name(), setting.value(), origin};
}

Result<int> Dump(Invocation& invocation, bool changed) {
  WB_ASSIGN(v1::ServerConfig config, GetServerConfig(invocation.client()));
  if (changed) {
    auto* settings = config.mutable_settings();
    settings->erase(std::remove_if(settings->begin(), settings->end(),
                                   [](const v1::ServerSetting& setting) {
                                     return setting.origin() == "default" &&
                                            setting.after_restart().empty();
                                   }),
                    settings->end());
  }
  if (invocation.format() == Format::kJson) invocation.PrintMessage(config);
  std::vector<std::vector<std::string>> rows = {{"SETTING", "VALUE", "FROM"}};
  for (const v1::ServerSetting& setting : config.settings()) {
    if (invocation.format() == Format::kJsonl) invocation.PrintMessage(setting);
    rows.push_back(RowOf(setting));
  }
  if (invocation.json()) return 0;
  Print(Table(rows));
  invocation.Talk(config.file().empty() ? "The daemon was started without a file."
                                        : "The file is " + config.file() + ".");
  return 0;
}

}  // namespace

void AddConfigCommands(CLI::App* app, Command* chosen) {
  CLI::App* config = app->add_subcommand("config", "The daemon's settings.");
  config->require_subcommand(1);
  config
      ->add_subcommand("default",
                       "Print a configuration file with every setting at its default.\n"
                       "Example: wasmburstctl config default >wasmburstd.toml")
      ->callback([chosen] {
        chosen->calls_daemon = false;
        chosen->run = PrintDefault;
      });
  auto file = std::make_shared<std::string>();
  CLI::App* validate = config->add_subcommand(
      "validate",
      "Check a configuration file as the daemon would; exit code 2 where it is wrong.\n"
      "Example: wasmburstctl config validate wasmburstd.toml");
  validate->add_option("file", *file, "TOML")->type_name("FILE")->required();
  validate->callback([chosen, file] {
    chosen->calls_daemon = false;
    chosen->run = [file](Invocation& invocation) { return Validate(invocation, *file); };
  });
  auto changed = std::make_shared<bool>(false);
  CLI::App* dump = config->add_subcommand(
      "dump",
      "Show the settings of the running daemon and where each comes from: default, file, flag or "
      "reloaded. Needs the role operator.\n"
      "Example: wasmburstctl config dump --changed");
  dump->add_flag("--changed", *changed, "only those that are not at their default");
  dump->callback([chosen, changed] {
    chosen->run = [changed](Invocation& invocation) { return Dump(invocation, *changed); };
  });
}

}  // namespace wb::cli
