// wasmburstctl whoami, tenant, token.

#include <unistd.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <memory>

#include "client/cli/commands/commands.h"
#include "client/cli/identity/secret_file.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/program/duration.h"
#include "client/services/tenants.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

Result<int> WhoAmI(Invocation& invocation) {
  WB_ASSIGN(const v1::Caller caller, GetCaller(invocation.client()));
  if (invocation.json()) {
    invocation.PrintMessage(caller);
    return 0;
  }
  Print(Table({{"name", caller.name()},
               {"tenant", caller.tenant().empty() ? "-" : caller.tenant()},
               {"role", RoleText(caller.role())},
               {"at", invocation.flags().address}}));
  return 0;
}

// "3 of 8"; a limit of 0 is none.
std::string OfLimit(uint64_t count, uint64_t limit) {
  return std::to_string(count) + (limit == 0 ? "" : " of " + std::to_string(limit));
}

Result<int> ShowTenants(Invocation& invocation) {
  WB_ASSIGN(const v1::ListTenantsResponse response, ListTenants(invocation.client()));
  if (invocation.format() == Format::kJson) invocation.PrintMessage(response);
  std::vector<std::vector<std::string>> rows = {
      {"NAME", "WEIGHT", "JOBS", "RUNNING", "MEMORY", "ENDED", "INSTRUCTIONS"}};
  for (const v1::Tenant& tenant : response.tenants()) {
    if (invocation.format() == Format::kJsonl) invocation.PrintMessage(tenant);
    const uint64_t memory = tenant.max_memory_bytes();
    rows.push_back({tenant.name(), std::to_string(tenant.weight()),
                    OfLimit(tenant.jobs(), tenant.max_jobs()),
                    OfLimit(tenant.running_jobs(), tenant.max_running_jobs()),
                    memory == 0 ? "-" : "up to " + SizeText(memory),
                    std::to_string(tenant.ended_jobs()), std::to_string(tenant.fuel())});
  }
  if (!invocation.json()) Print(Table(rows));
  return 0;
}

struct TokenOptions {
  std::string tenant;
  std::string role;
  std::string expires;
  std::string note;
  std::string out;
};

