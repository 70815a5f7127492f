#include "daemon/store/module_store.h"

#include <utility>

#include "daemon/store/names.h"

namespace wb {

Status NoSuchModule(const Digest& digest) {
  return Status(Reason::kNotFound, "There is no module [" + ModuleName(digest) + "].",
                {{"resource_type", "module"}, {"resource", ModuleName(digest)}});
}

Result<StoredModule> MemoryModuleStore::Put(std::shared_ptr<const Module> module, Status runnable,
                                            int64_t create_unix_ns) {
  MutexLock lock(mutex_);
  auto at = modules_.find(module->digest());
  if (at != modules_.end()) return at->second;
  uint64_t size = module->binary().size();
  if (size > max_bytes_ - bytes_) {
    return Status(Reason::kStoreFull, "The stored modules hold [" + std::to_string(bytes_) +
                                          "] bytes; [" + std::to_string(size) +
                                          "] more would exceed modules.max_total_bytes [" +
                                          std::to_string(max_bytes_) + "].");
  }
  StoredModule stored{std::move(module), std::move(runnable), create_unix_ns};
  modules_[stored.module->digest()] = stored;
  bytes_ += size;
  return stored;
}

Result<StoredModule> MemoryModuleStore::Get(const Digest& digest) const {
  MutexLock lock(mutex_);
  auto at = modules_.find(digest);
  if (at == modules_.end()) return NoSuchModule(digest);
  return at->second;
}

std::vector<StoredModule> MemoryModuleStore::List(const Digest* after, size_t limit) const {
  MutexLock lock(mutex_);
  std::vector<StoredModule> row;
  auto at = after == nullptr ? modules_.begin() : modules_.upper_bound(*after);
  for (; at != modules_.end() && row.size() < limit; ++at) row.push_back(at->second);
  return row;
}

Status MemoryModuleStore::Delete(const Digest& digest) {
  MutexLock lock(mutex_);
  auto at = modules_.find(digest);
  if (at == modules_.end()) return NoSuchModule(digest);
  bytes_ -= at->second.module->binary().size();
  modules_.erase(at);
  return {};
}

uint64_t MemoryModuleStore::count() const {
  MutexLock lock(mutex_);
  return modules_.size();
}

uint64_t MemoryModuleStore::bytes() const {
  MutexLock lock(mutex_);
  return bytes_;
}

}  // namespace wb
