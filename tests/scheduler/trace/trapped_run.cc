#include "tests/scheduler/trace/trapped_run.h"

#include "scheduler/base/lowered_modules.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seating.h"

namespace wb::test {

JobPlan PlanOf(std::shared_ptr<const Module> module, uint64_t instances) {
  JobSpec spec;
  spec.module = std::move(module);
  spec.steps = {CallStep{"run", {}, false}};
  spec.instances = instances;
  return PlanJob(std::move(spec), {}).value();
}

JobPlan PlanOf(std::shared_ptr<const Module> module, Column input) {
  JobSpec spec;
  spec.module = std::move(module);
  spec.steps = {CallStep{"alone", {}, false}};
  spec.columns = {std::move(input)};
  spec.inputs = {0};
  spec.instances = 1;
  return PlanJob(std::move(spec), {}).value();
}

InstanceResult ResultOf(const JobPlan& plan, uint64_t slice_fuel) {
  InterpreterSettings settings;
  settings.threads = 1;
  const std::unique_ptr<Device> device = CreateInterpreterDevice(settings);
  const LoweredModuleRef module = RealLower()(plan.spec.module, {}).value();
  const PipelineRef pipeline = device->Load(module, {}).value();
  Seating seating;
  seating.lanes = seating.seats = 1;
  seating.pages = plan.max_pages;
  seating.stack = plan.spec.limits.max_stack;
  DispatchShape shape = ShapeOf(plan, seating);
  if (plan.kept) shape.kept = device->Keep(plan.kept->input).value();
  const auto dispatch = device->Allocate(pipeline, shape).value();
  FillShared(plan, *dispatch);
  FillSeat(plan, 0, 0, *dispatch);
  LaunchLimits limits;
  limits.slice_fuel = slice_fuel;
  while (device->Launch(*dispatch, limits).value().seats_left != 0) {
  }
  return DecodeRecord(plan, RecordAt(*dispatch, 0)).value();
}

DeviceStarter TracingInterpreter() {
  return [](const std::function<void()>&) -> Result<StartedDevice> {
    InterpreterSettings settings;
    settings.traces = true;
    return StartedDevice{CreateInterpreterDevice(settings)};
  };
}

uint32_t OffsetOf(const Module& module, uint32_t function, Opcode opcode, size_t nth) {
  for (const Instruction& row : module.bodies[function - module.imported_functions].instructions) {
    if (row.opcode == opcode && nth-- == 0) return row.offset;
  }
  return 0;
}

}  // namespace wb::test
