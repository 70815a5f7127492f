#pragma once

// Builds kernels side by side and keeps the binaries on disk, so that a second run of the suite
// compiles nothing. A binary's key is the digest of its source and the device's target.

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "compiler/compiler.h"
#include "scheduler/devices/device.h"

namespace wb::spec {

// Binaries by key in one folder. A file is its content's digest and the content; anything else is
// a miss. Threads: any.
class BinaryStore {
 public:
  explicit BinaryStore(std::filesystem::path folder);
  std::optional<Bytes> Find(const Digest& key) const;
  void Keep(const Digest& key, ByteView binary) const;

 private:
  std::filesystem::path folder_;  // empty: keeps nothing
};

class BuildPool {
 public:
  using Binary = std::shared_ptr<const Bytes>;
  using Future = std::shared_future<std::shared_ptr<const Result<Bytes>>>;

  // The device outlives the pool. threads >= 1.
  BuildPool(Device* device, std::filesystem::path cache_folder, unsigned threads,
            Effort effort = Effort::kFull);
  ~BuildPool();  // waits for builds under way, drops the others

  // Queues the build, or joins the one of the same source.
  Future Submit(std::shared_ptr<const LoweredModule> module, KernelSource source);

  size_t built() const;   // compiled so far
  size_t loaded() const;  // taken from the folder so far

 private:
  struct Task {
    std::shared_ptr<const LoweredModule> module;
    KernelSource source;
    Digest key;
    std::promise<std::shared_ptr<const Result<Bytes>>> done;
  };
  void Work();
  Result<Bytes> Build(const Task& task);

  Device* device_;
  Effort effort_;
  BinaryStore store_;
  mutable std::mutex mutex_;
  std::condition_variable work_;
  std::deque<Task> tasks_;  // guarded by mutex_, like the next four
  std::map<Digest, Future> futures_;
  bool stopping_ = false;
  size_t built_ = 0;
  size_t loaded_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace wb::spec
