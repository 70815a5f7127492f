#include "client/cli/identity/connection_choice.h"

#include <cstdlib>

#include "client/cli/identity/contexts.h"
#include "client/token_file.h"

namespace wb::cli {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The first that is not empty.
const std::string& FirstOf(const std::string& one, const std::string& other) {
  return one.empty() ? other : one;
}

// The context whose values are used; one without a name: none.
Result<Context> ContextOf(const ConnectionFlags& flags, const ConnectionEnvironment& environment) {
  const bool has_address = !flags.address.empty() || !environment.address.empty();
  if (flags.context.empty() && has_address) return Context();
  WB_ASSIGN(const Contexts contexts, ReadContexts(environment.contexts_file));
  const std::string& name = FirstOf(flags.context, contexts.current);
  if (name.empty()) return Context();
  return contexts.Get(name);
}

Result<std::string> TokenOf(const ConnectionFlags& flags, const ConnectionEnvironment& environment,
                            const Context& context) {
  const std::string& named =
      flags.context.empty() ? flags.token_file : FirstOf(flags.token_file, context.token_file);
  if (!named.empty()) return ReadTokenFile(named);
  if (!environment.token.empty()) {
    return TokenFromText(environment.token, "The variable WASMBURST_TOKEN");
  }
  const std::string& file = FirstOf(environment.token_file, context.token_file);
  return file.empty() ? std::string() : ReadTokenFile(file);
}

}  // namespace

ConnectionEnvironment ReadConnectionEnvironment() {
  ConnectionEnvironment environment;
  environment.address = Variable("WASMBURST_ADDR");
  environment.token = Variable("WASMBURST_TOKEN");
  environment.token_file = Variable("WASMBURST_TOKEN_FILE");
  const std::string home = Variable("HOME");
  const std::string folder =
      FirstOf(Variable("XDG_CONFIG_HOME"), home.empty() ? "" : home + "/.config");
  if (!folder.empty()) environment.contexts_file = folder + "/wasmburst/contexts.toml";
  return environment;
}

Result<ConnectionChoice> ChooseConnection(const ConnectionFlags& flags,
                                          const ConnectionEnvironment& environment) {
  WB_ASSIGN(const Context context, ContextOf(flags, environment));
  ConnectionChoice choice;
  choice.context = context.name;
  choice.address = FirstOf(flags.address, FirstOf(context.address, environment.address));
  if (choice.address.empty()) choice.address = kDefaultAddress;
  WB_ASSIGN(choice.options.token, TokenOf(flags, environment, context));
  choice.options.ca_file = FirstOf(flags.ca_file, context.ca_file);
  const bool has_pair = !flags.certificate_file.empty() || !flags.key_file.empty();
  choice.options.certificate_file = has_pair ? flags.certificate_file : context.certificate_file;
  choice.options.key_file = has_pair ? flags.key_file : context.key_file;
  choice.options.server_name = FirstOf(flags.server_name, context.server_name);
  return choice;
}

}  // namespace wb::cli
