#pragma once

// Runs one instance of a job on the interpreter; tests only.

#include "scheduler/devices/started_device.h"
#include "scheduler/job/job_plan.h"

namespace wb::test {

// A job that calls `run` of the module without arguments.
JobPlan PlanOf(std::shared_ptr<const Module> module, uint64_t instances = 1);

// A job that calls `alone` of the module, with an input 0.
JobPlan PlanOf(std::shared_ptr<const Module> module, Column input);

// Function 1 calls itself as often as byte 65,000 of input 0 says, then traps.
inline constexpr std::string_view kInputSaysHowDeep = R"((module
  (import "wasmburst" "input_read" (func $read (param i32 i64 i32 i32) (result i32)))
  (memory 1)
  (func $down (param i32)
    (if (i32.eqz (local.get 0)) (then (unreachable)))
    (call $down (i32.sub (local.get 0) (i32.const 1))))
  (func $at (result i32)
    (drop (call $read (i32.const 0) (i64.const 65000) (i32.const 0) (i32.const 1)))
    (i32.load8_u (i32.const 0)))
  (func (export "run") (param i32) (result i32) (call $down (call $at)) (local.get 0))
  (func (export "alone") (call $down (call $at)))))";

// Of instance 0, run in slices of so much fuel.
InstanceResult ResultOf(const JobPlan& plan, uint64_t slice_fuel = uint64_t{1} << 40);

// The byte offset of the nth such operator of a function that the module defines.
uint32_t OffsetOf(const Module& module, uint32_t function, Opcode opcode, size_t nth = 0);

// An interpreter that traces, in this process.
DeviceStarter TracingInterpreter();

}  // namespace wb::test
