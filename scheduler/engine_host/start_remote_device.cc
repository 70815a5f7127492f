#include "scheduler/engine_host/start_remote_device.h"

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "scheduler/base/quoted.h"
#include "scheduler/engine_host/connection.h"
#include "scheduler/engine_host/host_plan.h"
#include "scheduler/engine_host/messages.h"
#include "scheduler/engine_host/remote_device.h"

namespace wb {
namespace {

using wasmburst::engine::Reply;

Result<ConnectionRef> Connect(const EngineHostSettings& settings,
                              const std::function<void()>& on_lost) {
  return EngineConnection::Start(PlanOf(settings), on_lost);
}

Result<wasmburst::engine::Info> Greet(EngineConnection& connection,
                                      const EngineHostSettings& settings) {
  const Result<Reply> reply = connection.Call(HelloOf(settings), settings.patience);
  if (!reply.ok() && reply.status().reason() == Reason::kDeviceLost) {
    return Status(Reason::kIoError,
                  "The engine host " + Quoted(settings.program) + " ended at once.",
                  {{"path", settings.program}});
  }
  if (!reply.ok()) return reply.status();
  return reply->info();
}

// What the host that builds says of its compiler, in place of what the one that runs said.
Status TakeBuilds(const wasmburst::engine::Info& answer, DeviceInfo& info) {
  WB_ASSIGN(const DeviceInfo built, InfoOf(answer));
  info.target = built.target;
  info.quick_text_from = built.quick_text_from;
  info.quick_text_below = built.quick_text_below;
  info.best_text_below = built.best_text_below;
  info.few_registers = built.few_registers;
  info.tiled = built.tiled;
  info.hot = built.hot;
  return {};
}

// Of two hosts either may be lost, and the device with it.
std::function<void()> Once(std::function<void()> call) {
  return [call = std::move(call), called = std::make_shared<std::atomic<bool>>(false)] {
    if (!called->exchange(true)) call();
  };
}

std::function<void()> KillerOf(std::vector<std::weak_ptr<EngineConnection>> connections) {
  return [connections = std::move(connections)] {
    for (const auto& weak : connections) {
      if (const ConnectionRef alive = weak.lock()) alive->Kill();
    }
  };
}

void LogIsolation(const EngineHostSettings& settings, const std::string& isolation) {
  if (!settings.log || isolation.empty()) return;
  settings.log(Severity::kInfo, "The engine host of the device " + Quoted(settings.id) +
                                    " is isolated by: " + isolation + ".");
}

}  // namespace

// Two processes start side by side. The one that builds is told of its device once the other knows
// it.
Result<StartedDevice> StartRemoteDevice(const EngineHostSettings& settings,
                                        std::function<void()> on_lost) {
  const auto lost = Once(std::move(on_lost));
  const bool has_builder = HasBuilder(settings);
  const EngineHostSettings running = has_builder ? RunnerOf(settings) : settings;
  WB_ASSIGN(const ConnectionRef runner, Connect(running, lost));
  ConnectionRef builder = runner;
  if (has_builder) {
    WB_ASSIGN(builder, Connect(settings, lost));
  }
  WB_ASSIGN(const wasmburst::engine::Info answer, Greet(*runner, running));
  WB_ASSIGN(DeviceInfo info, InfoOf(answer));
  if (has_builder) {
    WB_ASSIGN(const auto built, Greet(*builder, BuilderOf(settings, info.target)));
    WB_TRY(TakeBuilds(built, info));
  }
  if (info.id != settings.id || info.engine != settings.engine) return NonsenseAnswer(settings.id);
  LogIsolation(settings, answer.isolation());
  StartedDevice started;
  started.device = std::make_shared<RemoteDevice>(runner, builder, std::move(info), settings);
  started.host_pid = runner->pid();
  started.silence = runner->silence();
  started.kill = KillerOf({runner, builder});
  return started;
}

Result<StartedInspection> StartRemoteInspection(const EngineHostSettings& settings,
                                                std::function<void()> on_lost) {
  EngineHostSettings inspecting = settings;
  inspecting.engine = Engine::kInterpreter;
  inspecting.inspects = true;
  WB_ASSIGN(StartedDevice started, StartRemoteDevice(inspecting, std::move(on_lost)));
  auto device = std::static_pointer_cast<RemoteDevice>(started.device);
  return StartedInspection{device, device, std::move(started.kill)};
}

}  // namespace wb
