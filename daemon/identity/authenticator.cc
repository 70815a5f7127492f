#include "daemon/identity/authenticator.h"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr std::string_view kBearer = "Bearer ";

Status Unknown(const std::string& key, const std::string& name) {
  return Status(Reason::kConfigInvalid,
                "An [[identity]] names the " + key + " " + Quoted(name) +
                    ", which this machine does not know.",
                {{"field", "identity." + key}});
}

Result<IdentityRules::Rule> RuleOf(const Config::Identity& identity) {
  IdentityRules::Rule rule;
  rule.certificate = identity.certificate;
  rule.tenant = identity.tenant;
  rule.role = identity.role;
  if (!identity.user.empty()) {
    rule.uid = UidOf(identity.user);
    rule.name = identity.user;
    if (!rule.uid) return Unknown("user", identity.user);
  }
  if (!identity.group.empty()) {
    rule.gid = GidOf(identity.group);
    rule.name = identity.group;
    if (!rule.gid) return Unknown("group", identity.group);
  }
  return rule;
}

bool Suits(const IdentityRules::Rule& rule, const LocalPeer& peer) {
  if (rule.uid) return *rule.uid == peer.uid;
  return rule.gid && std::binary_search(peer.gids.begin(), peer.gids.end(), *rule.gid);
}

std::optional<Caller> ByCertificate(const IdentityRules& rules,
                                    const std::vector<std::string>& names) {
  for (const IdentityRules::Rule& rule : rules.rules) {
    if (rule.certificate.empty()) continue;
    const auto at = std::find(names.begin(), names.end(), rule.certificate);
    if (at == names.end()) continue;
    return Caller{"certificate:" + *at, rule.tenant.value_or(*at), rule.role};
  }
  return std::nullopt;
}

Caller ByUser(const IdentityRules& rules, const Origin& origin) {
  Caller caller;
  caller.name = "user:" + origin.user;
  caller.tenant = origin.user;
  for (const IdentityRules::Rule& rule : rules.rules) {
    if (!Suits(rule, *origin.peer)) continue;
    caller.role = rule.role;
    caller.tenant = rule.tenant.value_or(origin.user);
    return caller;
  }
  if (origin.peer->uid == rules.own_uid || origin.peer->uid == 0) {
    caller.role = Role::kAdmin;
    caller.tenant.clear();
  } else if (origin.role != Role::kNone) {
    caller.role = origin.role;
    if (!origin.tenant.empty()) caller.tenant = origin.tenant;
  } else {
    caller.role = rules.local_role;
  }
  return caller;
}

}  // namespace

Result<IdentityRules> RulesOf(const Config& config) {
  IdentityRules rules;
  rules.own_uid = geteuid();
  rules.local_role = RoleNamed(config.local_role).value_or(Role::kNone);
  for (const Config::Identity& identity : config.identities) {
    WB_ASSIGN(IdentityRules::Rule rule, RuleOf(identity));
    rules.rules.push_back(std::move(rule));
  }
  return rules;
}

Authenticator::Authenticator(IdentityRules rules, const TokenTable* tokens,
                             std::function<int64_t()> now)
    : tokens_(tokens),
      now_(std::move(now)),
      rules_(std::make_shared<const IdentityRules>(std::move(rules))) {}

void Authenticator::SetRules(IdentityRules rules) {
  MutexLock lock(mutex_);
  rules_ = std::make_shared<const IdentityRules>(std::move(rules));
}

Result<Caller> Authenticator::ByToken(std::string_view authorization) const {
  if (!authorization.starts_with(kBearer)) {
    return Status(Reason::kUnauthenticated,
                  "The metadata [authorization] must say \"Bearer\" and a token.");
  }
  authorization.remove_prefix(kBearer.size());
  WB_ASSIGN(TokenRecord token, tokens_->Find(authorization, now_()));
  return Caller{"token:" + token.id, std::move(token.tenant), token.role};
}

Result<Caller> Authenticator::Identify(const Origin& origin, const Credentials& credentials) const {
  if (!credentials.authorization.empty()) return ByToken(credentials.authorization);
  std::shared_ptr<const IdentityRules> rules;
  {
    MutexLock lock(mutex_);
    rules = rules_;
  }
  if (std::optional<Caller> caller = ByCertificate(*rules, credentials.certificate_names)) {
    return *std::move(caller);
  }
  if (origin.peer) return ByUser(*rules, origin);
  if (origin.role != Role::kNone) return Caller{"anyone", origin.tenant, origin.role};
  if (!credentials.certificate_names.empty()) {
    return Status(Reason::kUnauthenticated, "No [[identity]] of the daemon names the certificate " +
                                                Quoted(credentials.certificate_names.front()) +
                                                ".");
  }
  return Status(Reason::kUnauthenticated, "This listener takes callers with a token alone.");
}

}  // namespace wb
