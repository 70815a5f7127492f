#pragma once

// Rotation: who goes next. Each asks in turn, beginning behind whoever went last, so that nobody
// who can go waits for more than one turn of each of the others. Pure.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace wb {

template <typename T>
class Rotation {
 public:
  void Add(T member) { members_.push_back(std::move(member)); }

  void Remove(const T& member) {
    const auto found = std::find(members_.begin(), members_.end(), member);
    if (found == members_.end()) return;
    if (static_cast<size_t>(found - members_.begin()) < next_) --next_;
    members_.erase(found);
  }

  // The next member that `can_go`, or nullptr; the turn passes on behind it. Valid until the next
  // Add or Remove.
  template <typename CanGo>
  const T* Next(CanGo&& can_go) {
    for (size_t i = 0; i < members_.size(); ++i) {
      const size_t at = (next_ + i) % members_.size();
      if (!can_go(members_[at])) continue;
      next_ = at + 1;
      return &members_[at];
    }
    return nullptr;
  }

  const std::vector<T>& members() const { return members_; }

 private:
  std::vector<T> members_;
  size_t next_ = 0;
};

}  // namespace wb
