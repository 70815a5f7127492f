// Runs a module's kernel text, interleaved layout, on an NVIDIA GPU through NVRTC, hand-launched,
// and compares every record with the CPU device's. Prints registers and local memory per thread as
// the driver reports them, and times: whole, cut into slices, and a hand-written kernel beside it.
// An experiment for the kernel's shape (compiler/README.md), not the CUDA device.
//
//   cuda_probe [--copies N] [--metal-floats] FILE.wasm EXPORT LANES [ARG]...
//   An ARG is `type:value` or `type:value+step` per lane; --copies: of recursive functions;
//   --metal-floats: what a Mac gets, with subnormals flushed as there.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "bench/cuda_driver.h"
#include "bench/cuda_work.h"
#include "compiler/compiler.h"
#include "compiler/runtime/runtime.h"

namespace wb {
namespace {

class Gpu {
 public:
  Gpu(const Work& work, const CompileOptions& options) : work_(work), options_(options) {
    cuda_.Call("cuInit", cuda_.cuInit(0));
    cuda_.Call("cuDevicePrimaryCtxRetain", cuda_.cuDevicePrimaryCtxRetain(&context_, 0));
    cuda_.Call("cuCtxSetCurrent", cuda_.cuCtxSetCurrent(context_));
    Compile();
    Allocate();
  }

  // Launches until every lane has ended. Returns milliseconds on the device.
  float Run(const LaunchLimits& limits, uint32_t block, int* launches) {
    const uint32_t lanes = work_.shape.lanes;
    std::vector<uint32_t> records(size_t{lanes} * work_.shape.RecordWords(), 0);
    for (uint32_t i = 0; i < lanes; ++i) {
      records[size_t{i} * work_.shape.RecordWords()] = abi::SEAT_START;
    }
    Upload(records_, records);
    abi::Params params = Params(limits);
    float total = 0;
    *launches = 0;
    for (bool left = true; left; ++*launches) {
      total += Launch(params, block);
      Download(records_, records);
      left = false;
      for (uint32_t i = 0; i < lanes && !left; ++i) {
        left = records[size_t{i} * work_.shape.RecordWords()] == abi::SEAT_RUNNING;
      }
    }
    last_records_ = std::move(records);
    return total;
  }

  const std::vector<uint32_t>& records() const { return last_records_; }

 private:
  void Compile() {
    std::vector<const char*> more;
    if (options_.floats == Floats::kMetal) more.push_back("-ftz=true");
    auto source = Must(EmitKernel(*work_.module, options_), "emit");
    const auto start = std::chrono::steady_clock::now();
    std::string cubin = nvrtc_.Compile(source.text + std::string(PreludeText("cuda/epilogue.cu")),
                                       std::string(PreludeText("cuda/metal_stdlib")), more);
    std::printf("nvrtc: %zu bytes of text in %.0f ms, %zu bytes of cubin\n", source.text.size(),
                Milliseconds(start), cubin.size());
    cuda_.Call("cuModuleLoadData", cuda_.cuModuleLoadData(&module_, cubin.data()));
    cuda_.Call("cuModuleGetFunction", cuda_.cuModuleGetFunction(&kernel_, module_, "wb_entry"));
    int registers = 0, local = 0;
    cuda_.Call("attribute", cuda_.cuFuncGetAttribute(&registers, 4, kernel_));
    cuda_.Call("attribute", cuda_.cuFuncGetAttribute(&local, 3, kernel_));
    std::printf("kernel: %d registers, %d bytes of local memory per thread\n", registers, local);
  }

  void Allocate() {
    const uint64_t groups = (work_.shape.lanes + 31) / 32;
    lane_words_ =
        work_.module->layout.LaneWords(work_.shape.capacity_pages, work_.shape.StackReserve());
    state_ = Reserve(groups * 32 * lane_words_ * 4);
    records_ = Reserve(uint64_t{work_.shape.lanes} * work_.shape.RecordWords() * 4);
    program_ = Filled(work_.shape.program);
    columns_ = Filled(work_.Columns());
    blob_ = Reserve(64);
    image_ = Filled(EncodeImage(*work_.module));
    control_ = Reserve(abi::CONTROL_WORDS * 4);
    cuda_.Call("memset", cuda_.cuMemsetD8(control_, 0, abi::CONTROL_WORDS * 4));
  }

  uint64_t Reserve(uint64_t bytes) {
    uint64_t address = 0;
    cuda_.Call("cuMemAlloc", cuda_.cuMemAlloc(&address, std::max<uint64_t>(bytes, 64)));
    return address;
  }
  uint64_t Filled(const std::vector<uint32_t>& words) {
    uint64_t address = Reserve(words.size() * 4);
    Upload(address, words);
    return address;
  }
  void Upload(uint64_t address, const std::vector<uint32_t>& words) {
    cuda_.Call("upload", cuda_.cuMemcpyHtoD(address, words.data(), words.size() * 4));
  }
  void Download(uint64_t address, std::vector<uint32_t>& words) {
    cuda_.Call("download", cuda_.cuMemcpyDtoH(words.data(), address, words.size() * 4));
  }

