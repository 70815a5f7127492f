#pragma once

// SharedStore: jobs that several daemons run together, in one database.
//
// A job's instances lie in ranges that nobody runs. A daemon claims a part of one as a chunk, runs
// its instances, and commits their results. What it has claimed is its own as long as it is a host:
// it enters as one, and is heard again and again. A host that was not heard for its lease may be
// dropped by any other; the instances of its chunks that have no result then lie in ranges again.
// Whatever a dropped host commits changes nothing: its id, which is never used again, is its fence.
//
// It knows rows, not what they mean, as DurableStore does. Positions of results are given in the
// transaction that brings them; nobody sees a position before those in front of it. All times are
// the database's.
//
// Threads: any. Every method of its parts waits for the database. Errors of all: MACHINE_FAULT (it
// does not answer, or this host was dropped: then is_dropped), NOSPACE, IO_ERROR. What fails has
// changed nothing, but where the connection was lost while it committed: then it may have changed
// all. Each may be tried again: what was there already is left as it is.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/status.h"
#include "daemon/database/durable_store.h"
#include "scheduler/job/instance_set.h"

namespace wb {

// A daemon from when it entered until it was dropped or has left.
struct HostRow {
  int64_t id = 0;
  std::string name;
  std::string facts;                    // of its devices; bytes of whoever reads them
  std::chrono::nanoseconds silent_for;  // since it was heard
  bool is_dropped = false;
};

// A job as it stands.
struct SharedJob {
  std::string id;
  std::string tenant;
  std::string shown;   // JobRow
  std::string record;  // likewise
  uint32_t state = 0;  // a number, for lists
  bool ended = false;
  uint64_t version = 0;  // rises with every change, by one; not with claims
  uint64_t open = 0;     // instances in ranges
  uint64_t claimed = 0;  // in chunks, without results
  uint64_t oldest = 0;   // position of the first result that can be read
  uint64_t next = 0;     // after the last result
  uint64_t bytes = 0;    // of the blocks that are there
  // When results of it or its record came last, by the database's clock. Never goes back.
  int64_t changed_unix_ns = 0;
};

// What is new of a job. As the row had it, where a part is not set.
struct SharedChange {
  std::optional<std::string> record;
  std::optional<uint32_t> state;
  bool ends = false;  // it has ended; a long request goes
  // Of a job that ends: ForgetExpired forgets it then.
  std::optional<std::chrono::nanoseconds> kept_for;
  bool closes_ranges = false;  // nobody may claim what nobody runs
};

struct NewSharedJob {
  JobRow row;
  std::string tenant;
  std::string request_key;  // of the tenant's request id; "": not idempotent
  uint32_t state = 0;
  uint64_t instances = 0;
  uint64_t ranges = 1;  // that they begin in, each a multiple of `group` long but the last
  uint32_t group = 1;
};

// Instances [first, first + count) of a job, of this host alone.
struct Chunk {
  int64_t id = 0;
  std::string job;
  InstanceRange instances;
  uint32_t attempt = 1;  // rises when a host is dropped
};

// Results of a chunk.
struct ChunkResults {
  int64_t chunk = 0;
  // The how-manieth commit of the chunk this is, from 1: one that comes again, since its answer was
  // lost, changes nothing and is well.
  uint64_t number = 1;
  std::vector<InstanceRange> left;  // instances without a result; none: the chunk ends
  std::vector<BlockRow> blocks;     // in order; `first` counts from the first of them
};

// What becomes of a job that nobody else changes meanwhile. Its error is the answer, and changes
// nothing. One that closes ranges or ends the job may be asked for once more, when claims that were
// under way have ended; the last answer counts.
using DecideChange = std::function<Result<SharedChange>(const SharedJob& job)>;

// SharedHosts: the daemons that share the store, and this one among them.
class SharedHosts {
 public:
  virtual ~SharedHosts() = default;
  // Becomes a host with a new id. Also again, after it was dropped.
  virtual Status Enter() = 0;
  virtual int64_t id() const = 0;       // of this host
  virtual bool is_dropped() const = 0;  // as far as this one has heard
  virtual Status Beat(const std::string& facts) = 0;
  virtual Status Leave() = 0;  // its chunks go back to ranges, and it is dropped
  virtual Result<std::vector<HostRow>> All() = 0;  // also those dropped less than a minute ago
  // Drops hosts that were not heard for `lease`; how many. None, unless this host itself has been
  // heard, and the server has run, for a lease: after a server's restart all have time to be heard.
  virtual Result<uint64_t> DropSilent(std::chrono::nanoseconds lease) = 0;
};

// SharedJobRows: the jobs, their requests and their results.
class SharedJobRows {
 public:
  virtual ~SharedJobRows() = default;
  // The id of the job that has the request key; `row.id` if this made it.
  virtual Result<std::string> Create(const NewSharedJob& job) = 0;
  virtual Result<std::optional<SharedJob>> Find(const std::string& id) = 0;
  virtual Result<std::optional<std::string>> FindRequest(const std::string& tenant,
                                                         const std::string& request_key) = 0;
  // Of these states (bit = number), of this tenant if set; newest id first, older than `after`
  // ("" is none), at most `limit`.
  virtual Result<std::vector<SharedJob>> List(uint32_t states,
                                              const std::optional<std::string>& tenant,
                                              const std::string& after, size_t limit) = 0;
  // Every job's id and version, by id.
  virtual Result<std::vector<std::pair<std::string, uint64_t>>> Versions() = 0;
  // Jobs that have not ended and have instances in ranges, oldest first.
  virtual Result<std::vector<SharedJob>> Claimable(size_t limit) = 0;
  virtual Result<std::string> ReadRequest(const std::string& job) = 0;  // as DurableStore's
  virtual Status Change(const std::string& job, const DecideChange& decide) = 0;  // NOT_FOUND
  virtual Status Forget(const std::string& job) = 0;  // with its results
  virtual Result<uint64_t> ForgetExpired() = 0;       // some of the ended jobs whose time has come
  // Results of blocks that begin at positions before this one; their heads stay.
  virtual Status Drop(const std::string& job, uint64_t before) = 0;
  // The same of all results of an ended job that nobody reads. False: somebody does (NoteReaders),
  // or it has not ended.
  virtual Result<bool> DropUnread(const std::string& job) = 0;
  // Clients of this host read these jobs, for so long from now. An ended job is taken to be read
  // for half a minute by itself.
  virtual Status NoteReaders(const std::vector<std::string>& jobs,
                             std::chrono::nanoseconds time) = 0;
  virtual Result<BlockRow> ReadBlock(const std::string& job, uint64_t position) = 0;
};

// SharedChunks: the chunks of this host.
class SharedChunks {
 public:
  virtual ~SharedChunks() = default;
  // At most `count` instances of one range of the job; nullopt: there are none that nobody else is
  // claiming at this moment. A multiple of `group`, at least one, or the range's end.
  virtual Result<std::optional<Chunk>> Claim(const std::string& job, uint64_t count,
                                             uint32_t group) = 0;
  // Results of chunks of one job, and what becomes of it, in one transaction. `decide` sees the job
  // as the results leave it, and is not called where they were there before. NOT_FOUND: the job is
  // not there, or not a chunk of this host: it was given back, or has ended. INTERNAL: not as many
  // results as instances that have none in `left` any more.
  virtual Status Commit(const std::string& job, const std::vector<ChunkResults>& results,
                        const DecideChange& decide) = 0;
  // The chunk's instances without results go back to ranges, if those are not closed; their attempt
  // stays. NOT_FOUND: it is not there, or not this host's.
  virtual Status GiveBack(int64_t chunk) = 0;
  // The same, and what becomes of its job by it, in one transaction: `decide` sees the job without
  // the chunk. A chunk goes back once, so what is brought with it counts once: NOT_FOUND where the
  // answer to this was lost before.
  virtual Status GiveBackWith(const std::string& job, int64_t chunk,
                              const DecideChange& decide) = 0;
};

// SharedNews: which jobs others have changed.
class SharedNews {
 public:
  virtual ~SharedNews() = default;
  // Waits until jobs have changed, at most for `most`. Their ids; empty: none has, or the
  // connection was lost meanwhile. From one thread.
  virtual std::vector<std::string> Await(std::chrono::nanoseconds most) = 0;
  virtual void Stop() = 0;  // Await returns, now and from now on
};

class SharedStore {
 public:
  virtual ~SharedStore() = default;
  // Parts of the store, which live as long as it.
  virtual SharedHosts& hosts() = 0;
  virtual SharedJobRows& jobs() = 0;
  virtual SharedChunks& chunks() = 0;
  virtual SharedNews& news() = 0;

  virtual void Tidy() = 0;  // as DurableStore's; any host
  virtual const std::string& place() const = 0;
};

}  // namespace wb
