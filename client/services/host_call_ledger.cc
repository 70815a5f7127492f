#include "client/services/host_call_ledger.h"

#include <utility>

namespace wb {

namespace v1 = wasmburst::v1;

namespace {

constexpr size_t kKeptAnswerBytes = 256;  // of a kept answer, besides itself

}  // namespace

HostCallLedger::Entry* HostCallLedger::Find(const Key& key) {
  const auto at = entries_.find(key.instance);
  return at == entries_.end() || at->second.number != key.number ? nullptr : &at->second;
}

bool HostCallLedger::Take(const v1::HostCall& call) {
  const Key key{call.instance(), call.number()};
  Entry* known = Find(key);
  if (known == nullptr) {
    entries_[key.instance] = Entry{key.number, std::nullopt, false};
    return true;
  }
  if (known->is_sent) {
    known->is_sent = false;
    unsent_.push_back(key);
  }
  return false;
}

bool HostCallLedger::Put(v1::HostAnswer answer) {
  const Key key{answer.instance(), answer.number()};
  Entry* entry = Find(key);
  if (entry == nullptr || entry->answer) return false;
  entry->answer = std::move(answer);
  unsent_.push_back(key);
  return true;
}

v1::ServeHostCallsRequest HostCallLedger::NextAnswers(size_t most) {
  v1::ServeHostCallsRequest request;
  size_t bytes = 0;
  while (!unsent_.empty() && bytes < most) {
    const Key key = unsent_.front();
    Entry* entry = Find(key);
    const bool is_wanted = entry != nullptr && entry->answer && !entry->is_sent;
    const size_t size = is_wanted ? entry->answer->ByteSizeLong() : 0;
    if (bytes > 0 && bytes + size > most) break;
    unsent_.pop_front();
    if (!is_wanted) continue;
    *request.add_answers() = *entry->answer;
    entry->is_sent = true;
    bytes += size;
    Keep(key, size + kKeptAnswerBytes);
  }
  return request;
}

// An answer that is sent twice stands here twice; it is then dropped at the first of the two.
void HostCallLedger::Keep(const Key& key, size_t bytes) {
  kept_.push_back({key, bytes});
  kept_bytes_ += bytes;
  while (kept_bytes_ > most_kept_ && kept_.size() > 1) {
    const Kept oldest = kept_.front();
    kept_.pop_front();
    kept_bytes_ -= oldest.bytes;
    const Entry* entry = Find(oldest.key);
    if (entry != nullptr && entry->is_sent) entries_.erase(oldest.key.instance);
  }
}

}  // namespace wb
