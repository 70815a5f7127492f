// wasmburstctl context: daemons by name. None of these calls a daemon.

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "client/cli/commands/commands.h"
#include "client/cli/identity/contexts.h"
#include "client/cli/output/standard_output.h"
#include "client/client_address.h"

namespace wb::cli {
namespace {

// For whoever stands in another folder when it is used.
std::string WholePath(const std::string& path) {
  if (path.empty()) return path;
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  return error ? path : whole.lexically_normal().string();
}

Status CheckNoContext(const Invocation& invocation) {
  if (invocation.flags().given.context.empty()) return {};
  return Status(Reason::kInvalidArgument,
                "--context names the context of a call to a daemon; these commands take the name "
                "as an argument.");
}

Result<int> AddContext(Invocation& invocation, const std::string& name) {
  WB_TRY(CheckNoContext(invocation));
  const ConnectionFlags& given = invocation.flags().given;
  if (given.address.empty()) {
    return Status(Reason::kInvalidArgument,
                  "A context needs the daemon's address: --addr tls://host:port.",
                  {{"field", "addr"}});
  }
  WB_TRY(ParseClientAddress(given.address).status());
  const std::string path = ReadConnectionEnvironment().contexts_file;
  WB_ASSIGN(Contexts contexts, ReadContexts(path));
  const bool was_known = contexts.Find(name) != nullptr;
  Context context{name, given.address};
  context.token_file = WholePath(given.token_file);
  context.ca_file = WholePath(given.ca_file);
  context.certificate_file = WholePath(given.certificate_file);
  context.key_file = WholePath(given.key_file);
  context.server_name = given.server_name;
  WB_TRY(contexts.Put(context));
  WB_TRY(WriteContexts(path, contexts));
  invocation.Talk("The context [" + name + "] is " + (was_known ? "replaced" : "added") + " in " +
                  path + ".");
  if (contexts.current != name) {
    invocation.Talk("Use it once: wasmburstctl --context " + name +
                    " whoami; or from now on: wasmburstctl context use " + name);
  }
  return 0;
}

Result<int> UseContext(Invocation& invocation, const std::string& name) {
  WB_TRY(CheckNoContext(invocation));
  const ConnectionEnvironment environment = ReadConnectionEnvironment();
  WB_ASSIGN(Contexts contexts, ReadContexts(environment.contexts_file));
  WB_ASSIGN(const Context context, contexts.Get(name));
  contexts.current = name;
  WB_TRY(WriteContexts(environment.contexts_file, contexts));
  invocation.Talk("Commands now go to [" + context.address + "].");
  if (!environment.address.empty()) {
    invocation.Talk("But not in this shell: WASMBURST_ADDR [" + environment.address +
                    "] goes before a context; unset it.");
  }
  return 0;
}

Result<int> RemoveContext(Invocation& invocation, const std::string& name) {
  WB_TRY(CheckNoContext(invocation));
  const std::string path = ReadConnectionEnvironment().contexts_file;
  WB_ASSIGN(Contexts contexts, ReadContexts(path));
  const bool was_current = contexts.current == name;
  WB_TRY(contexts.Remove(name));
  WB_TRY(WriteContexts(path, contexts));
  invocation.Talk("The context [" + name + "] is removed; its files are left." +
                  (was_current ? " No context is in use now." : ""));
  return 0;
}

nlohmann::ordered_json ContextJson(const Context& context, bool is_current) {
  nlohmann::ordered_json json = {
      {"name", context.name}, {"current", is_current}, {"addr", context.address}};
  const std::pair<const char*, const std::string&> rest[] = {{"token_file", context.token_file},
                                                             {"ca", context.ca_file},
                                                             {"cert", context.certificate_file},
                                                             {"key", context.key_file},
                                                             {"server_name", context.server_name}};
  for (const auto& [key, value] : rest) {
    if (!value.empty()) json[key] = value;
  }
  return json;
}

std::string OrDash(const std::string& text) { return text.empty() ? "-" : text; }

Result<int> ListContexts(Invocation& invocation) {
  WB_ASSIGN(const Contexts contexts, ReadContexts(ReadConnectionEnvironment().contexts_file));
  std::vector<std::vector<std::string>> rows = {
      {"IN USE", "NAME", "ADDRESS", "TOKEN FILE", "CERTIFICATE", "AUTHORITY"}};
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Context& context : contexts.all) {
    const bool is_current = context.name == contexts.current;
    all.push_back(ContextJson(context, is_current));
    if (invocation.format() == Format::kJsonl) PrintLine(all.back().dump());
    rows.push_back({is_current ? "*" : "", context.name, context.address,
                    OrDash(context.token_file), OrDash(context.certificate_file),
                    OrDash(context.ca_file)});
  }
  if (invocation.format() == Format::kJson) {
    PrintLine(nlohmann::ordered_json({{"contexts", all}}).dump(1));
  }
  if (!invocation.json()) Print(Table(rows));
  return 0;
}

using ContextAction = Result<int> (*)(Invocation&, const std::string&);

void AddContextAction(CLI::App* context, Command* chosen, const char* verb, const char* meaning,
                      ContextAction action) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = context->add_subcommand(verb, meaning);
  command->add_option("name", *name, "the context's name")->required();
  command->callback([chosen, name, action] {
    chosen->calls_daemon = false;
    chosen->run = [name, action](Invocation& invocation) { return action(invocation, *name); };
  });
}

}  // namespace

void AddContextCommands(CLI::App* app, Command* chosen) {
  CLI::App* context =
      app->add_subcommand("context", "Contexts: daemons by name, with token and certificates.");
  context->require_subcommand(1);
  AddContextAction(
      context, chosen, "add",
      "Keep --addr, --token-file, --ca, --cert, --key and --server-name under a name.\n"
      "Example: wasmburstctl context add lab --addr tls://gpu1:7443 --ca ca.pem "
      "--token-file lab.token",
      AddContext);
  AddContextAction(context, chosen, "use",
                   "Send commands to this context's daemon, unless a flag or WASMBURST_ADDR names "
                   "another.\nExample: wasmburstctl context use lab",
                   UseContext);
  context
      ->add_subcommand("list",
                       "List the contexts; * marks the one in use.\n"
                       "Example: wasmburstctl context list")
      ->callback([chosen] {
        chosen->calls_daemon = false;
        chosen->run = ListContexts;
      });
  AddContextAction(context, chosen, "remove",
                   "Forget a context; the files it names stay.\n"
                   "Example: wasmburstctl context remove lab",
                   RemoveContext);
}

}  // namespace wb::cli
