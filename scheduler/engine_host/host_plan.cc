#include "scheduler/engine_host/host_plan.h"

#include "scheduler/engine_host/messages.h"
#include "scheduler/sandbox/sandbox.h"

namespace wb {
namespace {

SandboxPolicy PolicyOf(const EngineHostSettings& settings) {
  if (settings.engine == Engine::kInterpreter) return SandboxPolicy::kEngine;
  if (!settings.runs_only) return SandboxPolicy::kBuilder;
  return IsGpu(settings.engine) ? SandboxPolicy::kGpu : SandboxPolicy::kEngine;
}

HostIsolation IsolationOf(const EngineHostSettings& settings) {
  HostIsolation isolation;
  isolation.isolation = settings.isolation;
  isolation.policy = PolicyOf(settings);
  isolation.programs = {settings.compiler_path, settings.cuda_libraries.driver,
                        settings.cuda_libraries.nvrtc, settings.cuda_libraries.nvml};
  const std::string& nvtx = settings.cuda_libraries.nvtx;
  if (nvtx.find('/') != std::string::npos) isolation.programs.push_back(nvtx);
  return isolation;
}

}  // namespace

wasmburst::engine::Request HelloOf(const EngineHostSettings& settings) {
  wasmburst::engine::Request request;
  wasmburst::engine::Hello& hello = *request.mutable_hello();
  hello.set_version(std::string(CompilerVersion()));
  hello.set_engine(static_cast<uint32_t>(settings.engine));
  hello.set_id(settings.id);
  hello.set_gpu_ordinal(settings.gpu_ordinal);
  hello.set_threads(settings.threads);
  hello.set_memory_bytes(settings.memory_bytes);
  hello.set_compiler_path(settings.compiler_path);
  Put(settings.compile, *hello.mutable_compile());
  Put(settings.cuda_libraries, *hello.mutable_cuda_libraries());
  Put(settings.metal, *hello.mutable_metal());
  hello.set_cuda_resident(settings.cuda_resident);
  hello.set_low_priority(settings.low_priority);
  hello.set_cuda_reserves(!settings.cuda_maps_memory);
  hello.set_compile_parallel(settings.compile_parallel);
  hello.set_traces(settings.traces);
  hello.set_inspects(settings.inspects);
  hello.set_profiles(settings.profiles);
  hello.set_max_process_bytes(settings.max_process_bytes);
  hello.set_runs_only(settings.runs_only);
  hello.set_builds_for(settings.builds_for);
  return request;
}

bool HasBuilder(const EngineHostSettings& settings) {
  return (settings.engine == Engine::kCpu || settings.engine == Engine::kCuda) &&
         settings.isolation != Isolation::kOff && Sandbox::IsPossible();
}

EngineHostSettings RunnerOf(EngineHostSettings settings) {
  settings.runs_only = true;
  settings.compile_parallel = 1;
  return settings;
}

EngineHostSettings BuilderOf(EngineHostSettings settings, const std::string& target) {
  settings.threads = 1;  // it runs nothing
  settings.builds_for = target;
  return settings;
}

EngineConnection::Plan PlanOf(const EngineHostSettings& settings) {
  EngineConnection::Plan plan;
  plan.program = settings.program;
  plan.name = settings.id;
  plan.niceness = settings.niceness;
  plan.max_silence = settings.max_silence;
  plan.isolation = IsolationOf(settings);
  return plan;
}

}  // namespace wb
