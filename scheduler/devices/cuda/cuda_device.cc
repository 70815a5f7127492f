#include "scheduler/devices/cuda/cuda_device.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "compiler/base/check.h"
#include "scheduler/devices/cuda/cuda_compiler.h"
#include "scheduler/devices/cuda/cuda_dispatch.h"
#include "scheduler/devices/cuda/stop_word.h"

namespace wb {
namespace {

// A launch of as many instances again and again keeps the GPU busy for longer than the host needs
// to take their results and to seat others; more make records, and the work between launches,
// larger.
constexpr uint32_t kSeatsPerLane = 8;

class CudaDevice final : public Device {
 public:
  static Result<std::unique_ptr<Device>> Create(const CudaSettings& settings, CudaParts parts,
                                                CudaContextRef context);
  ~CudaDevice() override;

  const DeviceInfo& info() const override { return info_; }
  Result<Bytes> Build(const LoweredModule&, const KernelSource& source, Effort) override {
    return build_(source);
  }
  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule> module, ByteView binary) override;
  Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef& pipeline,
                                             const DispatchShape& shape) override;
  Result<LaunchReport> Launch(Dispatch& dispatch, const LaunchLimits& limits) override;
  void Stop() override { stop_->Stop(); }
  Telemetry Sample() override { return {}; }

 private:
  CudaDevice() = default;
  Status RunKernel(CudaDispatch& dispatch, const LaunchLimits& limits);

  DeviceInfo info_;
  CudaContextRef context_;
  std::function<Result<Bytes>(const KernelSource&)> build_;
  std::shared_ptr<HostMemory> memory_;
  std::shared_ptr<std::atomic<uint64_t>> held_bytes_ = std::make_shared<std::atomic<uint64_t>>(0);
  uint32_t block_threads_ = 0;
  std::unique_ptr<StopWord> stop_;
  void* begin_ = nullptr;  // events around a kernel
  void* end_ = nullptr;
};

Result<std::unique_ptr<Device>> CudaDevice::Create(const CudaSettings& settings, CudaParts parts,
                                                   CudaContextRef context) {
  if (settings.block_threads == 0 || settings.block_threads > 1024 ||
      settings.block_threads % abi::GROUP_LANES != 0) {
    return Status(Reason::kConfigInvalid, "A block of [" + std::to_string(settings.block_threads) +
                                              "] threads is not 32, 64, ... 1024.");
  }
  std::unique_ptr<CudaDevice> device(new CudaDevice);
  device->build_ = std::move(parts.build);
  device->memory_ = settings.host_memory != nullptr ? settings.host_memory : AnonymousHostMemory();
  device->block_threads_ = settings.block_threads;
  DeviceInfo& info = device->info_;
  info.id = settings.id;
  info.engine = Engine::kCuda;
  info.name = context->name();
  info.target = std::move(parts.target);
  info.options.layout = MemoryLayout::kInterleaved;
  info.options.floats = settings.metal_floats ? Floats::kMetal : Floats::kNative;
  info.threads = context->most_threads();
  info.seats_per_lane = kSeatsPerLane;
  info.memory_bytes = settings.memory_bytes;
  if (info.memory_bytes == 0) {
    WB_ASSIGN(const uint64_t free_bytes, context->FreeBytes());
    info.memory_bytes = free_bytes / 10 * 9;
  }
  WB_ASSIGN(device->stop_, StopWord::Create(context));
  WB_CUDA_TRY(context->driver(), event_create, (&device->begin_, 0));
  WB_CUDA_TRY(context->driver(), event_create, (&device->end_, 0));
  device->context_ = std::move(context);
  return std::unique_ptr<Device>(std::move(device));
}

CudaDevice::~CudaDevice() {
  if (context_ == nullptr || !context_->Enter().ok()) return;
  context_->driver().event_destroy(begin_);
  context_->driver().event_destroy(end_);
}

Result<PipelineRef> CudaDevice::Load(std::shared_ptr<const LoweredModule> module, ByteView binary) {
  WB_ASSIGN(CudaPipelineRef pipeline, CudaPipeline::Load(context_, std::move(module), binary));
  return PipelineRef(std::move(pipeline));
}

