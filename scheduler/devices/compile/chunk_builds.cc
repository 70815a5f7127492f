#include "scheduler/devices/compile/chunk_builds.h"

#include <algorithm>
#include <thread>

#include "compiler/base/mutex.h"

namespace wb {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kMostAtOnce = 8;
constexpr uint64_t kLeastMemoryBytes = uint64_t{1} << 30;

// Hands out builds by number until one has failed; keeps what the failed one reported.
class Queue {
 public:
  explicit Queue(size_t size) : size_(size) {}

  // The next one's number, or none.
  size_t Next() {
    const MutexLock lock(mutex_);
    return failed_ || next_ == size_ ? size_ : next_++;
  }
  void Take(Result<ChildReport> report) {
    const MutexLock lock(mutex_);
    if (failed_) return;
    failed_ = !report.ok() || !Succeeded(*report);
    report_ = std::move(report);
  }
  Result<ChildReport> report() {
    const MutexLock lock(mutex_);
    return report_;
  }

 private:
  const size_t size_;
  Mutex mutex_;
  size_t next_ WB_GUARDED_BY(mutex_) = 0;
  bool failed_ WB_GUARDED_BY(mutex_) = false;
  Result<ChildReport> report_ WB_GUARDED_BY(mutex_) = ChildReport{};
};

}  // namespace

bool Succeeded(const ChildReport& report) {
  return !report.timed_out && report.signal == 0 && report.exit_code == 0;
}

ChunkBuilds::ChunkBuilds(const ChildLimits& limits)
    : limits_(limits), deadline_(Clock::now() + limits.max_time) {}

ChildLimits ChunkBuilds::LimitsOfEach(uint32_t at_once) const {
  ChildLimits limits = limits_;
  limits.max_memory_bytes =
      std::min(limits.max_memory_bytes, std::max(limits.max_memory_bytes / at_once, kLeastMemoryBytes));
  limits.max_time =
      std::chrono::ceil<std::chrono::milliseconds>(std::max(deadline_ - Clock::now(), {}));
  return limits;
}

Result<ChildReport> ChunkBuilds::Run() const {
  const uint32_t processors = std::clamp(std::thread::hardware_concurrency(), 1u, kMostAtOnce);
  const auto at_once = static_cast<uint32_t>(std::min<size_t>(processors, builds_.size()));
  Queue queue(builds_.size());
  const auto work = [&] {
    for (size_t i = queue.Next(); i < builds_.size(); i = queue.Next()) {
      queue.Take(RunChild(builds_[i].argv, builds_[i].folder.path(), LimitsOfEach(at_once)));
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 1; i < at_once; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return queue.report();
}

Result<ChildReport> ChunkBuilds::RunLast(const std::string& folder,
                                         const std::vector<std::string>& argv) const {
  return RunChild(argv, folder, LimitsOfEach(1));
}

}  // namespace wb
