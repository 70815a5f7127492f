#pragma once

// PipelineBuilder: kernel texts to binaries: from memory, from the cache on disk, or by the
// device's compiler; each key is built once however many ask. Used on the desk's thread only.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
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

class PipelineBuilder {
 public:
  struct Queues {
    WorkQueue& desk;    // runs the answers
    WorkQueue& worker;  // reads the cache
  };
  // `devices`: each with how many builds it may have under way. No build of one waits behind one of
  // another.
  PipelineBuilder(PipelineCache& cache, Clock& clock, Queues queues,
                  const std::map<DeviceLoop*, uint32_t>& devices);

  // `done` runs on the desk's thread, perhaps before this returns. Errors: the device's
  // COMPILE_FAILED and COMPILE_TIMEOUT, which are remembered; DEVICE_LOST when the device does not
  // come back. A source without text (the interpreter's) does not go to the disk.
  // `compiling` runs there before it when the answer has to wait for a compiler; may be empty.
  void Get(LoweredRef lowered, DeviceLoop& device, BuiltDone done,
           std::function<void()> compiling = {});

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
    CacheLabel label() const { return {key, lowered->module->program.module->digest(), target}; }
    bool on_disk() const { return !lowered->source.text.empty(); }
    PreparedPipeline With(std::shared_ptr<const Bytes> binary) const;
  };
  using Outcome = Result<BuiltPipeline>;
  struct Waiter {
    BuiltDone done;
    std::function<void()> compiling;
  };
  struct Flight {
    bool compiling = false;
    std::vector<Waiter> waiters;
  };

  void Look(const Request& request);
  void SayCompiling(const Digest& key);
  void Build(const Request& request);
  Outcome BuildOnDevice(const Request& request);
  void Answer(const Request& request, Outcome outcome);
  void Finish(const Request& request, const Outcome& outcome);

  PipelineCache& cache_;
  Clock& clock_;
  Queues queues_;
  std::map<const DeviceLoop*, std::unique_ptr<WorkQueue>> builds_;  // as constructed
  Lru<Digest, std::shared_ptr<const Bytes>> binaries_;
  Lru<Digest, Status> failures_;
  std::map<Digest, Flight> flights_;
};

}  // namespace wb
