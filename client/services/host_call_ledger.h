#pragma once

// The calls of a job that are with this client, and their answers. A call is handed out once, even
// where a stream that broke makes the daemon send it again. Pure.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>

#include "wasmburst/v1/host_calls.pb.h"

namespace wb {

class HostCallLedger {
 public:
  // `most_kept`: bytes of answers that were sent and are kept, since a broken stream may have lost
  // them. The oldest are dropped first.
  explicit HostCallLedger(size_t most_kept) : most_kept_(most_kept) {}

  // A call from the daemon. True: it is new, so it needs an answer. False: it is being answered, or
  // its answer is known and is sent again.
  bool Take(const wasmburst::v1::HostCall& call);
  // False: no call that was taken waits for this answer, which is dropped.
  bool Put(wasmburst::v1::HostAnswer answer);

  bool has_answers() const { return !unsent_.empty(); }
  // Answers in the order of Put, of about `most` bytes: at least one where there is one.
  wasmburst::v1::ServeHostCallsRequest NextAnswers(size_t most);

 private:
  // An instance waits for one call at a time, so its latest call is enough.
  struct Entry {
    uint64_t number = 0;
    std::optional<wasmburst::v1::HostAnswer> answer;
    bool is_sent = false;
  };
  struct Key {
    uint64_t instance = 0;
    uint64_t number = 0;
  };
  struct Kept {
    Key key;
    size_t bytes = 0;
  };

  Entry* Find(const Key& key);  // null: the instance has made a later call, or none
  void Keep(const Key& key, size_t bytes);

  const size_t most_kept_;
  std::unordered_map<uint64_t, Entry> entries_;  // by instance
  std::deque<Key> unsent_;
  std::deque<Kept> kept_;  // sent, the oldest first
  size_t kept_bytes_ = 0;
};

}  // namespace wb
