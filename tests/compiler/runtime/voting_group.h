#pragma once

// Lanes of one group that vote, each a thread, as a GPU's lanes do. A test that includes this
// defines the votes of the kernel text as those of its group, in a program of its own: votes are
// another function there than in other tests.

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace wb {

// What the members of a group give in a round, and what each of them gets of it.
struct Tally {
  uint32_t least = ~0u;
  uint32_t sum = 0;
  uint32_t all = ~0u, any = 0, odd = 0;  // bit by bit: and, or, xor
  std::array<uint32_t, 32> given{};      // by member
};

// Every member's nth vote is of the nth round. Whether members are together is not a vote: once
// each waits for one thing or the other, those that ask are told if they are all that there are.
class VotingGroup {
 public:
  explicit VotingGroup(uint32_t members) : members_(members) {}
  uint32_t members() const { return members_; }
  Tally Vote(uint32_t value, uint32_t member = 0) {
    std::unique_lock lock(mutex_);
    const uint64_t round = round_;
    now_.least = std::min(now_.least, value);
    now_.sum += value;
    now_.all &= value;
    now_.any |= value;
    now_.odd ^= value;
    now_.given[member] = value;
    ++voted_;
    AnswerIfAllWait();
    if (voted_ == members_) {
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

  // All 32 are here at once.
  bool Together() {
    std::unique_lock lock(mutex_);
    const uint64_t question = question_;
    ++asking_;
    AnswerIfAllWait();
    changed_.wait(lock, [&] { return question_ != question; });
    return together_;
  }

 private:
  void AnswerIfAllWait() {
    if (asking_ == 0 || asking_ + voted_ != members_) return;
    together_ = asking_ == 32;
    asking_ = 0;
    ++question_;
    changed_.notify_all();
  }

  const uint32_t members_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t round_ = 0;
  uint32_t voted_ = 0;
  uint64_t question_ = 0;
  uint32_t asking_ = 0;
  bool together_ = false;
  Tally now_, result_;
};

}  // namespace wb
