#pragma once

// Shared objects of kernel texts, for tests that run kernels and are not about their compiler: each
// text is compiled once for all processes that share a folder (every GoogleTest case is a process,
// and the sanitizers run most of them again). The pipeline cache keeps them, under a digest of the
// text and of all that shapes its object (CpuCompiler::target); what is torn or damaged is built
// anew. deploy/test.sh names the folder, empty at its start; without one everything is built.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "scheduler/devices/device.h"
#include "scheduler/pipelines/pipeline_cache.h"

namespace wb::test {

class BuiltObjects {
 public:
  using Builder = std::function<Result<Bytes>()>;

  // Empty, or no folder that can be had: keeps nothing.
  explicit BuiltObjects(const std::string& folder);
  static BuiltObjects& OfThisRun();  // in the folder that WB_BUILT_OBJECTS names

  // As `build` gives it, which is not called where the object is there. Any thread.
  Result<Bytes> Get(const std::string& target, std::string_view text, Effort effort,
                    const Builder& build);

 private:
  std::unique_ptr<PipelineCache> kept_;
};

// For tests of devices, which are about lanes and not about kernels. Under a sanitizer, which sees
// nothing of a kernel, the build without optimizing takes a tenth of the time.
#ifdef WB_SANITIZED
constexpr Effort kEffortForDevices = Effort::kQuick;
#else
constexpr Effort kEffortForDevices = Effort::kFull;
#endif

// device.Build, by way of the objects of this run where the device is a cpu one.
Result<Bytes> BuildShared(Device& device, const LoweredModule& module, const KernelSource& source,
                          Effort effort = Effort::kFull);

}  // namespace wb::test
