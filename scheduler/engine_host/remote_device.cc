#include "scheduler/engine_host/remote_device.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "scheduler/base/quoted.h"
#include "scheduler/engine_host/connection.h"
#include "scheduler/engine_host/inspection_messages.h"
#include "scheduler/engine_host/lane_transfer.h"
#include "scheduler/engine_host/messages.h"
#include "scheduler/engine_host/remote_dispatch.h"
#include "scheduler/engine_host/shared_memory.h"
#include "scheduler/sandbox/sandbox.h"

namespace wb {
namespace {

using wasmburst::engine::Reply;
using wasmburst::engine::Request;

// The slowest copy of an input to a device that is not counted as hung.
constexpr uint64_t kBytesPerSecond = uint64_t{100} << 20;

Status Nonsense(const std::string& id) {
  return Status(Reason::kDeviceLost, "The engine host of the device " + Quoted(id) +
                                         " answered with something else than was asked for.");
}

class RemoteDevice final : public Device, public InspectingDevice {
 public:
  RemoteDevice(ConnectionRef connection, ConnectionRef builder, DeviceInfo info,
               const EngineHostSettings& settings)
      : connection_(std::move(connection)),
        builder_(std::move(builder)),
        info_(std::move(info)),
        compile_time_(settings.compile.max_time),
        patience_(settings.patience) {}

  const DeviceInfo& info() const override { return info_; }
  Result<Bytes> Build(const LoweredModule& module, const KernelSource& source,
                      Effort effort) override;
  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule> module, ByteView binary) override;
  Result<KeptInputRef> Keep(const InputBytes& input) override;
  Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef& pipeline,
                                             const DispatchShape& shape) override;
  Status Begin(Dispatch& dispatch, const LaunchLimits& limits) override;
  Result<LaunchReport> Await() override;
  Status Adopt(Dispatch& dispatch, const PipelineRef& pipeline) override;
  void Stop() override;
  Result<std::vector<std::optional<LaneImage>>> ExportLanes(
      Dispatch& dispatch, std::span<const uint32_t> seats) override;
  Result<std::vector<Status>> ImportLanes(Dispatch& dispatch,
                                          std::span<const LanePlace> lanes) override;
  Telemetry Sample() override;
  Result<Inspection> Inspect(Dispatch& dispatch, const LaunchLimits& limits,
                             const InspectionRequest& request) override;

 private:
  Result<std::vector<Status>> ImportCopied(Dispatch& dispatch, std::span<const LanePlace> lanes);
  Result<std::vector<Status>> ImportLent(Dispatch& dispatch, std::span<const LanePlace> lanes,
                                         int shared);
  Result<std::vector<Status>> PutLanes(Dispatch& dispatch, Request request, int fd);

  const ConnectionRef connection_;
  const ConnectionRef builder_;  // the same, or of a host that builds and runs nothing
  const DeviceInfo info_;
  const std::chrono::milliseconds compile_time_;
  const std::chrono::nanoseconds patience_;
  // Launches that were begun and not awaited: the ids of their requests, and the time that each may
  // take.
  std::deque<std::pair<uint64_t, std::chrono::nanoseconds>> launches_;
};

Result<Bytes> RemoteDevice::Build(const LoweredModule& module, const KernelSource& source,
                                  Effort effort) {
  Request request;
  request.mutable_build()->set_quick(effort == Effort::kQuick);
  Put(*module.program.module, source, *request.mutable_build());
  WB_ASSIGN(const Reply reply, builder_->Call(std::move(request), compile_time_ + patience_));
  if (!reply.has_binary()) return Nonsense(info_.id);
  return Bytes(reply.binary().begin(), reply.binary().end());
}

Result<PipelineRef> RemoteDevice::Load(std::shared_ptr<const LoweredModule> module,
                                       ByteView binary) {
  const Bytes& wasm = module->program.module->binary();
  Request request;
  wasmburst::engine::Load& load = *request.mutable_load();
  load.set_wasm(wasm.data(), wasm.size());
  load.set_binary_is_wasm(std::equal(binary.begin(), binary.end(), wasm.begin(), wasm.end()));
  if (!load.binary_is_wasm()) load.set_binary(binary.data(), binary.size());
  // The driver links the parts of a long kernel here. That is a compiler's work and takes as long.
  WB_ASSIGN(const Reply reply, connection_->Call(std::move(request), compile_time_ + patience_));
  if (!reply.has_handle()) return Nonsense(info_.id);
  return PipelineRef(std::make_shared<RemotePipeline>(connection_, reply.handle(), module->layout,
                                                      FactsOf(reply.facts())));
}

