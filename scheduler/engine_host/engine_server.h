#pragma once

// EngineServer: the host's end of the line: one device, served until the daemon hangs up.
//
// Threads: Serve() reads; builds run on threads of their own, so that a launch and a compile go
// side by side; launches are awaited on another, so that one can be begun while the one before it
// runs; everything else runs on one owner thread in the order it came. A stop is done at once by
// the reader, and once more in that order, for launches that were asked for before it. That the
// process lives is said by yet another.

#include <atomic>
#include <functional>
#include <map>
#include <memory>

#include "compiler/base/mutex.h"
#include "scheduler/base/lru.h"
#include "scheduler/base/work_queue.h"
#include "scheduler/devices/device.h"
#include "scheduler/engine_host/channel.h"
#include "scheduler/engine_host/engine.pb.h"
#include "scheduler/engine_host/heartbeat.h"
#include "scheduler/engine_host/shared_memory.h"

namespace wb {

// Makes the device that a Hello asks for, with dispatches in the memory given.
using DeviceMaker = std::function<Result<std::unique_ptr<Device>>(
    const wasmburst::engine::Hello& hello, std::shared_ptr<HostMemory> memory)>;

class EngineServer {
 public:
  EngineServer(UniqueFd socket, DeviceMaker maker);

  // Until the other end is gone or talks nonsense. Work may still be under way then: the process
  // is to end at once.
  void Serve();

 private:
  using Request = wasmburst::engine::Request;
  using Reply = wasmburst::engine::Reply;
  struct Call {
    Request request;
    UniqueFd fd;
  };
  using CallRef = std::shared_ptr<Call>;

  bool Greet();
  void Dispatch(CallRef call);
  void Answer(uint64_t id, const Result<Reply>& reply);

  Result<Reply> Build(const wasmburst::engine::Build& build);
  Result<Reply> Own(Call& call);
  Result<Reply> Load(uint64_t id, const wasmburst::engine::Load& load);
  Result<Reply> Allocate(Call& call);
  Result<Reply> ExportLanes(const Call& call);
  Result<Reply> ImportLanes(const Call& call);
  void Launch(uint64_t id, const wasmburst::engine::Launch& launch);
  void AnswerLaunch(uint64_t id);
  Result<Reply> Sample();

  // Decoded and lowered again here, and remembered: Build and Load of one module are near.
  Result<std::shared_ptr<const LoweredModule>> Lowered(const std::string& wasm);

  Channel channel_;
  Heartbeat heartbeat_{channel_};
  const DeviceMaker maker_;
  const std::shared_ptr<SharedHostMemory> memory_ = std::make_shared<SharedHostMemory>();
  std::unique_ptr<Device> device_;

  // Of the owner thread. A handle is the id of the request that made the thing.
  std::map<uint64_t, PipelineRef> pipelines_;
  std::map<uint64_t, std::unique_ptr<wb::Dispatch>> dispatches_;

  Mutex mutex_;
  Lru<Digest, std::shared_ptr<const LoweredModule>> lowered_ WB_GUARDED_BY(mutex_);

  // What the daemon asks for after a launch's answer comes after the launch here, too: between the
  // two threads nothing but the daemon says so.
  std::atomic<uint64_t> ended_launches_{0};
  WorkQueue owner_{1};
  WorkQueue launches_{1};
  std::unique_ptr<WorkQueue> builds_;  // as many threads as Hello asks for
};

}  // namespace wb
