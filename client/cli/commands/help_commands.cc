// wasmburstctl version, completion.

#include <CLI/CLI.hpp>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "client/cli/commands/commands.h"
#include "client/cli/commands/version.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/tree/command_page.h"
#include "client/cli/tree/completion.h"
#include "client/cli/tree/man_page.h"
#include "client/services/server.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

// Asks once: a daemon that is not there is an answer too.
std::optional<v1::ServerInfo> InfoOf(const GlobalFlags& flags) {
  ClientOptions once = flags.client;
  once.attempts = 1;
  Result<std::unique_ptr<Client>> client = Client::Connect(flags.address, once);
  if (!client.ok()) return std::nullopt;
  Result<v1::ServerInfo> info = GetServerInfo(**client);
  return info.ok() ? std::optional<v1::ServerInfo>(std::move(*info)) : std::nullopt;
}

Result<int> ShowVersion(Invocation& invocation) {
  const std::string& address = invocation.flags().address;
  const std::optional<v1::ServerInfo> info = InfoOf(invocation.flags());
  if (invocation.json()) {
    nlohmann::ordered_json json = {{"wasmburstctl", kVersion}, {"address", address}};
    if (info) json["wasmburstd"] = info->version();
    if (info) json["compiler"] = info->compiler_version();
    PrintLine(json.dump());
    return 0;
  }
  PrintLine(std::string("wasmburstctl ") + kVersion);
  PrintLine(info ? "wasmburstd " + info->version() + ", compiler " + info->compiler_version() +
                       ", at " + address
                 : "no wasmburstd answers at " + address);
  return 0;
}

// The build and the installation ask for documents so; nobody types that.
std::string PrintedFor(const CLI::App& app, const std::string& form) {
  if (form == "man") return ManPage(app, kVersion);
  if (form == "markdown") return CommandPage(app);
  return CompletionScript(form);
}

}  // namespace

void AddHelpCommands(CLI::App* app, Command* chosen) {
  app->add_subcommand("version",
                      "Show the versions of this program and of the daemon, where one answers.\n"
                      "Example: wasmburstctl version")
      ->callback([chosen] { chosen->run = ShowVersion; });
  auto shell = std::make_shared<std::string>();
  CLI::App* completion =
      app->add_subcommand("completion",
                          "Print the script that completes command lines in a shell.\n"
                          "Example: source <(wasmburstctl completion bash)");
  completion->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish", "man", "markdown"}).description(""))
      ->type_name("{bash,zsh,fish}");
  completion->callback([app, chosen, shell] {
    chosen->calls_daemon = false;
    chosen->run = [app, shell](Invocation&) -> Result<int> {
      Print(PrintedFor(*app, *shell));
      return 0;
    };
  });
}

}  // namespace wb::cli