// The host maps the bytes where they are in shared memory; others are copied there.
Result<KeptInputRef> RemoteDevice::Keep(const InputBytes& input) {
  const ByteView bytes = input.bytes;
  UniqueFd copy;
  if (input.shared < 0) {
    WB_ASSIGN(copy, MakeSharedMemory(std::max<size_t>(bytes.size(), 1)));
    WB_ASSIGN(const auto memory, MapShared(copy.get(), std::max<size_t>(bytes.size(), 1)));
    std::copy(bytes.begin(), bytes.end(), memory->bytes().begin());
  }
  Request request;
  request.mutable_keep()->set_bytes(bytes.size());
  request.mutable_keep()->set_digest(input.digest.bytes.data(), input.digest.bytes.size());
  const auto patience = patience_ + std::chrono::seconds(bytes.size() / kBytesPerSecond);
  const int fd = input.shared < 0 ? copy.get() : input.shared;
  WB_ASSIGN(const Reply reply, connection_->Call(std::move(request), patience, fd));
  if (!reply.has_handle()) return Nonsense(info_.id);
  return KeptInputRef(std::make_shared<RemoteInput>(connection_, reply.handle()));
}

Result<std::unique_ptr<Dispatch>> RemoteDevice::Allocate(const PipelineRef& pipeline,
                                                         const DispatchShape& shape) {
  const uint64_t bytes = HostLayout::Of(shape).bytes;
  WB_ASSIGN(const UniqueFd fd, MakeSharedMemory(bytes));
  WB_ASSIGN(auto region, MapShared(fd.get(), bytes));
  Request request;
  Put(shape, *request.mutable_allocate());
  const auto& kernel = static_cast<const RemotePipeline&>(*pipeline);
  request.mutable_allocate()->set_pipeline(kernel.handle());
  if (shape.kept != nullptr) {
    request.mutable_allocate()->set_kept(static_cast<const RemoteInput&>(*shape.kept).handle());
  }
  WB_ASSIGN(const Reply reply, connection_->Call(std::move(request), patience_, fd.get()));
  if (!reply.has_handle()) return Nonsense(info_.id);
  return std::unique_ptr<Dispatch>(
      new RemoteDispatch(connection_, reply.handle(), kernel.layout(), shape, std::move(region)));
}

Status RemoteDevice::Begin(Dispatch& dispatch, const LaunchLimits& limits) {
  Request request;
  Put(limits, *request.mutable_launch());
  request.mutable_launch()->set_dispatch(static_cast<RemoteDispatch&>(dispatch).handle());
  WB_ASSIGN(const uint64_t id, connection_->Ask(std::move(request)));
  launches_.emplace_back(id, limits.max_duration);
  return {};
}

Result<LaunchReport> RemoteDevice::Await() {
  const auto [id, duration] = launches_.front();
  launches_.pop_front();
  WB_ASSIGN(const Reply reply, connection_->AwaitReply(id, duration + patience_));
  if (!reply.has_report()) return Nonsense(info_.id);
  return ReportOf(reply.report(), duration + patience_);
}

Result<Inspection> RemoteDevice::Inspect(Dispatch& dispatch, const LaunchLimits& limits,
                                         const InspectionRequest& asked) {
  Request request;
  wasmburst::engine::Inspect& inspect = *request.mutable_inspect();
  Put(asked, inspect);
  Put(limits, *inspect.mutable_launch());
  inspect.mutable_launch()->set_dispatch(static_cast<RemoteDispatch&>(dispatch).handle());
  WB_ASSIGN(Reply reply, connection_->Call(std::move(request), limits.max_duration + patience_));
  if (!reply.has_inspected()) return Nonsense(info_.id);
  return InspectionOf(*reply.mutable_inspected(), asked);
}

