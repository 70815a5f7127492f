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
    WorkQueue& builds;  // waits for devices' compilers, minutes perhaps
    WorkQueue& quick;   // for sources without text: these never wait behind a compiler
  };
  PipelineBuilder(PipelineCache& cache, Clock& clock, Queues queues);

  // `done` runs on the desk's thread, perhaps before this returns. Errors: the device's
  // COMPILE_FAILED and COMPILE_TIMEOUT, which are remembered; DEVICE_LOST when the device does not
  // come back. A source without text (the interpreter's) does not go to the disk.
  void Get(LoweredRef lowered, DeviceLoop& device, BuiltDone done);

  // Forgets a binary that did not load, here and on disk; `bad` ok: it may be built again.
  void Forget(const Digest& key, const Status& bad);

 private:
  struct Request {
    Digest key;
    LoweredRef lowered;
    DeviceLoop* device = nullptr;
    std::string target;
    CacheLabel label() const { return {key, lowered->module->program.module->digest(), target}; }
    bool on_disk() const { return !lowered->source.text.empty(); }
  };
  using Outcome = Result<BuiltPipeline>;

  void Look(const Request& request);
  void Build(const Request& request);
  Outcome BuildOnDevice(const Request& request);
  void Answer(const Request& request, Outcome outcome);
  void Finish(const Request& request, const Outcome& outcome);

  PipelineCache& cache_;
  Clock& clock_;
  Queues queues_;
  Lru<Digest, std::shared_ptr<const Bytes>> binaries_;
  Lru<Digest, Status> failures_;
  std::map<Digest, std::vector<BuiltDone>> waiting_;
};

}  // namespace wb
