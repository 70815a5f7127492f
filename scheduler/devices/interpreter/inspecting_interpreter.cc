// The interpreter that is asked what it sees: one lane at a time, with a watch.

#include <utility>

#include "compiler/base/check.h"
#include "compiler/lower_whole.h"
#include "scheduler/devices/cpu/lane_device.h"
#include "scheduler/devices/inspection.h"
#include "scheduler/devices/interpreter/bytecode.h"
#include "scheduler/devices/interpreter/execute.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/devices/interpreter/lane_state.h"
#include "scheduler/devices/interpreter/lane_watch.h"

namespace wb {
namespace {

class WatchedKernel final : public LaneKernel {
 public:
  // `watch`: of the launch under way, or null; it outlives the kernel's launches.
  WatchedKernel(std::shared_ptr<const LoweredModule> module, LaneWatch* const* watch)
      : LaneKernel(std::move(module)), program_(Translate(this->module())), watch_(watch) {}

  void RunLane(const LaneBuffers& buffers, uint32_t gid) const override {
    InterpretLane(program_, buffers, gid, {.watch = *watch_});
  }

 private:
  ByteProgram program_;
  LaneWatch* const* const watch_;
};

class InspectingLaneDevice final : public LaneDevice, public InspectingDevice {
 public:
  InspectingLaneDevice(DeviceInfo info, std::shared_ptr<HostMemory> memory)
      : LaneDevice(std::move(info), std::move(memory)) {}

  Result<Bytes> Build(const LoweredModule& module, const KernelSource&, Effort) override {
    return module.program.module->binary();
  }

  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule> module, ByteView) override {
    WB_ASSIGN(auto whole, LowerWhole(module->program.module));
    return PipelineRef(std::make_shared<WatchedKernel>(std::move(whole), &watch_));
  }

  Result<Inspection> Inspect(Dispatch& dispatch, const LaunchLimits& limits,
                             const InspectionRequest& request) override {
    auto& lanes = dynamic_cast<LaneDispatch&>(dispatch);
    WB_CHECK(lanes.shape().lanes == 1);
    const LoweredModule& module = lanes.kernel().module();
    LaneWatch watch(request, GlobalTypes(module));
    watch_ = &watch;
    const Result<LaunchReport> report = Launch(dispatch, limits);
    watch_ = nullptr;
    WB_TRY(report.status());
    Inspection seen;
    seen.seats_left = report->seats_left;
    if (seen.seats_left != 0) return seen;
    watch.Take(&seen);
    if (!request.state) return seen;
    WB_TRY(TakeState(module, lanes.shape(), lanes.state(), request.max_state_bytes, &seen));
    return seen;
  }

 private:
  LaneWatch* watch_ = nullptr;  // the device outlives its kernels' launches
};

}  // namespace

std::unique_ptr<Device> CreateInspectingInterpreter(const InterpreterSettings& settings) {
  DeviceInfo info;
  info.id = settings.id;
  info.engine = Engine::kInterpreter;
  info.name = "interpreter";
  info.target = "interpreter " + std::string(CompilerVersion());
  info.threads = 1;
  info.memory_bytes = settings.memory_bytes;
  return std::make_unique<InspectingLaneDevice>(std::move(info), settings.host_memory);
}

}  // namespace wb