Status RemoteDevice::Adopt(Dispatch& dispatch, const PipelineRef& pipeline) {
  Request request;
  request.mutable_adopt()->set_dispatch(static_cast<RemoteDispatch&>(dispatch).handle());
  request.mutable_adopt()->set_pipeline(static_cast<const RemotePipeline&>(*pipeline).handle());
  WB_ASSIGN(const Reply reply, connection_->Call(std::move(request), patience_));
  return reply.has_handle() ? Status() : Nonsense(info_.id);
}

Result<std::vector<std::optional<LaneImage>>> RemoteDevice::ExportLanes(
    Dispatch& dispatch, std::span<const uint32_t> seats) {
  auto& from = static_cast<RemoteDispatch&>(dispatch);
  uint64_t bytes = 1;
  for (const uint32_t seat : seats) bytes += from.MostImageBytesAt(seat);
  WB_ASSIGN(const UniqueFd fd, MakeSharedMemory(bytes));
  WB_ASSIGN(const auto memory, MapShared(fd.get(), bytes));
  Request request;
  request.mutable_export_lanes()->set_dispatch(from.handle());
  request.mutable_export_lanes()->mutable_seats()->Assign(seats.begin(), seats.end());
  request.mutable_export_lanes()->set_bytes(bytes);
  WB_ASSIGN(const Reply reply, connection_->Call(std::move(request), patience_, fd.get()));
  if (static_cast<size_t>(reply.images().images_size()) != seats.size()) return Nonsense(info_.id);
  ImageReader reader(memory->bytes());
  std::vector<std::optional<LaneImage>> images;
  for (const auto& image : reply.images().images()) images.push_back(reader.Next(image));
  return images;
}

// Images whose states lie in memory that the host may map go as they are, a message for each such
// memory. The others are copied.
Result<std::vector<Status>> RemoteDevice::ImportLanes(Dispatch& dispatch,
                                                      std::span<const LanePlace> lanes) {
  std::map<int, std::vector<size_t>> by_memory;
  for (size_t i = 0; i < lanes.size(); ++i) by_memory[lanes[i].image->lent.shared].push_back(i);
  std::vector<Status> became(lanes.size());
  for (const auto& [shared, which] : by_memory) {
    std::vector<LanePlace> some;
    for (const size_t i : which) some.push_back(lanes[i]);
    WB_ASSIGN(std::vector<Status> its,
              shared < 0 ? ImportCopied(dispatch, some) : ImportLent(dispatch, some, shared));
    for (size_t i = 0; i < which.size(); ++i) became[which[i]] = std::move(its[i]);
  }
  return became;
}

Result<std::vector<Status>> RemoteDevice::ImportCopied(Dispatch& dispatch,
                                                       std::span<const LanePlace> lanes) {
  uint64_t bytes = 1;
  for (const LanePlace& lane : lanes) bytes += lane.image->bytes();
  WB_ASSIGN(const UniqueFd fd, MakeSharedMemory(bytes));
  WB_ASSIGN(const auto memory, MapShared(fd.get(), bytes));
  Request request;
  wasmburst::engine::ImportLanes& put = *request.mutable_import_lanes();
  put.set_bytes(bytes);
  ImageWriter writer(memory->bytes());
  for (const LanePlace& lane : lanes) {
    put.add_seats(lane.seat);
    (void)writer.Add(*lane.image, *put.add_images());
  }
  return PutLanes(dispatch, std::move(request), fd.get());
}

Result<std::vector<Status>> RemoteDevice::ImportLent(Dispatch& dispatch,
                                                     std::span<const LanePlace> lanes, int shared) {
  Request request;
  wasmburst::engine::ImportLanes& put = *request.mutable_import_lanes();
  put.set_lent(true);
  uint64_t end = 1;
  for (const LanePlace& lane : lanes) {
    put.add_seats(lane.seat);
    PutLent(*lane.image, *put.add_images());
    const LentWords& lent = lane.image->lent;
    end = std::max(end, lent.shared_at + lent.words.size_bytes());
  }
  put.set_bytes(end);
  return PutLanes(dispatch, std::move(request), shared);
}

Result<std::vector<Status>> RemoteDevice::PutLanes(Dispatch& dispatch, Request request, int fd) {
  wasmburst::engine::ImportLanes& put = *request.mutable_import_lanes();
  put.set_dispatch(static_cast<RemoteDispatch&>(dispatch).handle());
  const int wanted = put.seats_size();
  WB_ASSIGN(const Reply reply, connection_->Call(std::move(request), patience_, fd));
  if (reply.put().errors_size() != wanted) return Nonsense(info_.id);
  std::vector<Status> became;
  for (const auto& error : reply.put().errors()) {
    became.push_back(error.reason() == 0 ? Status() : StatusOf(error));
  }
  return became;
}

