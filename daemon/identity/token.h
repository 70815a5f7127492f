#pragma once

// Tokens: "wbt_ID_SECRET", where ID is 16 hex digits, which may be shown, and SECRET 64, which the
// daemon does not keep. It keeps the SHA-256 of the secret: 256 random bits cannot be guessed from
// that, so the slow digests that passwords need would only cost time for each call.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/digest.h"
#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "daemon/config/role.h"

namespace wb {

struct TokenRecord {
  std::string id;
  Digest secret;  // of its text
  std::string tenant;
  Role role = Role::kNone;
  std::string note;
  int64_t create_unix_ns = 0;
  int64_t expire_unix_ns = 0;  // 0: never

  bool HasExpired(int64_t now_unix_ns) const {
    return expire_unix_ns != 0 && expire_unix_ns <= now_unix_ns;
  }
};

struct NewToken {
  std::string id;
  std::string text;  // for the caller alone
  Digest secret;
};
bool IsTokenId(std::string_view text);
// From the system's source of random numbers. MACHINE_FAULT.
Result<NewToken> MakeToken();

// The valid tokens, for calls. Threads: any.
class TokenTable {
 public:
  void Add(TokenRecord token);
  void Replace(std::vector<TokenRecord> tokens);  // these are all
  bool Remove(const std::string& id);             // false: there is none
  // UNAUTHENTICATED, with the same words whatever is wrong but the form and the time.
  Result<TokenRecord> Find(std::string_view text, int64_t now_unix_ns) const;
  // By id, without expired ones: at most so many of those whose ids come after `after`.
  std::vector<TokenRecord> List(int64_t now_unix_ns, std::string_view after = {},
                                size_t most = SIZE_MAX) const;
  size_t size() const;

 private:
  mutable Mutex mutex_;
  std::map<std::string, TokenRecord, std::less<>> tokens_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
