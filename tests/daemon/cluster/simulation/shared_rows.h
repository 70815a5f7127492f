#pragma once

// SharedRows: the rows of a SharedStore and its rules (daemon/database/shared_store.h), and a book
// of every result that was ever stored, against which they are judged. Pure. A rule may be broken,
// to see that the book shows it.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace wb::test {

struct SharedRules {
  bool fences = true;          // a host that was dropped stores nothing
  bool numbers = true;         // a commit that is repeated changes nothing
  bool returns_chunks = true;  // what a dropped host held is open again
  bool finds_chunks = true;    // a host gives back what it was given without hearing of it
};

struct RowChunk {
  int64_t id = 0;
  size_t job = 0;
  uint64_t first = 0;
  uint64_t count = 0;
};

class SharedRows {
 public:
  enum class Told : uint8_t { kStored, kNotThere, kDropped };

  explicit SharedRows(const SharedRules& rules) : rules_(rules) {}

  size_t AddJob(uint64_t instances, uint64_t ranges);
  int64_t Enter(double now);
  bool Hear(int64_t host, double now);            // false: it was dropped
  uint64_t DropSilent(double now, double lease);  // hosts
  // At most `count` of the first range.
  std::optional<RowChunk> Claim(int64_t host, size_t job, uint64_t count);
  // The `number`th commit of the chunk, from 1.
  Told Commit(int64_t host, const RowChunk& chunk, uint64_t number,
              const std::vector<uint64_t>& instances);
  // Those of the host's chunks that it does not know are open again.
  void GiveBackOthers(int64_t host, const std::set<int64_t>& known);

  size_t jobs() const { return jobs_.size(); }
  bool IsDropped(int64_t host) const { return !hosts_.contains(host); }
  size_t hosts() const { return hosts_.size(); }
  uint64_t open(size_t job) const { return jobs_[job].open; }
  uint64_t without_result(size_t job) const { return jobs_[job].without; }
  size_t ranges(size_t job) const { return jobs_[job].ranges.size(); }
  bool HasEnded(size_t job) const { return jobs_[job].without == 0; }
  // Of the book: results beyond the first of an instance, and instances that nobody runs or will.
  uint64_t doubled() const { return doubled_; }
  uint64_t lost() const;

 private:
  struct Job {
    std::map<uint64_t, uint64_t> ranges;  // count by first
    uint64_t open = 0;
    uint64_t without = 0;  // instances without a result
    std::vector<uint8_t> results;
  };
  struct Held {
    RowChunk chunk;
    int64_t host = 0;
    uint64_t last_number = 0;
    std::vector<bool> done;
    uint64_t left = 0;
  };

  void Reopen(const Held& held);
  void Store(Job* job, const std::vector<uint64_t>& instances);

  const SharedRules rules_;
  std::vector<Job> jobs_;
  std::map<int64_t, double> hosts_;  // when each was heard
  std::map<int64_t, Held> chunks_;
  std::map<int64_t, uint64_t> ended_;  // chunks, with their last numbers
  int64_t last_host_ = 0;
  int64_t last_chunk_ = 0;
  uint64_t doubled_ = 0;
};

}  // namespace wb::test
