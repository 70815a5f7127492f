#pragma once

// Between C++ values and protocol messages. No other part knows both. What arrives is checked.

#include <chrono>
#include <memory>

#include "compiler/base/status.h"
#include "compiler/compiler.h"
#include "scheduler/devices/compiler_limits.h"
#include "scheduler/devices/cuda/cuda_libraries.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/metal/metal_options.h"
#include "scheduler/engine_host/engine.pb.h"

namespace wb {

void Put(const Status& status, wasmburst::engine::Error& out);
Status StatusOf(const wasmburst::engine::Error& error);  // never ok

void Put(const CompilerLimits& limits, wasmburst::engine::CompilerLimits& out);
CompilerLimits CompilerLimitsOf(const wasmburst::engine::CompilerLimits& limits);
void Put(const CudaLibraries& libraries, wasmburst::engine::CudaLibraries& out);
CudaLibraries LibrariesOf(const wasmburst::engine::CudaLibraries& libraries);
void Put(const MetalOptions& options, wasmburst::engine::MetalOptions& out);
MetalOptions OptionsOf(const wasmburst::engine::MetalOptions& options);

void Put(const DeviceInfo& info, wasmburst::engine::Info& out);
Result<DeviceInfo> InfoOf(const wasmburst::engine::Info& info);

void Put(const Module& module, const KernelSource& source, wasmburst::engine::Build& out);
Result<KernelSource> SourceOf(const wasmburst::engine::Build& build);
Result<Effort> EffortOf(const wasmburst::engine::Build& build);

void Put(const DispatchShape& shape, wasmburst::engine::Allocate& out);
DispatchShape ShapeOf(const wasmburst::engine::Allocate& allocate);

void Put(const LaunchLimits& limits, wasmburst::engine::Launch& out);
LaunchLimits LimitsOf(const wasmburst::engine::Launch& launch);

void Put(const LaunchReport& report, wasmburst::engine::LaunchReport& out);
// What a host reports of its launch. At most `most` of it is taken as the device's time, since sums
// would overflow otherwise.
LaunchReport ReportOf(const wasmburst::engine::LaunchReport& report, std::chrono::nanoseconds most);

void Put(const PipelineFacts& facts, wasmburst::engine::PipelineFacts& out);
PipelineFacts FactsOf(const wasmburst::engine::PipelineFacts& facts);

void Put(const Telemetry& telemetry, wasmburst::engine::Telemetry& out);
Telemetry TelemetryOf(const wasmburst::engine::Telemetry& telemetry);

}  // namespace wb
