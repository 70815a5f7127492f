#include "tests/spec/build_pool.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "tests/spec/wast_file.h"

namespace wb::spec {
namespace {

namespace fs = std::filesystem;

}  // namespace

BinaryStore::BinaryStore(fs::path folder) : folder_(std::move(folder)) {
  std::error_code ignored;
  if (!folder_.empty()) fs::create_directories(folder_, ignored);
}

std::optional<Bytes> BinaryStore::Find(const Digest& key) const {
  if (folder_.empty()) return std::nullopt;
  auto file = ReadFileBytes(folder_ / key.Hex());
  if (!file.ok() || file->size() < sizeof(Digest::bytes)) return std::nullopt;
  Digest digest;
  std::copy_n(file->begin(), digest.bytes.size(), digest.bytes.begin());
  file->erase(file->begin(), file->begin() + digest.bytes.size());
  if (Sha256(*file) != digest) return std::nullopt;
  return std::move(file).value();
}

// A name of its own, then renamed: a reader sees the whole file or none. Failures are only misses
// later on.
void BinaryStore::Keep(const Digest& key, ByteView binary) const {
  if (folder_.empty()) return;
  const fs::path path = folder_ / key.Hex();
  fs::path temporary = path;
  temporary += "." + std::to_string(getpid());
  {
    const Digest digest = Sha256(binary);
    std::ofstream out(temporary, std::ios::binary);
    out.write(reinterpret_cast<const char*>(digest.bytes.data()),
              static_cast<std::streamsize>(digest.bytes.size()));
    out.write(reinterpret_cast<const char*>(binary.data()),
              static_cast<std::streamsize>(binary.size()));
  }
  std::error_code ignored;
  fs::rename(temporary, path, ignored);
}

BuildPool::BuildPool(Device* device, fs::path cache_folder, unsigned threads, Effort effort)
    : device_(device), effort_(effort), store_(std::move(cache_folder)) {
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { Work(); });
}

BuildPool::~BuildPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    tasks_.clear();
  }
  work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

BuildPool::Future BuildPool::Submit(std::shared_ptr<const LoweredModule> module,
                                    KernelSource source) {
  Task task;
  DigestBuilder key;
  key.Add(ByteView(source.digest.bytes)).Add(device_->info().target);
  if (effort_ == Effort::kQuick) key.Add("quick");
  task.key = key.Finish();
  task.module = std::move(module);
  task.source = std::move(source);
  const std::lock_guard lock(mutex_);
  const auto it = futures_.find(task.key);
  if (it != futures_.end()) return it->second;
  const Future future = task.done.get_future().share();
  futures_[task.key] = future;
  tasks_.push_back(std::move(task));
  work_.notify_one();
  return future;
}

Result<Bytes> BuildPool::Build(const Task& task) {
  if (auto binary = store_.Find(task.key)) {
    const std::lock_guard lock(mutex_);
    ++loaded_;
    return std::move(*binary);
  }
  auto built = device_->Build(*task.module, task.source, effort_);
  if (built.ok()) store_.Keep(task.key, *built);
  const std::lock_guard lock(mutex_);
  ++built_;
  return built;
}

void BuildPool::Work() {
  for (;;) {
    std::unique_lock lock(mutex_);
    work_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
    if (stopping_) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task.done.set_value(std::make_shared<const Result<Bytes>>(Build(task)));
  }
}

size_t BuildPool::built() const {
  const std::lock_guard lock(mutex_);
  return built_;
}

size_t BuildPool::loaded() const {
  const std::lock_guard lock(mutex_);
  return loaded_;
}

}  // namespace wb::spec
