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

// Of the launch under way.
struct Watched {
  LaneWatch* watch = nullptr;
  uint32_t lane = 0;
  bool has_left = false;
};

class WatchedKernel final : public LaneKernel {
 public:
  // `watched` outlives the kernel's launches.
  WatchedKernel(std::shared_ptr<const LoweredModule> module, Watched* watched)
      : LaneKernel(std::move(module)), program_(Translate(this->module())), watched_(watched) {}

  void RunLane(const LaneBuffers& buffers, uint32_t gid) const override {
    LaneObservers observers;
    if (gid == watched_->lane) {
      observers.watch = watched_->watch;
      observers.has_left = &watched_->has_left;
    }
    InterpretLane(program_, buffers, gid, observers);
  }

 private:
  ByteProgram program_;
  Watched* const watched_;
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
    return PipelineRef(std::make_shared<WatchedKernel>(std::move(whole), &watched_));
  }

  Result<Inspection> Inspect(Dispatch& dispatch, const LaunchLimits& limits,
                             const InspectionRequest& request) override {
    auto& lanes = dynamic_cast<LaneDispatch&>(dispatch);
    const uint32_t lane = limits.watched_lane == LaunchLimits::kAllLanes ? 0 : limits.watched_lane;
    WB_CHECK(lane < lanes.shape().lanes && lanes.shape().seats == 0);
    const LoweredModule& module = lanes.kernel().module();
    LaneWatch watch(request, GlobalTypes(module));
    watched_ = {&watch, lane, false};
    const Result<LaunchReport> report = Launch(dispatch, limits);
    watched_ = {};
    WB_TRY(report.status());
    Inspection seen;
    seen.seats_left = lanes.Runs(lane) ? 1 : 0;
    if (seen.seats_left != 0) return seen;
    watch.Take(&seen);
    if (!request.state) return seen;
    WB_TRY(TakeState(module, lanes.shape(), lanes.state_of(lane), request.max_state_bytes, &seen));
    return seen;
  }

 private:
  Watched watched_;  // the device outlives its kernels' launches
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
