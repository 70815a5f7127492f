#pragma once

// ModuleStore: decoded modules by digest. An interface, so that a store on disk can take the place
// of the one in memory. Threads: every method from any thread.

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "compiler/base/digest.h"
#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "compiler/wasm/module.h"

namespace wb {

struct StoredModule {
  std::shared_ptr<const Module> module;
  Status runnable;  // not ok: no job can use it, and why (an import, a feature)
  int64_t create_unix_ns = 0;
};

Status NoSuchModule(const Digest& digest);  // NOT_FOUND

class ModuleStore {
 public:
  virtual ~ModuleStore() = default;
  // Storing what is there already changes nothing. STORE_FULL.
  virtual Result<StoredModule> Put(std::shared_ptr<const Module> module, Status runnable,
                                   int64_t create_unix_ns) = 0;
  virtual Result<StoredModule> Get(const Digest& digest) const = 0;  // NOT_FOUND
  // By digest, those after `after` (nullptr: from the first), at most `limit`.
  virtual std::vector<StoredModule> List(const Digest* after, size_t limit) const = 0;
  virtual Status Delete(const Digest& digest) = 0;  // NOT_FOUND
  virtual uint64_t count() const = 0;
  virtual uint64_t bytes() const = 0;
};

// In memory: what it holds is lost with the process.
class MemoryModuleStore : public ModuleStore {
 public:
  explicit MemoryModuleStore(uint64_t max_bytes) : max_bytes_(max_bytes) {}

  Result<StoredModule> Put(std::shared_ptr<const Module> module, Status runnable,
                           int64_t create_unix_ns) override;
  Result<StoredModule> Get(const Digest& digest) const override;
  std::vector<StoredModule> List(const Digest* after, size_t limit) const override;
  Status Delete(const Digest& digest) override;
  uint64_t count() const override;
  uint64_t bytes() const override;

 private:
  const uint64_t max_bytes_;
  mutable Mutex mutex_;
  std::map<Digest, StoredModule> modules_ WB_GUARDED_BY(mutex_);
  uint64_t bytes_ WB_GUARDED_BY(mutex_) = 0;
};

}  // namespace wb
