#pragma once

// What a job asks of the compiler. Pure.

#include <optional>
#include <string>

#include "compiler/compiler.h"
#include "scheduler/control/fair_queue.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/active/active_job.h"
#include "scheduler/pipelines/lowering.h"
#include "scheduler/pipelines/pipeline_builder.h"

namespace wb {

// How its kernel text is emitted for a device of these options.
CompileOptions OptionsFor(const JobSpec& spec, CompileOptions options);

// What its devices need; `options`: how to emit it, none for the interpreter alone.
Lowering::Wish LoweringOf(const JobPlan& plan, std::optional<CompileOptions> options);

// Whether the text was emitted as that device needs it.
bool IsTextFor(const ActiveJob& job, const LoweredKernel& lowered, const DeviceInfo& device);

// Whose turn a build for the job takes.
FairShare ShareOf(const ActiveJob& job);

// The compiler's time counts as the job's, and the observer is told.
void RecordBuilt(ActiveJob& job, const Result<BuiltPipeline>& built);

std::string CannotRun(const std::string& device, const Status& status);  // a sentence

}  // namespace wb
