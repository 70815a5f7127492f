#include "scheduler/devices/interpreter/interpreter_device.h"

#include <utility>

#include "scheduler/devices/cpu/lane_device.h"
#include "scheduler/devices/interpreter/bytecode.h"
#include "scheduler/devices/interpreter/execute.h"

namespace wb {
namespace {

// What a device that traces sees of its launch under way.
struct Traced {
  CallTrace trace;
  uint32_t lane = LaunchLimits::kAllLanes;
  bool has_left = false;
};

class InterpreterKernel final : public LaneKernel {
 public:
  // `traced` may be null; it outlives the kernel's launches.
  InterpreterKernel(std::shared_ptr<const LoweredModule> module, Traced* traced,
                    FuelRecorder* recorder, bool asserts_facts)
      : LaneKernel(std::move(module)),
        program_(Translate(this->module(), {asserts_facts, recorder != nullptr})),
        traced_(traced),
        recorder_(recorder) {}

  void RunLane(const LaneBuffers& buffers, uint32_t gid) const override {
    LaneObservers observers;
    observers.recorder = recorder_;
    if (traced_ != nullptr && (traced_->lane == gid || traced_->lane == LaunchLimits::kAllLanes)) {
      observers.trace = &traced_->trace;
      if (traced_->lane == gid) observers.has_left = &traced_->has_left;
    }
    InterpretLane(program_, buffers, gid, observers);
  }

 private:
  ByteProgram program_;
  Traced* const traced_;
  FuelRecorder* const recorder_;
};

class InterpreterDevice final : public LaneDevice {
 public:
  InterpreterDevice(DeviceInfo info, const InterpreterSettings& settings)
      : LaneDevice(std::move(info), settings.host_memory),
        traces_(settings.traces),
        profiles_(settings.traces && settings.profiles),
        asserts_facts_(settings.asserts_facts) {}

  Result<Bytes> Build(const LoweredModule& module, const KernelSource&, Effort) override {
    return module.program.module->binary();
  }

  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule> module, ByteView) override {
    return PipelineRef(
        std::make_shared<InterpreterKernel>(std::move(module), traces_ ? &traced_ : nullptr,
                                            profiles_ ? &recorder_ : nullptr, asserts_facts_));
  }

 protected:
  Result<LaunchReport> Run(Dispatch& dispatch, const LaunchLimits& limits) override {
    traced_.trace.clear();
    traced_.lane = limits.watched_lane;
    WB_ASSIGN(LaunchReport report, LaneDevice::Run(dispatch, limits));
    report.trace = traced_.trace;
    if (profiles_) report.fuel = recorder_.Take();
    return report;
  }

 private:
  const bool traces_;
  const bool profiles_;
  const bool asserts_facts_;
  // Of the launch under way; the device outlives its launches.
  Traced traced_;
  FuelRecorder recorder_;
};

}  // namespace

std::unique_ptr<Device> CreateInterpreterDevice(const InterpreterSettings& settings) {
  DeviceInfo info;
  info.id = settings.id;
  info.engine = Engine::kInterpreter;
  info.name = "interpreter";
  info.target = "interpreter " + std::string(CompilerVersion());
  info.threads = settings.traces ? 1 : settings.threads;
  info.memory_bytes = settings.memory_bytes;
  return std::make_unique<InterpreterDevice>(std::move(info), settings);
}

}  // namespace wb
