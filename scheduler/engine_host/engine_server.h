#pragma once

// EngineServer: the host's end of the line. It serves one device until the daemon hangs up.
//
// Threads: Serve() reads. Builds run on threads of their own, so that a launch and a compile go
// side by side. Launches are awaited on another thread, so that one can be begun while the one
// before it runs. Everything else runs on one owner thread in the order in which it came. The
// reader makes a stop at once, and the owner thread makes it once more in that order, for launches
// that were requested before it. The heartbeat has a thread of its own.

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "scheduler/base/lowered_modules.h"
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
  EngineServer(UniqueFd socket, DeviceMaker maker,
               uint32_t max_message_bytes = Channel::kMaxMessageBytes, std::string isolation = {});

  // Serves until the other end is gone or sends nonsense. Work may still be under way then: the
  // process is to end at once.
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
  Result<Reply> Keep(const Call& call);
  Result<Reply> Allocate(Call& call);
  Result<Reply> Adopt(const wasmburst::engine::Adopt& adopt);
  Result<Reply> ExportLanes(const Call& call);
  Result<Reply> ImportLanes(const Call& call);
  void Launch(uint64_t id, const wasmburst::engine::Launch& launch);
  void AnswerLaunch(uint64_t id);
  Result<Reply> Inspect(const wasmburst::engine::Inspect& inspect);
  Result<Reply> Sample();

  Channel channel_;
  Heartbeat heartbeat_{channel_};
  const DeviceMaker maker_;
  const std::string isolation_;  // what is in force, for the daemon
  const std::shared_ptr<SharedHostMemory> memory_ = std::make_shared<SharedHostMemory>();
  std::unique_ptr<Device> device_;

  // Used by the owner thread only. A handle is the id of the request that made the object.
  std::map<uint64_t, PipelineRef> pipelines_;
  std::map<uint64_t, KeptInputRef> inputs_;
  std::map<uint64_t, std::unique_ptr<wb::Dispatch>> dispatches_;

  // This process decodes and lowers a module once, whatever builds, loads and jobs follow.
  LoweredModules modules_;

  // Launches that have ended. What the daemon requests after the reply to a launch comes after that
  // launch here, too. The two threads have no other order between them.
  std::atomic<uint64_t> ended_launches_{0};
  WorkQueue owner_{1};
  WorkQueue launches_{1};
  std::unique_ptr<WorkQueue> builds_;  // as many threads as Hello asks for
};

}  // namespace wb
