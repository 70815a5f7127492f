#include "daemon/store/durable/result_cache.h"

namespace wb {

void ResultCache::Put(const std::string& job, uint64_t first, Part part, uint64_t bytes) {
  const MutexLock lock(mutex_);
  const Key key(job, first);
  const auto [at, is_new] = entries_.try_emplace(key, Entry{std::move(part), bytes});
  if (!is_new) return;
  order_.push_back(key);
  bytes_ += bytes;
  while (bytes_ > max_bytes_) {
    const auto oldest = entries_.find(order_.front());
    bytes_ -= oldest->second.bytes;
    entries_.erase(oldest);
    order_.pop_front();
  }
}

ResultCache::Part ResultCache::Get(const std::string& job, uint64_t first) const {
  const MutexLock lock(mutex_);
  const auto at = entries_.find(Key(job, first));
  return at == entries_.end() ? Part() : at->second.part;
}

uint64_t ResultCache::bytes() const {
  const MutexLock lock(mutex_);
  return bytes_;
}

}  // namespace wb