  abi::Params Params(const LaunchLimits& limits) const {
    abi::Params params;
    params.lanes = work_.shape.lanes;
    params.steps = work_.shape.steps;
    params.record_words = work_.shape.RecordWords();
    params.output_at = abi::RECORD_REGISTERS + work_.shape.register_words;
    params.capacity_pages = work_.shape.capacity_pages;
    params.max_pages = work_.shape.max_pages;
    params.max_stack = work_.shape.max_stack;
    const LaneLayout& layout = work_.module->layout;
    params.frames_at = static_cast<uint32_t>(layout.FramesAt(work_.shape.capacity_pages));
    params.capacity_stack = layout.recursive() ? work_.shape.StackReserve() : work_.shape.max_stack;
    params.quantum = limits.quantum;
    params.lane_words_lo = static_cast<uint32_t>(lane_words_);
    params.lane_words_hi = static_cast<uint32_t>(lane_words_ >> 32);
    params.slice_lo = static_cast<uint32_t>(limits.slice_fuel);
    params.slice_hi = static_cast<uint32_t>(limits.slice_fuel >> 32);
    params.slice_step = limits.slice_step;
    params.max_fuel_lo = params.max_fuel_hi = 0xffffffffu;
    return params;
  }

  float Launch(abi::Params params, uint32_t block) {
    void* args[] = {&state_, &records_, &program_, &columns_, &blob_, &image_, &control_, &params};
    void *begin = nullptr, *end = nullptr;
    cuda_.Call("event", cuda_.cuEventCreate(&begin, 0));
    cuda_.Call("event", cuda_.cuEventCreate(&end, 0));
    cuda_.Call("event", cuda_.cuEventRecord(begin, nullptr));
    cuda_.Call("cuLaunchKernel",
               cuda_.cuLaunchKernel(kernel_, (params.lanes + block - 1) / block, 1, 1, block, 1, 1,
                                    0, nullptr, args, nullptr));
    cuda_.Call("event", cuda_.cuEventRecord(end, nullptr));
    cuda_.Call("cuEventSynchronize", cuda_.cuEventSynchronize(end));
    float milliseconds = 0;
    cuda_.Call("event", cuda_.cuEventElapsedTime(&milliseconds, begin, end));
    return milliseconds;
  }

  const Work& work_;
  const CompileOptions options_;
  CudaDriver cuda_;
  Nvrtc nvrtc_;
  void* context_ = nullptr;
  void* module_ = nullptr;
  void* kernel_ = nullptr;
  uint64_t lane_words_ = 0;
  uint64_t state_ = 0, records_ = 0, program_ = 0, columns_ = 0, blob_ = 0, image_ = 0,
           control_ = 0;
  std::vector<uint32_t> last_records_;
};

constexpr uint32_t kMostLanesInTinySlices = 40'000;

int Main(int argc, char** argv) {
  CompileOptions options;
  options.layout = MemoryLayout::kInterleaved;
  if (argc > 2 && std::strcmp(argv[1], "--copies") == 0) {
    options.most_copies = static_cast<uint32_t>(std::atoi(argv[2]));
    argc -= 2;
    argv += 2;
  }
  if (argc > 1 && std::strcmp(argv[1], "--metal-floats") == 0) {
    options.floats = Floats::kMetal;
    --argc;
    ++argv;
  }
  if (argc < 4) {
    std::fprintf(stderr,
                 "usage: cuda_probe [--copies N] [--metal-floats] FILE.wasm EXPORT LANES "
                 "[TYPE:START+STEP]...\n");
    return 2;
  }
  Work work = PrepareWork(argv, argc);
  Gpu gpu(work, options);
  std::vector<uint32_t> expected = RunOnCpu(work);
  struct Variant {
    const char* name;
    LaunchLimits limits;
  };
  LaunchLimits whole, quanta, slices, tiny;
  whole.quantum = 1u << 30;
  quanta.quantum = 20000;
  slices.slice_fuel = 100000;
  slices.quantum = 20000;
  tiny.slice_fuel = 1;
  tiny.slice_step = 7;
  bool equal = true;
  for (const auto& [name, limits] :
       {Variant{"whole", whole}, Variant{"quanta of 20,000", quanta},
        Variant{"slices of 100,000", slices}, Variant{"slices of 1 + 7 * lane", tiny}}) {
    // One launch per safepoint of lane 0, each with all records back: only few lanes stand that.
    if (limits.slice_step != 0 && work.shape.lanes > kMostLanesInTinySlices) continue;
    std::vector<float> times;
    int launches = 0;
    bool same = true;
    for (int repeat = 0; repeat < 3; ++repeat) {
      times.push_back(gpu.Run(limits, 128, &launches));
      same = same && gpu.records() == expected;
    }
    std::sort(times.begin(), times.end());
    std::printf("gpu, %s: %.3f ms (%.3f to %.3f), %d launches, records %s\n", name, times[1],
                times[0], times[2], launches, same ? "equal" : "DIFFERENT");
    equal = equal && same;
  }
  return equal ? 0 : 1;
}

}  // namespace
}  // namespace wb

int main(int argc, char** argv) { return wb::Main(argc, argv); }
