#pragma once

// PipelineCache: what devices' compilers built, on disk, so that a module compiles once per machine
// and compiler. One file per entry (cache_entry.h), written beside and renamed, verified whole when
// loaded. Nothing that happens to the directory is an error of a job: what cannot be read is a miss
// and what cannot be written is only reported to `log`.
//
// Threads: all methods from any thread. No lock is held while files are read or written.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "scheduler/pipelines/cache_entry.h"
#include "scheduler/pipelines/cache_figures.h"

namespace wb {

class PipelineCache {
 public:
  struct Options {
    std::string directory;  // created with its parents, mode 0700; holds executable code
    uint64_t max_bytes = uint64_t{1} << 30;            // on disk, in real blocks
    std::function<void(const std::string&)> log = {};  // one sentence; any thread
    CacheKey key = CacheKey::Random();                 // that entries are signed with
  };

  // IO_ERROR when the directory cannot be made, is not one, or belongs to another user.
  static Result<std::unique_ptr<PipelineCache>> Open(Options options);

  // The binary under label.key if it is there, whole and signed with this cache's key; counts a
  // hit or a miss, and of misses the corrupt and the foreign entries, which are removed. `is_best`
  // gets what Store() was told, and may be null.
  std::optional<Bytes> Load(const CacheLabel& label, bool* is_best = nullptr);
  // In the place of what is there under this key. Evicts the least recently used first.
  void Store(const CacheLabel& label, ByteView payload, bool is_best = false);
  void Remove(const Digest& key);  // and its notes

  // A few bytes that lie beside an entry and go with it, one for each target that asks; checked as
  // entries are, and not counted. What is damaged is removed.
  std::optional<Bytes> LoadNote(const CacheLabel& label);
  void StoreNote(const CacheLabel& label, ByteView payload);

  std::vector<CacheEntry> List() const;  // most recently used first
  CacheStats Stats() const;
  // Bytes freed. Not all: what was not used since Open(), and leftovers of broken writes.
  Result<uint64_t> Prune(bool all);

 private:
  explicit PipelineCache(Options options);
  Status MakeFolders() const;
  std::string PathOf(const Digest& key) const;
  std::string RecordPathOf(const CacheLabel& label) const;
  bool Publish(const std::string& path, ByteView head, ByteView payload);
  void Evict(uint64_t wanted_bytes);
  void Discard(const std::string& path, EntryFault fault);
  void Log(const std::string& message) const;

  const Options options_;
  const std::string entries_;    // directory/pipelines
  const std::string temporary_;  // directory/tmp
  const int64_t opened_unix_ns_;
  // Counters of their own, read for display: relaxed.
  std::atomic<uint64_t> hits_{0}, misses_{0}, corrupt_{0}, foreign_{0}, evictions_{0}, writes_{0};
  Mutex evicting_;  // one eviction at a time, so that two writers do not both make the same room
};

}  // namespace wb
