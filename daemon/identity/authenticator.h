#pragma once

// Authenticator: who a call is from. A token goes before all else; then the client's certificate,
// then the user of a Unix socket's other end, then what the listener gives.
//
// Threads: any.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "daemon/config/config.h"
#include "daemon/identity/caller.h"
#include "daemon/identity/origin.h"
#include "daemon/identity/token.h"

namespace wb {

// The [[identity]] tables and [auth] with users and groups as numbers.
struct IdentityRules {
  struct Rule {
    std::optional<uint32_t> uid;
    std::optional<uint32_t> gid;
    std::string certificate;  // a SPIFFE URI, or a subject's common name; "": none
    std::string name;         // of the user or group; ""
    std::optional<std::string> tenant;
    Role role = Role::kNone;
  };
  std::vector<Rule> rules;             // the first that suits decides
  Role local_role = Role::kSubmitter;  // of other users of a Unix socket
  uint32_t own_uid = 0;
};
// CONFIG_INVALID: a user or group is not known on this machine.
Result<IdentityRules> RulesOf(const Config& config);

// What a call brings of its own.
struct Credentials {
  std::vector<std::string> certificate_names;  // of a checked certificate: SPIFFE URI, common name
  std::string authorization;                   // metadata of that name; ""
};

class Authenticator {
 public:
  Authenticator(IdentityRules rules, const TokenTable* tokens, std::function<int64_t()> now);

  void SetRules(IdentityRules rules);  // for calls that come from now on
  // UNAUTHENTICATED: nothing says who it is, or a token is not valid. The caller's role may be
  // none.
  Result<Caller> Identify(const Origin& origin, const Credentials& credentials) const;

 private:
  Result<Caller> ByToken(std::string_view authorization) const;

  const TokenTable* const tokens_;
  const std::function<int64_t()> now_;
  mutable Mutex mutex_;
  std::shared_ptr<const IdentityRules> rules_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
