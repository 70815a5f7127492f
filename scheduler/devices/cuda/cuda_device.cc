#include "scheduler/devices/cuda/cuda_device.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

#include "compiler/base/check.h"
#include "scheduler/devices/cuda/cuda_dispatch.h"
#include "scheduler/devices/cuda/cuda_input.h"
#include "scheduler/devices/cuda/launch_queue.h"
#include "scheduler/devices/cuda/resident_kernel.h"
#include "scheduler/devices/cuda/stream_transport.h"

namespace wb {
namespace {

// With so many instances for a lane a launch keeps the GPU busy for longer than the host needs to
// take results and to seat other instances. More would make the records, and the work between
// launches, larger.
constexpr uint32_t kSeatsPerLane = 8;

class CudaDevice final : public Device {
 public:
  ~CudaDevice() override {
    if (kept_ != nullptr && context_->Enter().ok()) kept_->Drop();
  }
  static Result<std::unique_ptr<Device>> Create(const CudaSettings& settings, CudaParts parts,
                                                CudaContextRef context);

  const DeviceInfo& info() const override { return info_; }
  Result<Bytes> Build(const LoweredModule&, const KernelSource& source, Effort effort) override {
    return builds_.Build(source, effort);
  }
  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule> module, ByteView binary) override;
  Result<KeptInputRef> Keep(const InputBytes& input) override;
  Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef& pipeline,
                                             const DispatchShape& shape) override;
  Status Begin(Dispatch& dispatch, const LaunchLimits& limits) override;
  Result<LaunchReport> Await() override { return launches_->Await(); }
  Status Adopt(Dispatch& dispatch, const PipelineRef& pipeline) override;
  void Stop() override { launches_->Stop(); }
  Result<std::vector<std::optional<LaneImage>>> ExportLanes(
      Dispatch& dispatch, std::span<const uint32_t> seats) override;
  Result<std::vector<Status>> ImportLanes(Dispatch& dispatch,
                                          std::span<const LanePlace> lanes) override;
  Telemetry Sample() override;

 private:
  CudaDevice() = default;
  Status Describe(const CudaSettings& settings, const CudaContext& context);
  uint64_t FreeBytes() const {
    return info_.memory_bytes - std::min(info_.memory_bytes, held_bytes_->load());
  }

  DeviceInfo info_;
  CudaContextRef context_;
  CudaBuilds builds_;
  std::shared_ptr<HostMemory> memory_;
  const char* entry_ = "wb_entry";
  uint32_t block_threads_ = 0;
  std::shared_ptr<std::atomic<uint64_t>> held_bytes_ = std::make_shared<std::atomic<uint64_t>>(0);
  std::shared_ptr<KeptGpuLanes> kept_;
  std::unique_ptr<LaunchQueue> launches_;
  std::unique_ptr<Sensors> sensors_;  // perhaps none
};

Status CudaDevice::Describe(const CudaSettings& settings, const CudaContext& context) {
  info_.id = settings.id;
  info_.engine = Engine::kCuda;
  info_.name = context.name();
  info_.options.layout = MemoryLayout::kInterleaved;
  info_.options.windows = settings.windows;
  info_.options.native_group_memory = true;
  info_.options.floats = settings.metal_floats ? Floats::kMetal : Floats::kNative;
  info_.threads = context.most_threads();
  info_.processors = context.processors();
  info_.gpus = context.gpus();
  info_.seats_per_lane = kSeatsPerLane;
  info_.launches_at_once = LaunchQueue::kMost;
  info_.moves_lanes = true;
  info_.adopts_pipelines = true;
  info_.maps_memory = settings.maps_memory && context.granule() != 0;
  info_.memory_bytes = settings.memory_bytes;
  if (info_.memory_bytes == 0) {
    WB_ASSIGN(const uint64_t free_bytes, context.FreeBytes());
    info_.memory_bytes = free_bytes / 10 * 9;
  }
  return {};
}

Result<std::unique_ptr<Device>> CudaDevice::Create(const CudaSettings& settings, CudaParts parts,
                                                   CudaContextRef context) {
  if (!IsBlock(settings.block_threads)) {
    return Status(Reason::kConfigInvalid, "A block of [" + std::to_string(settings.block_threads) +
                                              "] threads is not 32, 64, ... 1024.");
  }
  std::unique_ptr<CudaDevice> device(new CudaDevice);
  device->builds_ = std::move(parts.builds);
  device->builds_.Describe(device->info_);
  device->memory_ = settings.host_memory != nullptr ? settings.host_memory : AnonymousHostMemory();
  WB_TRY(device->Describe(settings, *context));
  device->block_threads_ = settings.block_threads;
  device->kept_ = std::make_shared<KeptGpuLanes>(device->info_.memory_bytes / 2);
  if (settings.resident) device->entry_ = "wb_resident";
  WB_ASSIGN(auto way,
            settings.resident ? ResidentKernel::Create(context) : StreamTransport::Create(context));
  WB_ASSIGN(device->launches_, LaunchQueue::Create(context, std::move(way)));
  if (parts.sensors) {
    auto sensors = parts.sensors(context->bus());
    device->info_.sensors = sensors.ok() ? "NVML" : sensors.status().message();
    if (sensors.ok()) device->sensors_ = std::move(sensors).value();
  }
  device->context_ = std::move(context);
  return std::unique_ptr<Device>(std::move(device));
}

Result<PipelineRef> CudaDevice::Load(std::shared_ptr<const LoweredModule> module, ByteView binary) {
  WB_ASSIGN(CudaPipelineRef pipeline,
            CudaPipeline::Load(context_, std::move(module), binary, entry_, block_threads_));
  return PipelineRef(std::move(pipeline));
}

