#pragma once

// Lanes of one group that vote, each a thread, as a GPU's lanes do. A test that includes this
// defines the votes of the kernel text as those of its group, in a program of its own: votes are
// another function there than in other tests.

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace wb {

// What the members of a group give in a round, and what each of them gets of it.
struct Tally {
  uint32_t least = ~0u;
  uint32_t sum = 0;
};

// Every member's nth vote is of the nth round.
class VotingGroup {
 public:
  explicit VotingGroup(uint32_t members) : members_(members) {}
  uint32_t members() const { return members_; }
  Tally Vote(uint32_t value) {
    std::unique_lock lock(mutex_);
    const uint64_t round = round_;
    now_.least = std::min(now_.least, value);
    now_.sum += value;
    if (++voted_ == members_) {
      result_ = now_;
      now_ = {};
      voted_ = 0;
      ++round_;
      changed_.notify_all();
    } else {
      changed_.wait(lock, [&] { return round_ != round; });
    }
    return result_;
  }

 private:
  const uint32_t members_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t round_ = 0;
  uint32_t voted_ = 0;
  Tally now_, result_;
};

}  // namespace wb
