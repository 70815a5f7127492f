#pragma once

// RequestLedger: what jobs that have not ended hold in memory besides results: bytes of their own
// (steps, columns), and things that several of them share (linked modules, uploaded inputs), which
// count once. Pure; its owner locks.
//
// A tenant may hold half of what the others leave of the bound. So there is always room for the
// jobs of a tenant that holds little.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/base/digest.h"
#include "compiler/base/status.h"

namespace wb {

struct SharedHold {
  Digest key;
  uint64_t bytes = 0;
};

struct RequestHolds {
  uint64_t bytes = 0;  // of the job's own
  std::vector<SharedHold> shared;
};

// For the message of a refusal.
struct LedgerWords {
  std::string what;     // "The steps, columns and linked modules of jobs"
  std::string setting;  // "jobs.max_request_bytes"
  std::string way_out;  // a sentence
};

class RequestLedger {
 public:
  RequestLedger(uint64_t max_bytes, LedgerWords words)
      : max_bytes_(max_bytes), words_(std::move(words)) {}

  // QUEUE_FULL, and nothing is held.
  Status Hold(const std::string& tenant, const RequestHolds& holds);
  void Drop(const std::string& tenant, const RequestHolds& holds);  // what was held before

  uint64_t bytes() const { return all_.bytes; }
  uint64_t bytes_of(const std::string& tenant) const;

 private:
  struct Shared {
    uint64_t bytes = 0;
    uint64_t holders = 0;
  };
  struct Holding {
    uint64_t jobs = 0;
    uint64_t bytes = 0;  // shared ones included, each once
    std::map<Digest, Shared> shared;
    uint64_t More(const RequestHolds& holds) const;  // that it would hold then
    void Add(const RequestHolds& holds);
    void Remove(const RequestHolds& holds);
  };

  const uint64_t max_bytes_;
  const LedgerWords words_;
  Holding all_;
  std::map<std::string, Holding> tenants_;
};

}  // namespace wb
