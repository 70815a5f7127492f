#include "scheduler/devices/metal/metal_device.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "compiler/base/check.h"
#include "compiler/runtime/runtime.h"
#include "scheduler/devices/metal/gpu_width.h"
#include "scheduler/devices/metal/metal_compiler.h"
#include "scheduler/devices/metal/metal_dispatch.h"
#include "scheduler/devices/metal/metal_gpu.h"
#include "scheduler/devices/metal/metal_input.h"
#include "scheduler/devices/metal/metal_queue.h"
#include "scheduler/sensors/sensors.h"

namespace wb {
namespace {

// The cost of starting an instance is not in its fuel, so a slice must not start many.
constexpr uint32_t kSeatsPerLane = 4;

MetalDispatch& SeatsOf(Dispatch& dispatch) {
  auto* seats = dynamic_cast<MetalDispatch*>(&dispatch);
  WB_CHECK(seats != nullptr);
  return *seats;
}

class MetalDevice final : public Device {
 public:
  static Result<std::unique_ptr<Device>> Create(const MetalSettings& settings);

  const DeviceInfo& info() const override { return info_; }
  Result<Bytes> Build(const LoweredModule&, const KernelSource& source, Effort) override {
    if (KernelFormOf(source.text) == KernelForm::kMeets) {
      return Status(
          Reason::kCompileFailed,
          "The module computes in groups [gpu_std], which has not run on Metal yet; the CPU "
          "device and the interpreter run it.");
    }
    return compiler_.Build(source.text);
  }
  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule> module, ByteView binary) override;
  Result<KeptInputRef> Keep(const InputBytes& input) override;
  Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef& pipeline,
                                             const DispatchShape& shape) override;
  Status Begin(Dispatch& dispatch, const LaunchLimits& limits) override;
  Result<std::vector<std::optional<LaneImage>>> ExportLanes(
      Dispatch& dispatch, std::span<const uint32_t> seats) override {
    return SeatsOf(dispatch).ExportLanes(seats);
  }
  Result<std::vector<Status>> ImportLanes(Dispatch& dispatch,
                                          std::span<const LanePlace> lanes) override {
    return SeatsOf(dispatch).ImportLanes(lanes);
  }
  Result<LaunchReport> Await() override { return launches_->Await(); }
  void Stop() override { launches_->Stop(); }
  Telemetry Sample() override;

 private:
  MetalDevice(MetalGpuRef gpu, const MetalSettings& settings)
      : gpu_(std::move(gpu)), compiler_(gpu_, settings), settings_(settings) {}
  void Describe();
  void OpenSensors();

  const MetalGpuRef gpu_;
  const MetalCompiler compiler_;
  const MetalSettings settings_;
  DeviceInfo info_;
  std::shared_ptr<HostMemory> memory_;
  std::shared_ptr<std::atomic<uint64_t>> held_bytes_ = std::make_shared<std::atomic<uint64_t>>(0);
  std::unique_ptr<MetalQueue> launches_;
  std::unique_ptr<Sensors> sensors_;  // perhaps none
};

Result<std::unique_ptr<Device>> MetalDevice::Create(const MetalSettings& settings) {
  WB_ASSIGN(MetalGpuRef gpu, MetalGpu::Open(settings));
  std::unique_ptr<MetalDevice> device(new MetalDevice(std::move(gpu), settings));
  WB_ASSIGN(device->launches_, MetalQueue::Create(device->gpu_, settings));
  device->memory_ = settings.host_memory != nullptr ? settings.host_memory : AnonymousHostMemory();
  device->Describe();
  device->OpenSensors();
  return std::unique_ptr<Device>(std::move(device));
}