Result<v1::Token> TokenOf(const TokenOptions& options) {
  v1::Token token;
  token.set_tenant(options.tenant);
  token.set_note(options.note);
  std::string role = options.role;
  std::transform(role.begin(), role.end(), role.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  v1::Role number = v1::ROLE_UNSPECIFIED;
  v1::Role_Parse(role, &number);
  token.set_role(number);
  if (options.expires.empty()) return token;
  WB_ASSIGN(const int64_t time, ParseDuration(options.expires));
  const auto end = std::chrono::system_clock::now() + std::chrono::nanoseconds(time);
  token.mutable_expire_time()->set_seconds(
      std::chrono::duration_cast<std::chrono::seconds>(end.time_since_epoch()).count());
  return token;
}

std::string TokenSummary(const v1::Token& token) {
  return token.name() + ": tenant " + token.tenant() + ", role " + RoleText(token.role()) +
         (token.has_expire_time() ? ", until " + TimeText(token.expire_time())
                                  : ", without an end");
}

// Into a file that must not be there. It is made before the token, so that no token is made whose
// text has no place.
Result<v1::CreateTokenResponse> CreateTokenFile(Invocation& invocation, const v1::Token& token,
                                                const std::string& path) {
  WB_TRY(CreateSecretFile(path, ""));
  Result<v1::CreateTokenResponse> made = CreateToken(invocation.client(), token);
  if (!made.ok()) {
    unlink(path.c_str());
    return made;
  }
  const Status wrote = ReplaceSecretFile(path, made->text() + "\n");
  if (wrote.ok()) return made;
  (void)RevokeToken(invocation.client(), made->token().name());
  unlink(path.c_str());
  return wrote;
}

Result<int> MakeToken(Invocation& invocation, const TokenOptions& options) {
  WB_ASSIGN(const v1::Token wanted, TokenOf(options));
  const bool has_file = !options.out.empty();
  auto made = has_file ? CreateTokenFile(invocation, wanted, options.out)
                       : CreateToken(invocation.client(), wanted);
  if (!made.ok()) return made.status();
  v1::CreateTokenResponse& response = made.value();
  if (invocation.json()) {
    if (has_file) response.clear_text();
    invocation.PrintMessage(response);
  } else {
    PrintLine(has_file ? response.token().name() : response.text());
  }
  invocation.Talk(TokenSummary(response.token()));
  invocation.Talk(
      has_file ? "Clients use it so: wasmburstctl --token-file " + options.out + " whoami"
               : "The daemon does not show it again. Keep it in a file that only its user can "
                 "read (umask 077), and name that: wasmburstctl --token-file FILE whoami");
  return 0;
}

Result<int> ShowTokens(Invocation& invocation) {
  WB_ASSIGN(const v1::ListTokensResponse response, ListAllTokens(invocation.client()));
  if (invocation.format() == Format::kJson) invocation.PrintMessage(response);
  std::vector<std::vector<std::string>> rows = {
      {"NAME", "TENANT", "ROLE", "CREATED", "EXPIRES", "NOTE"}};
  for (const v1::Token& token : response.tokens()) {
    if (invocation.format() == Format::kJsonl) invocation.PrintMessage(token);
    rows.push_back({token.name(), token.tenant(), RoleText(token.role()),
                    TimeText(token.create_time()),
                    token.has_expire_time() ? TimeText(token.expire_time()) : "-", token.note()});
  }
  if (!invocation.json()) Print(Table(rows));
  return 0;
}

std::string FullTokenName(const std::string& name) {
  return name.empty() || name.find('/') != std::string::npos ? name : "tokens/" + name;
}

Result<int> EndToken(Invocation& invocation, const std::string& name) {
  WB_TRY(RevokeToken(invocation.client(), FullTokenName(name)));
  invocation.Talk(FullTokenName(name) + " is revoked: no call with it is answered any more.");
  return 0;
}

void AddTokenCreate(CLI::App* token, Command* chosen) {
  auto options = std::make_shared<TokenOptions>();
  CLI::App* create = token->add_subcommand(
      "create",
      "Make a token, and print its text, which the daemon shows only once.\n"
      "Example: wasmburstctl token create --tenant render --role submitter --expires 30d --out "
      "render.token");
  create->add_option("--tenant", options->tenant, "whose jobs and modules its user sees")
      ->required();
  create
      ->add_option("--role", options->role,
                   "what its user may do; each may do what those before it may")
      ->required()
      ->check(CLI::IsMember({"viewer", "submitter", "operator", "admin"}));
  create->add_option("--expires", options->expires,
                     "from now, such as 12h or 30d; without it the token has no end");
  create->add_option("--note", options->note, "what it is for; `token list` shows it");
  create
      ->add_option("--out", options->out,
                   "write the text into this new file (mode 0600), and print the token's name")
      ->type_name("FILE");
  create->callback([chosen, options] {
    chosen->run = [options](Invocation& invocation) { return MakeToken(invocation, *options); };
  });
}

}  // namespace

void AddIdentityCommands(CLI::App* app, Command* chosen) {
  app->add_subcommand("whoami",
                      "Show who the daemon takes this client for: name, tenant and role.\n"
                      "Example: wasmburstctl --token-file render.token whoami")
      ->callback([chosen] { chosen->run = WhoAmI; });
  CLI::App* tenant = app->add_subcommand("tenant", "Tenants: who shares the daemon.");
  tenant->require_subcommand(1);
  tenant
      ->add_subcommand("list",
                       "List the tenants: their jobs, limits and use.\n"
                       "Example: wasmburstctl tenant list")
      ->callback([chosen] { chosen->run = ShowTenants; });
  CLI::App* token = app->add_subcommand("token", "Tokens, by which clients are known.");
  token->require_subcommand(1);
  AddTokenCreate(token, chosen);
  token
      ->add_subcommand("list",
                       "List the tokens, without their texts.\n"
                       "Example: wasmburstctl token list")
      ->callback([chosen] { chosen->run = ShowTokens; });
  auto name = std::make_shared<std::string>();
  CLI::App* revoke = token->add_subcommand(
      "revoke", "Revoke a token.\nExample: wasmburstctl token revoke tokens/0123456789abcdef");
  revoke->add_option("name", *name, "tokens/ID, or ID")->required();
  revoke->callback([chosen, name] {
    chosen->run = [name](Invocation& invocation) { return EndToken(invocation, *name); };
  });
}

}  // namespace wb::cli
