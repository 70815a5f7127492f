#include "scheduler/pipelines/pipeline_cache.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <utility>

#include "scheduler/base/disk_file.h"
#include "scheduler/base/quoted.h"
#include "scheduler/pipelines/cache_files.h"

namespace wb {
namespace {

constexpr std::string_view kSuffix = ".wbp";
constexpr std::string_view kNoteSuffix = ".wbn";
constexpr size_t kNoteTargetDigits = 16;
constexpr uint64_t kDiskBlockBytes = 4096;

int64_t UnixNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// The key that a file name stands for, nullopt for what is no entry.
std::optional<Digest> KeyOf(std::string_view name) {
  if (name.size() <= kSuffix.size()) return std::nullopt;
  if (name.substr(name.size() - kSuffix.size()) != kSuffix) return std::nullopt;
  return Digest::FromHex(name.substr(0, name.size() - kSuffix.size()));
}

// An entry and its notes begin with its key.
bool IsOf(const CacheFile& file, const Digest& key) { return file.name.starts_with(key.Hex()); }

uint64_t SizeOf(const std::vector<CacheFile>& files) {
  uint64_t bytes = 0;
  for (const CacheFile& file : files) bytes += file.bytes;
  return bytes;
}

}  // namespace

PipelineCache::PipelineCache(Options options)
    : options_(std::move(options)),
      entries_(options_.directory + "/pipelines"),
      temporary_(options_.directory + "/tmp"),
      opened_unix_ns_(UnixNs()) {}

Result<std::unique_ptr<PipelineCache>> PipelineCache::Open(Options options) {
  if (options.directory.empty()) {
    return Status(Reason::kIoError, "The pipeline cache needs a directory; none is named.");
  }
  std::unique_ptr<PipelineCache> cache(new PipelineCache(std::move(options)));
  WB_TRY(cache->MakeFolders());
  WriteCacheTag(cache->options_.directory);
  return cache;
}

Status PipelineCache::MakeFolders() const {
  for (const std::string& folder : {options_.directory, entries_, temporary_}) {
    WB_TRY(MakePrivateFolder(folder, "The cache directory"));
  }
  return {};
}

std::string PipelineCache::PathOf(const Digest& key) const {
  return entries_ + "/" + key.Hex() + std::string(kSuffix);
}

std::string PipelineCache::RecordPathOf(const CacheLabel& label) const {
  const std::string target = Sha256(AsBytes(label.target)).Hex().substr(0, kNoteTargetDigits);
  return entries_ + "/" + label.key.Hex() + "." + target + std::string(kNoteSuffix);
}

void PipelineCache::Log(const std::string& message) const {
  if (options_.log) options_.log(message);
}

std::optional<Bytes> PipelineCache::Load(const CacheLabel& label, bool* is_best) {
  const std::string path = PathOf(label.key);
  bool missing = false;
  std::optional<Bytes> file = ReadAndTouch(path, &missing);
  EntryReading reading{EntryFault::kDamaged};
  if (file) reading = ReadEntry(*std::move(file), label, options_.key);
  if (reading.fault == EntryFault::kNone) {
    if (is_best != nullptr) *is_best = reading.is_best;
    hits_.fetch_add(1, std::memory_order_relaxed);
    return std::move(reading.payload);
  }
  misses_.fetch_add(1, std::memory_order_relaxed);
  if (!missing) Discard(path, reading.fault);
  return std::nullopt;
}

// After an update or with a new key all entries are foreign: one of them is told of.
void PipelineCache::Discard(const std::string& path, EntryFault fault) {
  const std::string entry = "The cache entry " + Quoted(path) + " ";
  if (fault == EntryFault::kDamaged) {
    corrupt_.fetch_add(1, std::memory_order_relaxed);
    Log(entry + "is damaged; it is removed and built again.");
  } else if (foreign_.fetch_add(1, std::memory_order_relaxed) == 0) {
    Log(entry +
        "is not signed with this daemon's key: another daemon wrote it, or one with another key. "
        "It is removed and built again, and so are others like it.");
  }
  RemoveAnything(path);
}

void PipelineCache::Store(const CacheLabel& label, ByteView payload, bool is_best) {
  if (label.target.size() > kMaxTargetBytes) return;
  const Bytes head = EncodeCacheHead(label, payload, options_.key, is_best);
  const uint64_t bytes =
      (head.size() + payload.size() + kDiskBlockBytes - 1) / kDiskBlockBytes * kDiskBlockBytes;
  if (bytes > options_.max_bytes) {
    Log("A pipeline of " + Quoted(bytes) + " bytes is larger than the whole cache of " +
        Quoted(options_.max_bytes) + " and is not kept.");
    return;
  }
  Evict(bytes);
  // Once more with the directories made anew: another program may have removed them.
  const std::string path = PathOf(label.key);
  if (Publish(path, head, payload)) return;
  if (MakeFolders().ok()) {
    WriteCacheTag(options_.directory);
    if (Publish(path, head, payload)) return;
  }
  Log("The pipeline cache cannot write to " + Quoted(options_.directory) + ": " +
      std::strerror(errno) + ". Jobs go on; their pipelines are built again next time.");
}

bool PipelineCache::Publish(const std::string& path, ByteView head, ByteView payload) {
  const std::string temporary = temporary_ + path.substr(path.rfind('/')) + "." +
                                std::to_string(::getpid()) + "." +
                                std::to_string(writes_.fetch_add(1, std::memory_order_relaxed));
  if (WriteNew(temporary, {head, payload})) {
    if (RenameFlushed(temporary, path, entries_)) return true;
    if (errno == EISDIR || errno == ENOTEMPTY || errno == ENOTDIR) {
      RemoveAnything(path);
      if (RenameFlushed(temporary, path, entries_)) return true;
    }
  }
  const int reason = errno;
  RemoveAnything(temporary);
  errno = reason;
  return false;
}

std::optional<Bytes> PipelineCache::LoadNote(const CacheLabel& label) {
  const std::string path = RecordPathOf(label);
  bool missing = false;
  std::optional<Bytes> file = ReadAndTouch(path, &missing);
  EntryReading reading{EntryFault::kDamaged};
  if (file) reading = ReadEntry(*std::move(file), label, options_.key);
  if (reading.fault == EntryFault::kNone) return std::move(reading.payload);
  if (!missing) RemoveAnything(path);
  return std::nullopt;
}

void PipelineCache::StoreNote(const CacheLabel& label, ByteView payload) {
  if (label.target.size() > kMaxTargetBytes) return;
  Evict(kDiskBlockBytes);
  (void)Publish(RecordPathOf(label), EncodeCacheHead(label, payload, options_.key), payload);
}

void PipelineCache::Remove(const Digest& key) {
  for (const CacheFile& file : ListByUse(entries_)) {
    if (IsOf(file, key)) RemoveAnything(entries_ + "/" + file.name);
  }
}

// With an entry go its notes.
void PipelineCache::Evict(uint64_t wanted_bytes) {
  MutexLock lock(evicting_);
  std::vector<CacheFile> files = ListByUse(entries_);
  uint64_t bytes = SizeOf(files);
  const auto remove = [&](CacheFile& file) {
    RemoveAnything(entries_ + "/" + file.name);
    bytes -= std::exchange(file.bytes, 0);
  };
  for (CacheFile& file : files) {
    if (bytes + wanted_bytes <= options_.max_bytes) return;
    remove(file);
    const std::optional<Digest> key = KeyOf(file.name);
    if (!key) continue;
    for (CacheFile& other : files) {
      if (IsOf(other, *key)) remove(other);
    }
    evictions_.fetch_add(1, std::memory_order_relaxed);
  }
}

std::vector<CacheEntry> PipelineCache::List() const {
  std::vector<CacheEntry> entries;
  const std::vector<CacheFile> files = ListByUse(entries_);
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    if (!KeyOf(file->name)) continue;
    const std::optional<FileBegin> begin =
        ReadBegin(entries_ + "/" + file->name, kCacheHeadBytes + kMaxTargetBytes);
    if (!begin) continue;
    const std::optional<CacheHead> head = DecodeCacheHead(begin->begin, begin->file_bytes);
    if (!head) continue;
    entries.push_back({head->label.key.Hex(), head->label.module.Hex(), head->label.target,
                       file->bytes, file->used_unix_ns / 1000000});
  }
  return entries;
}

CacheStats PipelineCache::Stats() const {
  CacheStats stats;
  stats.hits = hits_.load(std::memory_order_relaxed);
  stats.misses = misses_.load(std::memory_order_relaxed);
  stats.corrupt = corrupt_.load(std::memory_order_relaxed);
  stats.foreign = foreign_.load(std::memory_order_relaxed);
  stats.evictions = evictions_.load(std::memory_order_relaxed);
  stats.bytes = SizeOf(ListByUse(entries_));
  stats.max_bytes = options_.max_bytes;
  return stats;
}

Result<uint64_t> PipelineCache::Prune(bool all) {
  uint64_t freed = 0;
  for (const std::string& folder : {entries_, temporary_}) {
    for (const CacheFile& file : ListByUse(folder)) {
      if (!all && file.used_unix_ns >= opened_unix_ns_) continue;
      RemoveAnything(folder + "/" + file.name);
      freed += file.bytes;
    }
  }
  return freed;
}

}  // namespace wb
