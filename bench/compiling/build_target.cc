#include "bench/compiling/build_target.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "bench/temporary_folder.h"
#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/cuda/cuda_compiler.h"
#include "scheduler/devices/cuda/cuda_device.h"
#include "scheduler/pipelines/pipeline_cache.h"

namespace wb::bench {
namespace {

using Clock = std::chrono::steady_clock;

double Since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double Milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

}  // namespace

double ProcessorMsOfChildren() {
  rusage usage = {};
  getrusage(RUSAGE_CHILDREN, &usage);
  return Milliseconds(usage.ru_utime) + Milliseconds(usage.ru_stime);
}

BuildTarget::~BuildTarget() = default;

Result<std::unique_ptr<BuildTarget>> BuildTarget::Open(const std::string& device,
                                                       std::chrono::milliseconds most) {
  std::unique_ptr<BuildTarget> target(new BuildTarget);
  if (device == "cuda") {
    WB_TRY(target->OpenCuda(most));
  } else {
    CpuSettings settings;
    settings.compile.max_time = most;
    WB_ASSIGN(target->device_, CreateCpuDevice(settings));
  }
  if (target->device_ != nullptr) {
    const DeviceInfo& info = target->device_->info();
    target->name_ = info.name;
    target->options_ = info.options;
    target->quick_text_from_ = info.quick_text_from;
    target->quick_text_below_ = info.quick_text_below;
    target->best_text_below_ = info.best_text_below;
  }
  return target;
}

Status BuildTarget::OpenCuda(std::chrono::milliseconds most) {
  CudaSettings settings;
  settings.compile.max_time = most;
  auto device = CreateCudaDevice(settings);
  if (device.ok()) {
    device_ = std::move(device).value();
    return {};
  }
  NvrtcSettings nvrtc;
  nvrtc.limits.max_time = most;
  WB_ASSIGN(CudaCompiler compiler, CudaCompiler::Find(nvrtc, 90));
  compiler_ = std::make_unique<CudaCompiler>(std::move(compiler));
  compiler_->BeginKernel();
  name_ = "sm_90, without a GPU: " + device.status().message();
  options_.layout = MemoryLayout::kInterleaved;
  quick_text_below_ = compiler_->quick_text_below();
  best_text_below_ = compiler_->best_text_below();
  return {};
}

bool BuildTarget::HasQuickBuild(const KernelSource& source) const {
  return source.text.size() >= quick_text_from_ && source.text.size() < quick_text_below_;
}

bool BuildTarget::MayHaveBestBuild(const KernelSource& source) const {
  return source.text.size() < best_text_below_;
}

Result<Bytes> BuildTarget::BuildUntimed(const LoweredModule& module, const KernelSource& source,
                                        Effort effort) const {
  return device_ ? device_->Build(module, source, effort) : compiler_->Build(source, effort);
}

Result<Bytes> BuildTarget::Build(const LoweredModule& module, const KernelSource& source,
                                 Effort effort, BuildTime* time) const {
  const double processors = ProcessorMsOfChildren();
  const auto begin = Clock::now();
  Result<Bytes> binary = BuildUntimed(module, source, effort);
  *time = {Since(begin), ProcessorMsOfChildren() - processors};
  return binary;
}

double BuildTarget::LoadCached(const std::shared_ptr<const LoweredModule>& module,
                               const KernelSource& source, const Bytes& binary) const {
  const TemporaryFolder folder;
  auto cache = PipelineCache::Open({.directory = folder.path()});
  WB_CHECK(cache.ok());
  const CacheLabel label{source.digest, source.digest, device_->info().target};
  (*cache)->Store(label, binary);
  const auto begin = Clock::now();
  const auto stored = (*cache)->Load(label);
  WB_CHECK(stored.has_value());
  const auto loaded = device_->Load(module, *stored);
  const double took = Since(begin);  // without what unloading takes
  WB_CHECK(loaded.ok());
  return took;
}

}  // namespace wb::bench
