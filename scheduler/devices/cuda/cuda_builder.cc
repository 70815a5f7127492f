#include "scheduler/devices/cuda/cuda_builder.h"

#include <charconv>
#include <optional>
#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr std::string_view kArchitecturePrefix = "sm_";

// Comes from a process that runs what strangers wrote, and goes into a compiler's arguments.
std::optional<uint32_t> CapabilityOf(std::string_view architecture) {
  if (!architecture.starts_with(kArchitecturePrefix)) return std::nullopt;
  architecture.remove_prefix(kArchitecturePrefix.size());
  uint32_t capability = 0;
  const char* const end = architecture.data() + architecture.size();
  const auto [read, error] = std::from_chars(architecture.data(), end, capability);
  if (error != std::errc() || read != end || capability < 10 || capability > 999) {
    return std::nullopt;
  }
  return capability;
}

Status RunsNothing() { return {Reason::kInternal, "This process builds kernels and runs none."}; }

class CudaBuilder final : public Device {
 public:
  CudaBuilder(const std::string& id, CudaBuilds builds) : builds_(std::move(builds)) {
    info_.id = id;
    info_.engine = Engine::kCuda;
    info_.name = "compiler";
    info_.options.layout = MemoryLayout::kInterleaved;
    builds_.Describe(info_);
  }

  const DeviceInfo& info() const override { return info_; }
  Result<Bytes> Build(const LoweredModule&, const KernelSource& source, Effort effort) override {
    return builds_.Build(source, effort);
  }
  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule>, ByteView) override {
    return RunsNothing();
  }
  Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef&, const DispatchShape&) override {
    return RunsNothing();
  }
  Status Begin(Dispatch&, const LaunchLimits&) override { return RunsNothing(); }
  Result<LaunchReport> Await() override { return RunsNothing(); }
  void Stop() override {}
  Telemetry Sample() override { return {}; }

 private:
  const CudaBuilds builds_;
  DeviceInfo info_;
};

}  // namespace

void CudaBuilds::Describe(DeviceInfo& info) const {
  info.target = target;
  info.few_registers = few_registers;
  info.tiled = tiled;
  info.hot = hot;
  if (build_quick) info.quick_text_below = quick_text_below;
  if (build_best) info.best_text_below = best_text_below;
}

Result<Bytes> CudaBuilds::Build(const KernelSource& source, Effort effort) const {
  if (!build) return Status(Reason::kInternal, "This process builds no kernels.");
  if (effort == Effort::kQuick && build_quick) return build_quick(source);
  if (effort == Effort::kBest) return build_best ? build_best(source) : Bytes();
  return build(source);
}

std::string ArchitectureName(uint32_t capability) {
  return std::string(kArchitecturePrefix) + std::to_string(capability);
}

Result<CudaBuilds> FindCudaBuilds(const NvrtcSettings& settings, uint32_t capability) {
  WB_ASSIGN(const CudaCompiler compiler, CudaCompiler::Find(settings, capability));
  CudaBuilds builds;
  builds.target = compiler.target();
  builds.build = [compiler](const KernelSource& source) { return compiler.Build(source); };
  builds.build_quick = [compiler](const KernelSource& source) {
    return compiler.Build(source, Effort::kQuick);
  };
  builds.quick_text_below = compiler.quick_text_below();
  builds.build_best = [compiler](const KernelSource& source) {
    return compiler.Build(source, Effort::kBest);
  };
  builds.best_text_below = compiler.best_text_below();
  builds.few_registers = compiler.has_two_kernels();
  builds.tiled = compiler.has_two_kernels();
  builds.hot = compiler.has_two_kernels();
  compiler.BeginKernel();
  return builds;
}

Result<std::unique_ptr<Device>> CreateCudaBuilder(const std::string& id,
                                                  const NvrtcSettings& settings,
                                                  std::string_view architecture) {
  const std::optional<uint32_t> capability = CapabilityOf(architecture);
  if (!capability) {
    return Status(Reason::kConfigInvalid, "NVIDIA's GPUs have no architecture " +
                                              Quoted(architecture) + "; one is [sm_90].");
  }
  WB_ASSIGN(CudaBuilds builds, FindCudaBuilds(settings, *capability));
  return CreateCudaBuilder(id, std::move(builds));
}

std::unique_ptr<Device> CreateCudaBuilder(const std::string& id, CudaBuilds builds) {
  return std::make_unique<CudaBuilder>(id, std::move(builds));
}

}  // namespace wb