void MetalDevice::Describe() {
  info_.id = settings_.id;
  info_.engine = Engine::kMetal;
  info_.name = gpu_->name();
  info_.target = gpu_->target();
  info_.options.layout = MemoryLayout::kInterleaved;
  info_.options.floats = Floats::kMetal;
  info_.threads =
      settings_.threads != 0 ? settings_.threads : ThreadsOfGpu(gpu_->cores(), gpu_->family());
  info_.seats_per_lane = kSeatsPerLane;
  info_.launches_at_once = MetalQueue::kMost;
  info_.moves_lanes = true;
  // The other half is for everything else that the Mac does: its memory is the GPU's, too.
  info_.memory_bytes =
      settings_.memory_bytes != 0 ? settings_.memory_bytes : gpu_->working_bytes() / 2;
}

// Without the SMC there is thermalState, which gives no degrees.
void MetalDevice::OpenSensors() {
  auto sensors = OpenSmcSensors(MacPart::kGpu);
  info_.sensors =
      "thermalState; " + (sensors.ok() ? (*sensors)->Words() : sensors.status().message());
  if (sensors.ok()) sensors_ = std::move(sensors).value();
}

Result<PipelineRef> MetalDevice::Load(std::shared_ptr<const LoweredModule> module,
                                      ByteView binary) {
  @autoreleasepool {
    WB_ASSIGN(MetalKernel kernel, compiler_.Load(binary));
    WB_ASSIGN(MetalPipelineRef pipeline,
              MetalPipeline::Create(*gpu_, std::move(module), std::move(kernel)));
    return PipelineRef(std::move(pipeline));
  }
}

// One buffer: an input that is longer than Metal's longest is refused, in these words.
Result<KeptInputRef> MetalDevice::Keep(const InputBytes& input) {
  @autoreleasepool {
    BudgetShare share(held_bytes_, 0);
    if (!share.Grow(input.bytes.size(), info_.memory_bytes)) {
      return InputDoesNotFit(
          input, info_.memory_bytes - std::min(info_.memory_bytes, held_bytes_->load()));
    }
    WB_ASSIGN(MetalBuffer buffer, gpu_->Shared((input.bytes.size() + 3) / 4 * 4));
    std::memcpy([buffer.get() contents], input.bytes.data(), input.bytes.size());
    return KeptInputRef(std::make_shared<MetalInput>(std::move(buffer), std::move(share)));
  }
}

Result<std::unique_ptr<Dispatch>> MetalDevice::Allocate(const PipelineRef& pipeline,
                                                        const DispatchShape& shape) {
  @autoreleasepool {
    auto kernel = std::dynamic_pointer_cast<const MetalPipeline>(pipeline);
    WB_CHECK(kernel != nullptr);
    WB_TRY(CheckShape(shape, kernel->module().program, info_.options));
    uint64_t bytes = 0;
    const uint64_t free_bytes =
        info_.memory_bytes - std::min(info_.memory_bytes, held_bytes_->load());
    if (!StateBytes(kernel->module().layout, info_.options.layout, shape, &bytes) ||
        bytes + HostLayout::Of(shape).bytes > free_bytes) {
      return DoesNotFit(shape, free_bytes);
    }
    BudgetShare share(held_bytes_, bytes + HostLayout::Of(shape).bytes);
    WB_ASSIGN(std::unique_ptr<MetalDispatch> dispatch,
              MetalDispatch::Create(*gpu_, std::move(kernel), shape, *memory_, std::move(share)));
    return std::unique_ptr<Dispatch>(std::move(dispatch));
  }
}

Status MetalDevice::Begin(Dispatch& dispatch, const LaunchLimits& limits) {
  launches_->Begin(SeatsOf(dispatch), limits);
  return {};
}

Telemetry MetalDevice::Sample() {
  Telemetry telemetry = sensors_ ? sensors_->Read() : Telemetry();
  telemetry.thermal_state = static_cast<uint32_t>(gpu_->Conditions().thermal_state);
  return telemetry;
}

}  // namespace

Result<std::unique_ptr<Device>> CreateMetalDevice(const MetalSettings& settings) {
  @autoreleasepool {
    return MetalDevice::Create(settings);
  }
}

}  // namespace wb
