#pragma once

// InputStore: uploaded columns by digest. An interface, so that a store on disk can take the place
// of the one in memory. Threads: every method from any thread.

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>

#include "compiler/base/digest.h"
#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "daemon/process/holdings.h"
#include "scheduler/job/job.h"

namespace wb {

struct StoredInput {
  Digest digest;
  uint64_t size_bytes = 0;  // of the Column message
  uint64_t values = 0;      // that it holds; 1 of a constant, 0 of a range
  int64_t create_unix_ns = 0;
  Column column;  // shares its values with the store and all jobs
};

// Bytes of one input, from the first that comes until nothing holds it any more.
class InputRoom {
 public:
  virtual ~InputRoom() = default;           // gives them back
  virtual Status Grow(uint64_t bytes) = 0;  // STORE_FULL
  virtual void Arrive() = 0;                // all of it has come
};

Status NoSuchInput(const Digest& digest);  // NOT_FOUND

class InputStore {
 public:
  virtual ~InputStore() = default;
  // Room for an input that is on its way. Inputs that no job uses make room, those first that were
  // used longest ago. Those of a tenant that are on their way may have half of what other tenants
  // leave of the bound, and those of a connection half of what other connections leave.
  virtual std::unique_ptr<InputRoom> OpenRoom(Whose whose) = 0;
  // `input` without its time. Storing what is there already changes nothing. STORE_FULL.
  virtual Result<StoredInput> Put(StoredInput input, std::unique_ptr<InputRoom> room) = 0;
  // NOT_FOUND. A use: the input is the last to make room.
  virtual Result<StoredInput> Get(const Digest& digest) = 0;
  // Jobs that use it keep it, and its bytes count until they have ended. NOT_FOUND.
  virtual Status Delete(const Digest& digest) = 0;
  virtual bool Has(const Digest& digest) const = 0;  // no use of it
  virtual uint64_t count() const = 0;
  virtual uint64_t bytes() const = 0;  // deleted inputs that jobs use and unfinished ones included
};

struct InputLimits {
  uint64_t max_bytes = 0;  // of all
  uint64_t max_inputs = 0;
};

// In memory: what it holds is lost with the process.
class MemoryInputStore : public InputStore {
 public:
  explicit MemoryInputStore(const InputLimits& limits) : limits_(limits) {}

  std::unique_ptr<InputRoom> OpenRoom(Whose whose) override;
  Result<StoredInput> Put(StoredInput input, std::unique_ptr<InputRoom> room) override;
  Result<StoredInput> Get(const Digest& digest) override;
  Status Delete(const Digest& digest) override;
  bool Has(const Digest& digest) const override;
  uint64_t count() const override;
  uint64_t bytes() const override;

 private:
  class Room;
  struct Record {
    StoredInput input;
    std::shared_ptr<InputRoom> room;  // jobs hold it with the column's data
    uint64_t used = 0;
  };
  Status Take(Whose whose, uint64_t bytes);
  Status CheckPart(Whose whose, uint64_t bytes) const WB_REQUIRES(mutex_);
  void Arrive(Whose whose, uint64_t bytes);  // or given up: it is not on its way any more
  // False: jobs use all that are left.
  bool EvictOne() WB_REQUIRES(mutex_);

  const InputLimits limits_;
  // Has its own life: jobs may hold inputs longer than the store.
  const std::shared_ptr<std::atomic<uint64_t>> bytes_ = std::make_shared<std::atomic<uint64_t>>(0);
  mutable Mutex mutex_;
  std::map<Digest, Record> inputs_ WB_GUARDED_BY(mutex_);
  // Bytes of rooms that hold no stored input yet.
  Holdings on_their_way_ WB_GUARDED_BY(mutex_);
  uint64_t uses_ WB_GUARDED_BY(mutex_) = 0;
};

}  // namespace wb
