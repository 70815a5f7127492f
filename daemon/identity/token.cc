#include "daemon/identity/token.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr std::string_view kTokenPrefix = "wbt_";
constexpr size_t kIdDigits = 16;
constexpr size_t kSecretDigits = 64;

struct TokenParts {
  std::string_view id;
  std::string_view secret;
};

bool IsHex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::optional<TokenParts> SplitToken(std::string_view text) {
  if (!text.starts_with(kTokenPrefix)) return std::nullopt;
  text.remove_prefix(kTokenPrefix.size());
  if (text.size() != kIdDigits + 1 + kSecretDigits || text[kIdDigits] != '_') return std::nullopt;
  const TokenParts parts = {text.substr(0, kIdDigits), text.substr(kIdDigits + 1)};
  if (!IsHex(parts.id) || !IsHex(parts.secret)) return std::nullopt;
  return parts;
}

Status NotValid(const std::string& why) {
  return Status(Reason::kUnauthenticated, "The token " + why);
}

}  // namespace

bool IsTokenId(std::string_view text) { return text.size() == kIdDigits && IsHex(text); }

Result<NewToken> MakeToken() {
  Digest random_id;
  Digest random_secret;
  const bool worked = RAND_bytes(random_id.bytes.data(), static_cast<int>(kIdDigits / 2)) == 1 &&
                      RAND_bytes(random_secret.bytes.data(), 32) == 1;
  if (!worked) return Status(Reason::kMachineFault, "The system gave no random numbers.");
  NewToken token;
  token.id = random_id.Hex().substr(0, kIdDigits);
  const std::string secret = random_secret.Hex();
  token.text = std::string(kTokenPrefix) + token.id + "_" + secret;
  token.secret = Sha256(AsBytes(secret));
  return token;
}

void TokenTable::Add(TokenRecord token) {
  MutexLock lock(mutex_);
  std::string id = token.id;
  tokens_[std::move(id)] = std::move(token);
}

void TokenTable::Replace(std::vector<TokenRecord> tokens) {
  std::map<std::string, TokenRecord, std::less<>> all;
  for (TokenRecord& token : tokens) {
    std::string id = token.id;
    all[std::move(id)] = std::move(token);
  }
  const MutexLock lock(mutex_);
  tokens_ = std::move(all);
}

bool TokenTable::Remove(const std::string& id) {
  MutexLock lock(mutex_);
  return tokens_.erase(id) != 0;
}

Result<TokenRecord> TokenTable::Find(std::string_view text, int64_t now_unix_ns) const {
  const std::optional<TokenParts> parts = SplitToken(text);
  if (!parts) return NotValid("has not the form of one: wbt_, 16 hex digits, _, 64 hex digits.");
  const Digest secret = Sha256(AsBytes(parts->secret));
  MutexLock lock(mutex_);
  const auto at = tokens_.find(parts->id);
  // In constant time: how far a guess is right must not be seen.
  const bool is_right = at != tokens_.end() &&
                        CRYPTO_memcmp(secret.bytes.data(), at->second.secret.bytes.data(), 32) == 0;
  if (!is_right) return NotValid("is not known; it may have been revoked.");
  if (at->second.HasExpired(now_unix_ns)) return NotValid(Quoted(parts->id) + " has expired.");
  return at->second;
}

std::vector<TokenRecord> TokenTable::List(int64_t now_unix_ns, std::string_view after,
                                          size_t most) const {
  MutexLock lock(mutex_);
  std::vector<TokenRecord> tokens;
  for (auto at = tokens_.upper_bound(after); at != tokens_.end() && tokens.size() < most; ++at) {
    if (!at->second.HasExpired(now_unix_ns)) tokens.push_back(at->second);
  }
  return tokens;
}

size_t TokenTable::size() const {
  MutexLock lock(mutex_);
  return tokens_.size();
}

}  // namespace wb
