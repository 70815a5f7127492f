#include "daemon/store/tokens.h"

#include <algorithm>
#include <utility>

#include "daemon/database/registry.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// Each is some hundred bytes; a client that makes them by mistake in a loop must end.
constexpr size_t kMostTokens = 100'000;

}  // namespace

Status Tokens::Load() {
  if (registry_ == nullptr) return {};
  const MutexLock changing(changes_);
  WB_ASSIGN(std::vector<TokenRecord> tokens, registry_->Tokens());
  const auto expired = std::partition(tokens.begin(), tokens.end(), [this](const auto& token) {
    return !token.HasExpired(now_());
  });
  // Nobody needs them any more, and their names are never used again.
  for (auto at = expired; at != tokens.end(); ++at) WB_TRY(registry_->RemoveToken(at->id));
  tokens.erase(expired, tokens.end());
  table_->Replace(std::move(tokens));
  return {};
}

Result<Tokens::Made> Tokens::Make(TokenRecord wish) {
  if (table_->size() >= kMostTokens) {
    return Status(Reason::kQueueFull, "There are " + Quoted(kMostTokens) +
                                          " tokens, and no more may be made. Revoke some.");
  }
  const MutexLock changing(changes_);
  WB_ASSIGN(NewToken made, MakeToken());
  wish.id = std::move(made.id);
  wish.secret = made.secret;
  wish.create_unix_ns = now_();
  if (registry_ != nullptr) WB_TRY(registry_->AddToken(wish));
  table_->Add(wish);
  return Made{std::move(wish), std::move(made.text)};
}

std::vector<TokenRecord> Tokens::List(std::string_view after, size_t most) const {
  return table_->List(now_(), after, most);
}

Status Tokens::Revoke(const std::string& id) {
  const MutexLock changing(changes_);
  // First for calls: a token whose row stays by a fault of the disk is refused at least until the
  // daemon starts again, and whoever revokes it hears of the fault.
  const bool was_there = table_->Remove(id);
  if (registry_ != nullptr) WB_TRY(registry_->RemoveToken(id));
  if (was_there) return {};
  return Status(Reason::kNotFound, "There is no token " + Quoted("tokens/" + id) + ".",
                {{"resource_type", "token"}, {"resource", "tokens/" + id}});
}

}  // namespace wb