void RemoteDevice::Stop() {
  Request request;
  request.set_stop(true);
  connection_->Tell(request);
}

Telemetry RemoteDevice::Sample() {
  Request request;
  request.mutable_sample();
  const Result<Reply> reply = connection_->Call(std::move(request), patience_);
  return reply.ok() && reply->has_telemetry() ? TelemetryOf(reply->telemetry()) : Telemetry();
}

Request HelloOf(const EngineHostSettings& settings) {
  Request request;
  wasmburst::engine::Hello& hello = *request.mutable_hello();
  hello.set_version(std::string(CompilerVersion()));
  hello.set_engine(static_cast<uint32_t>(settings.engine));
  hello.set_id(settings.id);
  hello.set_gpu_ordinal(settings.gpu_ordinal);
  hello.set_threads(settings.threads);
  hello.set_memory_bytes(settings.memory_bytes);
  hello.set_compiler_path(settings.compiler_path);
  Put(settings.compile, *hello.mutable_compile());
  Put(settings.cuda_libraries, *hello.mutable_cuda_libraries());
  Put(settings.metal, *hello.mutable_metal());
  hello.set_cuda_resident(settings.cuda_resident);
  hello.set_low_priority(settings.low_priority);
  hello.set_cuda_reserves(!settings.cuda_maps_memory);
  hello.set_compile_parallel(settings.compile_parallel);
  hello.set_traces(settings.traces);
  hello.set_inspects(settings.inspects);
  hello.set_profiles(settings.profiles);
  hello.set_max_process_bytes(settings.max_process_bytes);
  hello.set_runs_only(settings.runs_only);
  hello.set_builds_for(settings.builds_for);
  return request;
}

// Where they are isolated, a device is two hosts: one starts compilers, and the other, which runs
// what they make, starts nothing. A Mac's compiler is a part of its driver.
bool HasBuilder(const EngineHostSettings& settings) {
  return (settings.engine == Engine::kCpu || settings.engine == Engine::kCuda) &&
         settings.isolation != Isolation::kOff && Sandbox::IsPossible();
}

EngineHostSettings RunnerOf(EngineHostSettings settings) {
  settings.runs_only = true;
  settings.compile_parallel = 1;
  return settings;
}

// `target`: the runner's.
EngineHostSettings BuilderOf(EngineHostSettings settings, const std::string& target) {
  settings.threads = 1;  // it runs nothing
  settings.builds_for = target;
  return settings;
}

SandboxPolicy PolicyOf(const EngineHostSettings& settings) {
  if (settings.engine == Engine::kInterpreter) return SandboxPolicy::kEngine;
  if (!settings.runs_only) return SandboxPolicy::kBuilder;
  return IsGpu(settings.engine) ? SandboxPolicy::kGpu : SandboxPolicy::kEngine;
}

HostIsolation IsolationOf(const EngineHostSettings& settings) {
  HostIsolation isolation;
  isolation.isolation = settings.isolation;
  isolation.policy = PolicyOf(settings);
  isolation.programs = {settings.compiler_path, settings.cuda_libraries.driver,
                        settings.cuda_libraries.nvrtc, settings.cuda_libraries.nvml};
  const std::string& nvtx = settings.cuda_libraries.nvtx;
  if (nvtx.find('/') != std::string::npos) isolation.programs.push_back(nvtx);
  return isolation;
}

EngineConnection::Plan PlanOf(const EngineHostSettings& settings) {
  EngineConnection::Plan plan;
  plan.program = settings.program;
  plan.name = settings.id;
  plan.niceness = settings.niceness;
  plan.max_silence = settings.max_silence;
  plan.isolation = IsolationOf(settings);
  return plan;
}

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
  info.few_registers = built.few_registers;
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
  if (!settings.note || isolation.empty()) return;
  settings.note("The engine host of the device " + Quoted(settings.id) +
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
  if (info.id != settings.id || info.engine != settings.engine) return Nonsense(settings.id);
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
