#pragma once

// The calls of one look at a daemon. One thread.

#include <cstdint>
#include <string>

#include "client/cli/top/top_facts.h"
#include "client/client.h"

namespace wb::cli {

class TopLooker {
 public:
  static constexpr int kMostJobs = 200;    // the newest
  static constexpr uint64_t kSeldom = 10;  // every so many looks: the daemon itself, its cache

  // `client` outlives it.
  explicit TopLooker(Client* client) : client_(client) {}

  // One call for the devices, one for the jobs, one for the bursts since; seldom two more; and what
  // `interest` needs. An error: the daemon did not answer, or does not let the caller see devices
  // or jobs.
  Result<TopFacts> Look(const TopInterest& interest);

 private:
  void LookSeldom(TopFacts* facts);
  void LookAtBursts(TopFacts* facts);
  void LookCloser(const TopInterest& interest, TopFacts* facts);

  Client* const client_;
  uint64_t looks_ = 0;
  std::string burst_token_;
};

// Reads results of a job up to the first three failures, of at most 256 messages. What is read
// counts as acknowledged.
TopAnswer ReadFirstFailures(Client& client, const std::string& job);
TopAnswer CancelByKey(Client& client, const std::string& job);

}  // namespace wb::cli
