#pragma once

// SharedModel: what the hosts of a SharedStore share, in memory: the rules of shared_store.h and
// nothing of a database. Several stores, one for each host, lie over one (model_store.h).

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "daemon/database/shared_store.h"

namespace wb::test {

struct SharedModel {
  struct Job {
    SharedJob row;
    std::string request;
    std::string request_key;
    std::vector<std::pair<InstanceRange, uint32_t>> ranges;  // with their attempts
    std::vector<BlockRow> blocks;
    bool closed = false;
    bool is_read = false;  // once it was said
  };
  struct Held {
    Chunk chunk;
    int64_t host = 0;
    std::vector<InstanceRange> left;
    uint64_t commits = 0;
  };
  struct Host {
    HostRow row;
    bool silent = false;  // DropSilent drops it
  };

  std::mutex mutex;
  std::condition_variable news;
  std::map<std::string, Job> jobs;
  std::map<int64_t, Held> chunks;
  std::map<int64_t, Host> hosts;
  std::map<std::string, uint64_t> changes;  // of jobs; 1, 2, ...
  uint64_t last_change = 0;
  int64_t last_id = 0;
  bool is_down = false;       // every call fails
  uint64_t lose_answers = 0;  // so many commits are done and fail
  uint64_t lose_returns = 0;  // likewise chunks that go back
  int64_t unix_ns = 0;        // the clock; each change is a tenth of a second later
  uint64_t commits = 0;

  // The rules, with the mutex held.
  Status Check(int64_t host) const;  // whether the host may ask anything
  void Touch(Job* job);              // it has changed
  // A chunk's instances without results are open again; `again`: with the next attempt.
  void Return(const Held& held, bool again);
  void DropHost(int64_t host);
  Status Apply(Job* job, const SharedChange& change);
  Status CommitOne(Job* job, const ChunkResults& results);
};

}  // namespace wb::test
