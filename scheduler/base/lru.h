#pragma once

// Lru: a bounded map that forgets what was used least recently. Pure; one thread.

#include <cstdint>
#include <list>
#include <map>
#include <utility>

namespace wb {

template <typename Key, typename Value>
class Lru {
 public:
  explicit Lru(uint64_t max_cost) : max_cost_(max_cost) {}

  // nullptr if there is none; valid until the next call.
  Value* Find(const Key& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return nullptr;
    order_.splice(order_.begin(), order_, found->second);
    return &found->second->value;
  }

  // The newest entry stays even if it alone costs more than the bound.
  void Put(const Key& key, Value value, uint64_t cost) {
    Erase(key);
    order_.push_front({key, std::move(value), cost});
    index_[key] = order_.begin();
    cost_ += cost;
    while (cost_ > max_cost_ && order_.size() > 1) Erase(Key(order_.back().key));
  }

  void Erase(const Key& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return;
    cost_ -= found->second->cost;
    order_.erase(found->second);
    index_.erase(found);
  }

  void Clear() {
    order_.clear();
    index_.clear();
    cost_ = 0;
  }

 private:
  struct Entry {
    Key key;
    Value value;
    uint64_t cost;
  };
  uint64_t max_cost_;
  uint64_t cost_ = 0;
  std::list<Entry> order_;  // newest first
  std::map<Key, typename std::list<Entry>::iterator> index_;
};

}  // namespace wb
