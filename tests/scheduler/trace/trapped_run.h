#pragma once

// Runs one instance of a job on the interpreter; tests only.

#include "scheduler/devices/started_device.h"
#include "scheduler/job/job_plan.h"

namespace wb::test {

// A job that calls `run` of the module without arguments.
JobPlan PlanOf(std::shared_ptr<const Module> module, uint64_t instances = 1);

// Of instance 0, run in slices of so much fuel.
InstanceResult ResultOf(const JobPlan& plan, uint64_t slice_fuel = uint64_t{1} << 40);

// The byte offset of the nth such operator of a function that the module defines.
uint32_t OffsetOf(const Module& module, uint32_t function, Opcode opcode, size_t nth = 0);

// An interpreter that traces, in this process.
DeviceStarter TracingInterpreter();

}  // namespace wb::test
