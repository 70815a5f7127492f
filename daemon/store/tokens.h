#pragma once

// Tokens: made, listed and revoked. What is valid is in a TokenTable, for calls; where there is a
// registry it outlives the daemon.
//
// Threads: any.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "daemon/identity/token.h"

namespace wb {

class Registry;

class Tokens {
 public:
  // `table` outlives this.
  Tokens(std::shared_ptr<Registry> registry, TokenTable* table, std::function<int64_t()> now)
      : registry_(std::move(registry)), table_(table), now_(std::move(now)) {}

  // Before all else, and again where other daemons make and revoke tokens too. IO_ERROR.
  Status Load();

  struct Made {
    TokenRecord token;
    std::string text;  // for the caller alone; it is kept nowhere
  };
  // `wish`: tenant, role, note, expiry. On the disk when it returns. QUEUE_FULL: there are very
  // many; NOSPACE, IO_ERROR, MACHINE_FAULT.
  Result<Made> Make(TokenRecord wish);
  // By id, without those that have expired: at most so many that come after `after`.
  std::vector<TokenRecord> List(std::string_view after = {}, size_t most = SIZE_MAX) const;
  Status Revoke(const std::string& id);  // NOT_FOUND, IO_ERROR

 private:
  const std::shared_ptr<Registry> registry_;
  TokenTable* const table_;
  const std::function<int64_t()> now_;
  Mutex changes_;  // one change at a time: the registry and the table agree
};

}  // namespace wb
