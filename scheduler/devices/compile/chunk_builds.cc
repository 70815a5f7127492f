#include "scheduler/devices/compile/chunk_builds.h"

#include <algorithm>
#include <optional>
#include <thread>

#include "compiler/base/mutex.h"

namespace wb {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Of few texts, which may use two processors each; of many (bench/docs/compile_times_gpu.md).
constexpr uint32_t kMostOfFew = 8;
constexpr uint32_t kMostOfMany = 16;
constexpr uint64_t kLeastMemoryBytes = uint64_t{1} << 30;

// Hands out builds by number until one has failed, and keeps the report of that one. It begins with
// the last, which has most to do (the entry, and what calls by number).
class Queue {
 public:
  explicit Queue(size_t size) : left_(size) {}

  std::optional<size_t> Next() {
    const MutexLock lock(mutex_);
    if (failed_ || left_ == 0) return std::nullopt;
    return --left_;
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
  Mutex mutex_;
  size_t left_ WB_GUARDED_BY(mutex_);
  bool failed_ WB_GUARDED_BY(mutex_) = false;
  Result<ChildReport> report_ WB_GUARDED_BY(mutex_) = ChildReport{};
};

}  // namespace

bool Succeeded(const ChildReport& report) {
  return !report.timed_out && report.signal == 0 && report.exit_code == 0;
}

uint32_t ChunkBuilds::MostOfFew() { return AtOnce(kMostOfFew); }

uint32_t ChunkBuilds::AtOnce(size_t builds) {
  const uint32_t most = builds > 2 * kMostOfFew ? kMostOfMany : kMostOfFew;
  const uint32_t processors = std::clamp(std::thread::hardware_concurrency(), 1u, most);
  return static_cast<uint32_t>(std::min<size_t>(processors, builds));
}

ChunkBuilds::ChunkBuilds(const ChildLimits& limits)
    : limits_(limits), deadline_(SteadyClock::now() + limits.max_time) {}

ChildLimits ChunkBuilds::LimitsOfEach(uint32_t at_once) const {
  ChildLimits limits = limits_;
  limits.max_memory_bytes = std::min(
      limits.max_memory_bytes, std::max(limits.max_memory_bytes / at_once, kLeastMemoryBytes));
  limits.max_time =
      std::chrono::ceil<std::chrono::milliseconds>(std::max(deadline_ - SteadyClock::now(), {}));
  return limits;
}

Result<ChildReport> ChunkBuilds::Run() {
  const uint32_t at_once = AtOnce(builds_.size());
  Queue queue(builds_.size());
  const auto work = [&] {
    while (const auto next = queue.Next()) {
      Build& build = builds_[*next];
      queue.Take(build.compile.Run(build.argv, LimitsOfEach(at_once)));
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 1; i < at_once; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return queue.report();
}

}  // namespace wb
