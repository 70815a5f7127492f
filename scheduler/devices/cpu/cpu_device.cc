#include "scheduler/devices/cpu/cpu_device.h"

#include <optional>
#include <utility>

#include "compiler/base/flush_subnormals.h"
#include "compiler/runtime/runtime.h"
#include "scheduler/devices/cpu/cpu_compiler.h"
#include "scheduler/devices/cpu/cpu_entry.h"
#include "scheduler/devices/cpu/lane_device.h"
#include "scheduler/devices/cpu/shared_object.h"

namespace wb {
namespace {

// The full build of a smaller text takes about a second at most (bench/README.md, "Devices"). A
// larger text might need too much stack: code that is not optimised keeps every value in its frame,
// a byte or two for a byte of text at worst.
constexpr uint64_t kQuickTextFrom = uint64_t{128} << 10;
constexpr uint64_t kQuickTextBelow = uint64_t{32} << 20;

class CpuKernel final : public LaneKernel {
 public:
  CpuKernel(std::shared_ptr<const LoweredModule> module, SharedObject object, uint64_t bytes,
            void* call, const CompileOptions& options)
      : LaneKernel(std::move(module)),
        object_(std::move(object)),
        bytes_(bytes),
        code_{call,
              this->module().layout.memory_at,
              this->module().layout.globals_at,
              this->module().program.asks,
              static_cast<uint32_t>(WindowFormOf(this->module().program, options)),
              this->module().layout.group_at,
              this->module().layout.group_memory_at},
        options_(options) {}

  void RunLane(const LaneBuffers& buffers, uint32_t gid) const override {
    if (options_.floats != Floats::kMetal) return RunEntry(options_.layout, code_, buffers, gid);
    const FlushSubnormals flushing;
    RunEntry(options_.layout, code_, buffers, gid);
  }

  PipelineFacts facts() const override { return {.code_bytes = bytes_}; }

 private:
  SharedObject object_;
  const uint64_t bytes_;
  const ModuleCode code_;
  const CompileOptions options_;
};

class CpuDevice final : public LaneDevice {
 public:
  CpuDevice(DeviceInfo info, std::shared_ptr<HostMemory> memory,
            std::optional<CpuCompiler> compiler)
      : LaneDevice(std::move(info), std::move(memory)), compiler_(std::move(compiler)) {}

  Result<Bytes> Build(const LoweredModule&, const KernelSource& source, Effort effort) override {
    if (!compiler_) return Status(Reason::kInternal, "This process builds no kernels.");
    KernelSource part = source;
    part.text = TextWithoutKernel(source.text);
    return compiler_->Build(part, effort);
  }

  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule> module, ByteView binary) override {
    WB_ASSIGN(SharedObject object, SharedObject::Load(binary));
    void* call = object.Find("wb_module_call");
    if (call == nullptr) {
      return Status(Reason::kCompileFailed, "The kernel binary has no symbol [wb_module_call].");
    }
    return PipelineRef(std::make_shared<CpuKernel>(std::move(module), std::move(object),
                                                   binary.size(), call, info().options));
  }

 private:
  const std::optional<CpuCompiler> compiler_;
};

Result<CpuCompiler> FindCompiler(const CpuSettings& settings) {
  ChildLimits limits;
  limits.max_time = settings.compile.max_time;
  limits.max_memory_bytes = settings.compile.max_memory_bytes;
  limits.isolation = settings.compile.isolation;
  return CpuCompiler::Find(settings.compiler_path, settings.work_directory, limits,
                           settings.chunk_bytes);
}

}  // namespace

Result<std::unique_ptr<Device>> CreateCpuDevice(const CpuSettings& settings) {
  if (settings.metal_floats && !FlushSubnormals::Supported()) {
    return Status(Reason::kConfigInvalid,
                  "Metal floats are a test mode; this processor cannot flush subnormals for it.");
  }
  std::optional<CpuCompiler> compiler;
  if (settings.builds) {
    WB_ASSIGN(compiler, FindCompiler(settings));
  }
  DeviceInfo info;
  info.id = settings.id;
  info.engine = Engine::kCpu;
  info.name = CpuModelName();
  // Not the kernel of the whole text.
  if (compiler) info.target = compiler->target() + " / wb_module_call";
  info.options.layout = settings.layout;
  info.options.windows = settings.windows;
  info.options.floats = settings.metal_floats ? Floats::kMetal : Floats::kNative;
  info.threads = settings.threads;
  info.memory_bytes = settings.memory_bytes;
  info.quick_text_from = kQuickTextFrom;
  info.quick_text_below = kQuickTextBelow;
  return std::unique_ptr<Device>(
      new CpuDevice(std::move(info), settings.host_memory, std::move(compiler)));
}

}  // namespace wb
