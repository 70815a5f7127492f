#include "scheduler/devices/cpu/cpu_device.h"

#include <utility>

#include "compiler/base/flush_subnormals.h"
#include "scheduler/devices/cpu/cpu_compiler.h"
#include "scheduler/devices/cpu/lane_device.h"
#include "scheduler/devices/cpu/shared_object.h"

namespace wb {
namespace {

// The full build of a smaller text takes about a second at most (bench/README.md, "Devices"). A
// larger text might need too much stack: code that is not optimised keeps every value in its frame,
// a byte or two for a byte of text at worst.
constexpr uint64_t kQuickTextFrom = uint64_t{128} << 10;
constexpr uint64_t kQuickTextBelow = uint64_t{32} << 20;

// `wb_main` of compiler/runtime/entry.metal, as the host's prelude makes it C.
using KernelFunction = void (*)(uint32_t* state, uint32_t* records, const uint32_t* program,
                                const uint32_t* columns, const uint32_t* blob,
                                const uint32_t* image, uint32_t* control, const abi::Params& params,
                                const uint32_t* kept, uint32_t gid);

class CpuKernel final : public LaneKernel {
 public:
  CpuKernel(std::shared_ptr<const LoweredModule> module, SharedObject object, KernelFunction main,
            bool flush_subnormals)
      : LaneKernel(std::move(module)),
        object_(std::move(object)),
        main_(main),
        flush_subnormals_(flush_subnormals) {}

  void RunLane(const LaneBuffers& buffers, uint32_t gid) const override {
    if (!flush_subnormals_) return Run(buffers, gid);
    const FlushSubnormals flushing;
    Run(buffers, gid);
  }

 private:
  void Run(const LaneBuffers& buffers, uint32_t gid) const {
    main_(buffers.state, buffers.records, buffers.program, buffers.columns, buffers.blob,
          buffers.image, buffers.control, *buffers.params, buffers.kept, gid);
  }

  SharedObject object_;
  KernelFunction main_;
  bool flush_subnormals_;
};

class CpuDevice final : public LaneDevice {
 public:
  CpuDevice(DeviceInfo info, std::shared_ptr<HostMemory> memory, CpuCompiler compiler)
      : LaneDevice(std::move(info), std::move(memory)), compiler_(std::move(compiler)) {}

  Result<Bytes> Build(const LoweredModule&, const KernelSource& source, Effort effort) override {
    return compiler_.Build(source, effort);
  }

  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule> module, ByteView binary) override {
    WB_ASSIGN(SharedObject object, SharedObject::Load(binary));
    auto main = reinterpret_cast<KernelFunction>(object.Find("wb_main"));
    if (main == nullptr) {
      return Status(Reason::kCompileFailed, "The kernel binary has no symbol [wb_main].");
    }
    const bool flush_subnormals = info().options.floats == Floats::kMetal;
    return PipelineRef(
        std::make_shared<CpuKernel>(std::move(module), std::move(object), main, flush_subnormals));
  }

 private:
  CpuCompiler compiler_;
};

}  // namespace

Result<std::unique_ptr<Device>> CreateCpuDevice(const CpuSettings& settings) {
  if (settings.metal_floats && !FlushSubnormals::Supported()) {
    return Status(Reason::kConfigInvalid,
                  "Metal floats are a test mode; this processor cannot flush subnormals for it.");
  }
  ChildLimits limits;
  limits.max_time = settings.compile.max_time;
  limits.max_memory_bytes = settings.compile.max_memory_bytes;
  WB_ASSIGN(CpuCompiler compiler, CpuCompiler::Find(settings.compiler_path, settings.work_directory,
                                                    limits, settings.chunk_bytes));
  DeviceInfo info;
  info.id = settings.id;
  info.engine = Engine::kCpu;
  info.name = CpuModelName();
  info.target = compiler.target();
  info.options.layout = settings.layout;
  info.options.floats = settings.metal_floats ? Floats::kMetal : Floats::kNative;
  info.threads = settings.threads;
  info.memory_bytes = settings.memory_bytes;
  info.quick_text_from = kQuickTextFrom;
  info.quick_text_below = kQuickTextBelow;
  return std::unique_ptr<Device>(
      new CpuDevice(std::move(info), settings.host_memory, std::move(compiler)));
}

}  // namespace wb
