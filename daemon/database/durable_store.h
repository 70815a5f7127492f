#pragma once

// DurableStore: what outlives the daemon. An interface: SqliteStore keeps it in a folder of this
// machine; a database that several daemons share could stand in its place.
//
// It knows rows, not what they mean: a job is what its caller sent, as bytes, what is shown of it
// and a record of how far it is. So stores that are written once serve every version of those.
//
// Commit comes from one thread at a time, and all else from any thread.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"

namespace wb {

struct JobRow {
  std::string id;
  std::string request;  // what its caller sent; of an ended job empty (but see ReadRequest)
  std::string shown;    // what is shown of the request
  std::string record;   // how far it is
  bool ended = false;
};

// Results of a job one after another, which become durable together.
struct BlockRow {
  std::string job;
  uint64_t first = 0;     // position of the first of them
  uint64_t count = 0;     // results
  std::string instances;  // which, as the caller wrote them
  Bytes data;             // result_block.h
};

// A block without its results.
struct BlockHead {
  uint64_t first = 0;
  uint64_t count = 0;
  uint64_t bytes = 0;  // 0: its results have been dropped
  std::string instances;
};

// One transaction.
struct StoreChange {
  std::vector<JobRow> created;
  std::vector<BlockRow> blocks;
  std::vector<JobRow> changed;         // `record` and `ended`; an ended one loses a long request
  std::vector<std::string> forgotten;  // jobs, with their results
  // Results of the blocks that begin at positions [from, before); their heads stay.
  struct Dropped {
    std::string job;
    uint64_t from = 0;
    uint64_t before = 0;
  };
  std::vector<Dropped> dropped;
  bool empty() const {
    return created.empty() && blocks.empty() && changed.empty() && forgotten.empty() &&
           dropped.empty();
  }
};

class DurableStore {
 public:
  virtual ~DurableStore() = default;

  // All of it is on the disk when this returns. An empty change is written too: it tells whether
  // the disk takes anything. NOSPACE, IO_ERROR: nothing of it can be seen. A later start may find
  // all of it, or nothing. It may be tried again.
  virtual Status Commit(const StoreChange& change) = 0;

  // All jobs, by id. `visit` gets each with its blocks, by position, and asks the store for
  // nothing. IO_ERROR.
  virtual Status LoadJobs(
      const std::function<Status(JobRow row, std::vector<BlockHead> blocks)>& visit) = 0;

  // The block of the job that holds a position. BLOB_CORRUPT: it is not there or is damaged.
  virtual Result<BlockRow> ReadBlock(const std::string& job, uint64_t position) = 0;

  // What the caller of a job sent. Of an ended job empty if it was longer than kMostKeptRequest.
  // NOT_FOUND, IO_ERROR.
  virtual Result<std::string> ReadRequest(const std::string& job) = 0;
  static constexpr uint64_t kMostKeptRequest = uint64_t{256} << 10;

  // Removes some of what forgotten jobs have left, and gives space back: a bounded step, from the
  // thread that commits. What fails is tried the next time.
  virtual void Tidy() = 0;
};

}  // namespace wb