Result<KeptInputRef> CudaDevice::Keep(const InputBytes& input) {
  WB_TRY(context_->Enter());
  if (input.bytes.size() > FreeBytes()) kept_->Drop();
  BudgetShare share(held_bytes_, 0);
  if (!share.Grow(input.bytes.size(), info_.memory_bytes)) {
    return InputDoesNotFit(input, FreeBytes());
  }
  WB_ASSIGN(CudaBuffer buffer, CudaBuffer::Holding(context_, input.bytes));
  return KeptInputRef(std::make_shared<CudaInput>(context_, std::move(buffer), std::move(share)));
}

Result<std::unique_ptr<Dispatch>> CudaDevice::Allocate(const PipelineRef& pipeline,
                                                       const DispatchShape& shape) {
  auto kernel = std::dynamic_pointer_cast<const CudaPipeline>(pipeline);
  WB_CHECK(kernel != nullptr);
  WB_TRY(context_->Enter());
  WB_TRY(CheckShape(shape, kernel->module().program, info_.options));
  uint64_t bytes = 0;
  const LaneLayout& layout = kernel->module().layout;
  if (!StateBytes(layout, info_.options.layout, shape, &bytes)) {
    return DoesNotFit(shape, FreeBytes());
  }
  CudaDispatch::Budget budget;
  budget.most_bytes = info_.memory_bytes;
  budget.kept = kept_;
  budget.known = kept_->Take(LanePlan::Of(kernel->module(), shape));
  budget.mapped = MappedPlan::Of(layout, shape, info_.maps_memory ? context_->granule() : 0);
  if (budget.mapped) bytes = budget.mapped->FirstBytes();
  if (budget.known) bytes = 0;
  const uint64_t others = HostLayout::Of(shape).bytes;
  if (bytes + others > FreeBytes()) kept_->Drop();
  if (bytes + others > FreeBytes()) return DoesNotFit(shape, FreeBytes());
  budget.share = BudgetShare(held_bytes_, others);
  budget.lanes = BudgetShare(held_bytes_, bytes);
  WB_ASSIGN(std::unique_ptr<CudaDispatch> dispatch,
            CudaDispatch::Create(context_, std::move(kernel), shape, *memory_, std::move(budget)));
  return std::unique_ptr<Dispatch>(std::move(dispatch));
}

Telemetry CudaDevice::Sample() {
  if (!kept_->empty() && context_->Enter().ok()) {
    kept_->DropOld(std::chrono::steady_clock::now());
  }
  return sensors_ ? sensors_->Read() : Telemetry();
}

CudaDispatch& SeatsOf(Dispatch& dispatch) {
  auto* seats = dynamic_cast<CudaDispatch*>(&dispatch);
  WB_CHECK(seats != nullptr);
  return *seats;
}

Status CudaDevice::Begin(Dispatch& dispatch, const LaunchLimits& limits) {
  return launches_->Begin(SeatsOf(dispatch), limits);
}

Status CudaDevice::Adopt(Dispatch& dispatch, const PipelineRef& pipeline) {
  auto kernel = std::dynamic_pointer_cast<const CudaPipeline>(pipeline);
  WB_CHECK(kernel != nullptr);
  return SeatsOf(dispatch).Adopt(std::move(kernel));
}

Result<std::vector<std::optional<LaneImage>>> CudaDevice::ExportLanes(
    Dispatch& dispatch, std::span<const uint32_t> seats) {
  WB_TRY(context_->Enter());
  return SeatsOf(dispatch).ExportLanes(seats);
}

Result<std::vector<Status>> CudaDevice::ImportLanes(Dispatch& dispatch,
                                                    std::span<const LanePlace> lanes) {
  WB_TRY(context_->Enter());
  return SeatsOf(dispatch).ImportLanes(lanes);
}

}  // namespace

NvrtcSettings NvrtcOf(const CudaSettings& settings) {
  NvrtcSettings nvrtc;
  nvrtc.library_path = settings.libraries.nvrtc;
  nvrtc.program_path = settings.nvrtc_program;
  nvrtc.work_directory = settings.work_directory;
  nvrtc.limits.max_time = settings.compile.max_time;
  nvrtc.limits.max_memory_bytes = settings.compile.max_memory_bytes;
  nvrtc.limits.isolation = settings.compile.isolation;
  nvrtc.chunk_bytes = settings.chunk_bytes;
  nvrtc.resident = settings.resident;
  return nvrtc;
}

Result<std::unique_ptr<Device>> CreateCudaDevice(const CudaSettings& settings) {
  CudaParts parts;
  WB_ASSIGN(parts.driver, OpenCudaDriver(settings.libraries.driver));
  WB_ASSIGN(CudaContextRef context,
            CudaContext::Open(parts.driver, settings.ordinal, settings.low_priority));
  parts.builds.target = ArchitectureName(context->capability());
  if (settings.builds) {
    WB_ASSIGN(parts.builds, FindCudaBuilds(NvrtcOf(settings), context->capability()));
  }
  parts.sensors = [path = settings.libraries.nvml](const std::string& bus) {
    return OpenNvidiaSensors(path, bus);
  };
  return CudaDevice::Create(settings, std::move(parts), std::move(context));
}

Result<std::unique_ptr<Device>> CreateCudaDevice(const CudaSettings& settings, CudaParts parts) {
  WB_ASSIGN(CudaContextRef context,
            CudaContext::Open(parts.driver, settings.ordinal, settings.low_priority));
  return CudaDevice::Create(settings, std::move(parts), std::move(context));
}

}  // namespace wb
