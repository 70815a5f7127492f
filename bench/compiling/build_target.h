#pragma once

// What is built for: the CPU device, an NVIDIA GPU, or NVIDIA's compiler without a GPU.

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "compiler/compiler.h"
#include "scheduler/devices/device.h"

namespace wb {
class CudaCompiler;
}

namespace wb::bench {

// Wall clock, and what the compiler's processes took of processors.
struct BuildTime {
  double wall_ms = 0;
  double processor_ms = 0;
};

class BuildTarget {
 public:
  // "cpu" or "cuda"; `most`: for one build.
  static Result<std::unique_ptr<BuildTarget>> Open(const std::string& device,
                                                   std::chrono::milliseconds most);
  ~BuildTarget();

  const std::string& name() const { return name_; }  // of the device
  bool has_device() const { return device_ != nullptr; }
  const CompileOptions& options() const { return options_; }
  bool HasQuickBuild(const KernelSource& source) const;
  bool MayHaveBestBuild(const KernelSource& source) const;  // it may be no bytes
  Result<Bytes> Build(const LoweredModule& module, const KernelSource& source, Effort effort,
                      BuildTime* time) const;
  // Needs a device: milliseconds from the file of a cached entry to a pipeline that can be
  // launched.
  double LoadCached(const std::shared_ptr<const LoweredModule>& module, const KernelSource& source,
                    const Bytes& binary) const;

 private:
  BuildTarget() = default;
  Result<Bytes> BuildUntimed(const LoweredModule& module, const KernelSource& source,
                             Effort effort) const;
  Status OpenCuda(std::chrono::milliseconds most);

  std::string name_;
  CompileOptions options_;
  uint64_t quick_text_from_ = 0;
  uint64_t quick_text_below_ = 0;
  uint64_t best_text_below_ = 0;
  std::unique_ptr<Device> device_;
  std::unique_ptr<CudaCompiler> compiler_;  // where there is no GPU
};

// Processor time of this process's children that were waited for, milliseconds.
double ProcessorMsOfChildren();

}  // namespace wb::bench
