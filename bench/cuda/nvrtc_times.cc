// How long NVRTC takes for modules by size, and a start from the cache: one table.
//
//   nvrtc_times [--most-seconds N] [FILE.wasm]...
//
// Rows: modules of many functions (tests/compiler/emit/many_functions.h), growing until a build
// takes more than N seconds (default 60), then the files. Builds are those of the cuda device:
// wasmburst-nvrtc, a process of its own, is in the time. A remark with the time of day makes every
// text a new one, so that no cache of the driver's has it. Cached: from the entry's file, digest
// checked, to a pipeline that can be launched, median and highest of 21. Without a GPU that column
// is left out, and kernels are built for sm_90. The first row's quick build may wait for the kernel
// that is linked to all of them.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "bench/cuda/probe_work.h"
#include "bench/temporary_folder.h"
#include "scheduler/devices/cuda/cuda_compiler.h"
#include "scheduler/devices/cuda/cuda_device.h"
#include "scheduler/pipelines/pipeline_cache.h"
#include "tests/compiler/emit/many_functions.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr uint32_t kFunctions[] = {1, 10, 30, 100, 300, 1000};
constexpr uint32_t kInstructions = 130;
constexpr int kLoads = 21;

double Since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

class Rows {
 public:
  explicit Rows(double most_seconds) : most_seconds_(most_seconds) {
    const auto milliseconds = std::chrono::milliseconds(static_cast<int64_t>(most_seconds * 1e3));
    CudaSettings settings;
    settings.compile.max_time = milliseconds;
    auto device = CreateCudaDevice(settings);
    if (device.ok()) {
      device_ = std::move(device).value();
      std::printf("%s\n", device_->info().name.c_str());
    } else {
      std::printf("without a GPU, for sm_90: %s\n", device.status().message().c_str());
      NvrtcSettings nvrtc;
      nvrtc.limits.max_time = milliseconds;
      compiler_ = std::make_unique<CudaCompiler>(Must(CudaCompiler::Find(nvrtc, 90), "nvrtc"));
      compiler_->BeginKernel();
    }
    std::printf("%-26s %10s %10s %9s %10s %10s %10s   %s\n", "module", "wasm B", "text B",
                "to text ms", "quick ms", "nvrtc ms", "cubin B", "cached ms, median (highest)");
  }

  // False: it took longer than a build may.
  bool Print(const std::string& name, const Bytes& wasm) {
    const auto begin = Clock::now();
    const auto module = Must(Lower(Must(Module::Decode(wasm), name.c_str())), name.c_str());
    KernelSource source = Must(EmitKernel(*module, Options()), name.c_str());
    const double text_ms = Since(begin);
    const size_t text_bytes = source.text.size();
    source.text += "\n// " + std::to_string(Clock::now().time_since_epoch().count()) + "\n";
    std::printf("%-26s %10zu %10zu %9.1f ", name.c_str(), wasm.size(), text_bytes, text_ms);
    PrintQuick(*module, source);
    const auto build_begin = Clock::now();
    const Result<Bytes> binary = Build(*module, source, Effort::kFull);
    const double build_ms = Since(build_begin);
    if (!binary.ok()) {
      std::printf("%10.0f   %s\n", build_ms, binary.status().ToString().c_str());
      return false;
    }
    std::printf("%10.0f %10zu   %s\n", build_ms, binary->size(),
                Cached(module, source, *binary).c_str());
    std::fflush(stdout);
    return build_ms < most_seconds_ * 1e3;
  }

 private:
  Result<Bytes> Build(const LoweredModule& module, const KernelSource& source, Effort effort) {
    return device_ ? device_->Build(module, source, effort) : compiler_->Build(source, effort);
  }

  // "-" where the text has no quick way. The kernel by itself was built before the first row.
  void PrintQuick(const LoweredModule& module, const KernelSource& source) {
    const uint64_t below =
        device_ ? device_->info().quick_text_below : compiler_->quick_text_below();
    if (source.text.size() >= below) {
      std::printf("%10s ", "-");
    } else {
      const auto begin = Clock::now();
      const Result<Bytes> binary = Build(module, source, Effort::kQuick);
      std::printf(binary.ok() ? "%10.0f " : "failed %.0f ", Since(begin));
    }
    std::fflush(stdout);
  }

  CompileOptions Options() const {
    if (device_) return device_->info().options;
    CompileOptions options;
    options.layout = MemoryLayout::kInterleaved;
    return options;
  }

  std::string Cached(const std::shared_ptr<const LoweredModule>& module, const KernelSource& source,
                     const Bytes& binary) {
    if (!device_) return "-";
    const TemporaryFolder folder;
    const auto cache = Must(PipelineCache::Open({.directory = folder.path()}), "cache");
    const CacheLabel label{source.digest, source.digest, device_->info().target};
    cache->Store(label, binary);
    std::vector<double> times;
    for (int i = 0; i < kLoads; ++i) {
      const auto begin = Clock::now();
      const auto stored = cache->Load(label);
      WB_CHECK(stored.has_value());
      const PipelineRef pipeline = Must(device_->Load(module, *stored), "load");
      times.push_back(Since(begin));
    }
    std::sort(times.begin(), times.end());
    char text[64];
    std::snprintf(text, sizeof text, "%.3f (%.3f)", times[kLoads / 2], times.back());
    return text;
  }

  const double most_seconds_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<CudaCompiler> compiler_;  // where there is no device
};

int Main(int argc, char** argv) {
  double most_seconds = 60;
  int first = 1;
  if (argc > 1 && std::strcmp(argv[1], "--most-seconds") == 0) {
    most_seconds = argc > 2 ? std::atof(argv[2]) : 0;
    first = 3;
  } else if (argc > 1 && argv[1][0] == '-') {
    most_seconds = 0;
  }
  if (most_seconds <= 0) {
    std::fprintf(stderr, "usage: nvrtc_times [--most-seconds N] [FILE.wasm]...\n");
    return 2;
  }
  Rows rows(most_seconds);
  for (int i = first; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    const Bytes wasm{std::istreambuf_iterator<char>(file), {}};
    rows.Print(std::string(argv[i]).substr(std::string(argv[i]).rfind('/') + 1), wasm);
  }
  for (const uint32_t functions : kFunctions) {
    const Bytes wasm = test::MustAssemble(test::ManyFunctionsModule(functions, kInstructions));
    if (!rows.Print(std::to_string(functions) + " functions", wasm)) break;
  }
  return 0;
}

}  // namespace
}  // namespace wb::bench

int main(int argc, char** argv) { return wb::bench::Main(argc, argv); }
