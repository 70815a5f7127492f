#pragma once

// PipelineBuilder: kernel texts to binaries: from memory, from the cache on disk, or by the
// device's compiler; each key is built once however many ask. A long text is built twice where the
// device has a quick way: first that, then the full one behind it. Used on the desk's thread only.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "scheduler/device_loop.h"
#include "scheduler/lowering.h"
#include "scheduler/lru.h"
#include "scheduler/pipeline_cache.h"
#include "scheduler/work_queue.h"

namespace wb {

struct BuiltPipeline {
  PreparedPipeline pipeline;
  bool cached = false;
  std::chrono::nanoseconds time{};  // of the device's compiler; 0 if cached
};
using BuiltDone = std::function<void(Result<BuiltPipeline>)>;

// Who waits for a pipeline; all run on the desk's thread.
struct BuildWaiter {
  BuiltDone done;                     // once; perhaps before Get() returns
  std::function<void()> compiling{};  // before it, if it has to wait for a compiler; may be empty
  // After `done` gave a quick pipeline: the full one, or why there is none; may be empty, may never
  // run.
  std::function<void(const Result<BuiltPipeline>&)> better{};
};

class PipelineBuilder {
 public:
  struct Queues {
    WorkQueue& desk;    // runs the answers
    WorkQueue& worker;  // reads the cache
  };
  struct Limits {
    uint64_t max_text_bytes = ~uint64_t{0};
    // A compiler that failed on a text is not asked again for so long.
    std::chrono::nanoseconds retry_after = std::chrono::minutes(30);
  };
  // `devices`: each with how many builds it may have under way, and one more behind a quick one. No
  // build of one waits behind one of another, and no first build behind a full one of that kind.
  PipelineBuilder(PipelineCache& cache, Clock& clock, Queues queues, const Limits& limits,
                  const std::map<DeviceLoop*, uint32_t>& devices);

  // Errors: COMPILE_FAILED for a text beyond the limit; the device's COMPILE_FAILED and
  // COMPILE_TIMEOUT, which are remembered; DEVICE_LOST when the device does not come back. A source
  // without text (the interpreter's) does not go to the disk.
  void Get(LoweredRef lowered, DeviceLoop& device, BuildWaiter waiter);

  // As Get, but no compiler is started: NO_DEVICE_FITS when there is none yet, in memory or on
  // disk. A build under way for others is not waited for.
  void Find(const LoweredRef& lowered, DeviceLoop& device, BuiltDone done);

  // Forgets a binary that did not load, here and on disk; `bad` ok: it may be built again.
  void Forget(const Digest& key, const Status& bad);

  // Waits for the builds under way, drops the others. After the devices were closed.
  void Close();

 private:
  struct Request {
    Digest key;
    LoweredRef lowered;
    DeviceLoop* device = nullptr;
    std::string target;
    bool has_quick = false;  // a quick build is worth it
    bool on_disk() const { return !lowered->source.text.empty(); }
    CacheLabel Label(Effort effort) const;
    PreparedPipeline With(std::shared_ptr<const Bytes> binary, Effort effort) const;
  };
  using Outcome = Result<BuiltPipeline>;
  struct Failure {
    Status status;
    TimePoint since;
  };
  struct Flight {
    bool compiling = false;
    std::optional<BuiltPipeline> quick;  // while the full one is built
    std::vector<BuildWaiter> waiters;
  };

  struct Builds {
    explicit Builds(uint32_t at_once) : first(at_once) {}
    WorkQueue first;
    WorkQueue behind{1};  // full builds of what has a quick one
  };

  Request RequestFor(LoweredRef lowered, DeviceLoop& device) const;
  const Status* KnownFailure(const Digest& key);
  void Look(const Request& request);
  bool LookFor(const Request& request, Effort effort);
  void PostBuild(const Request& request, Effort effort, bool behind);
  void Build(const Request& request, Effort effort);
  Outcome BuildOnDevice(const Request& request, Effort effort);
  void SayCompiling(const Digest& key);
  void Answer(const Request& request, Outcome outcome);
  void TakeQuick(const Digest& key, const BuiltPipeline& quick);
  void Finish(const Digest& key, const Outcome& outcome);

  PipelineCache& cache_;
  Clock& clock_;
  Queues queues_;
  const Limits limits_;
  std::map<const DeviceLoop*, std::unique_ptr<Builds>> builds_;  // as constructed
  Lru<Digest, PreparedPipeline> known_;
  Lru<Digest, Failure> failures_;
  std::map<Digest, Flight> flights_;
};

}  // namespace wb