Result<std::unique_ptr<Dispatch>> CudaDevice::Allocate(const PipelineRef& pipeline,
                                                       const DispatchShape& shape) {
  auto kernel = std::dynamic_pointer_cast<const CudaPipeline>(pipeline);
  WB_CHECK(kernel != nullptr);
  WB_TRY(context_->Enter());
  WB_TRY(CheckShape(shape));
  uint64_t bytes = 0;
  const uint64_t free_bytes =
      info_.memory_bytes - std::min(info_.memory_bytes, held_bytes_->load());
  if (!StateBytes(kernel->module().layout, info_.options.layout, shape, &bytes) ||
      bytes + HostLayout::Of(shape).bytes > free_bytes) {
    return DoesNotFit(shape, free_bytes);
  }
  BudgetShare share(held_bytes_, bytes + HostLayout::Of(shape).bytes);
  WB_ASSIGN(std::unique_ptr<CudaDispatch> dispatch,
            CudaDispatch::Create(context_, std::move(kernel), shape, *memory_, std::move(share)));
  return std::unique_ptr<Dispatch>(std::move(dispatch));
}

Result<LaunchReport> CudaDevice::Launch(Dispatch& dispatch, const LaunchLimits& limits) {
  auto* seats = dynamic_cast<CudaDispatch*>(&dispatch);
  WB_CHECK(seats != nullptr);
  LaunchReport report;
  if (seats->CountLeft() == 0) return report;
  WB_TRY(context_->Enter());
  stop_->Begin(limits.max_duration);
  const Status ran = RunKernel(*seats, limits);
  const Status stopped = stop_->End();
  WB_TRY(ran);
  WB_TRY(stopped);
  float milliseconds = 0;
  WB_CUDA_TRY(context_->driver(), event_elapsed, (&milliseconds, begin_, end_));
  seats->RememberSeats();
  report.seats_left = seats->CountLeft();
  report.busy = std::chrono::nanoseconds(static_cast<int64_t>(double{milliseconds} * 1e6));
  return report;
}

Status CudaDevice::RunKernel(CudaDispatch& dispatch, const LaunchLimits& limits) {
  const CudaDriver& driver = context_->driver();
  WB_TRY(dispatch.Upload());
  WB_CUDA_TRY(driver, event_record, (begin_, context_->stream()));
  WB_TRY(dispatch.Launch(limits, stop_->address(), block_threads_));
  WB_CUDA_TRY(driver, event_record, (end_, context_->stream()));
  WB_TRY(dispatch.Download());
  WB_CUDA_TRY(driver, stream_synchronize, (context_->stream()));
  return {};
}

}  // namespace

Result<std::unique_ptr<Device>> CreateCudaDevice(const CudaSettings& settings) {
  CudaParts parts;
  WB_ASSIGN(parts.driver, OpenCudaDriver(settings.driver_path));
  WB_ASSIGN(CudaContextRef context, CudaContext::Open(parts.driver, settings.ordinal));
  NvrtcSettings nvrtc;
  nvrtc.library_path = settings.nvrtc_path;
  nvrtc.program_path = settings.nvrtc_program;
  nvrtc.work_directory = settings.work_directory;
  nvrtc.limits.max_time = settings.compile_max_time;
  nvrtc.limits.max_memory_bytes = settings.compile_max_memory_bytes;
  WB_ASSIGN(const CudaCompiler compiler, CudaCompiler::Find(nvrtc, context->capability()));
  parts.target = compiler.target();
  parts.build = [compiler](const KernelSource& source) { return compiler.Build(source); };
  return CudaDevice::Create(settings, std::move(parts), std::move(context));
}

Result<std::unique_ptr<Device>> CreateCudaDevice(const CudaSettings& settings, CudaParts parts) {
  WB_ASSIGN(CudaContextRef context, CudaContext::Open(parts.driver, settings.ordinal));
  return CudaDevice::Create(settings, std::move(parts), std::move(context));
}

}  // namespace wb
