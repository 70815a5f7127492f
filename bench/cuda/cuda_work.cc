#include "bench/cuda/cuda_work.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "compiler/runtime/runtime.h"

namespace wb {

CudaWork::CudaWork(const Work& work, const CompileOptions& options)
    : work_(work), options_(options) {
  cuda_.Call("cuInit", cuda_.cuInit(0));
  cuda_.Call("cuDevicePrimaryCtxRetain", cuda_.cuDevicePrimaryCtxRetain(&context_, 0));
  cuda_.Call("cuCtxSetCurrent", cuda_.cuCtxSetCurrent(context_));
  Compile();
  Allocate();
}

CudaWork::~CudaWork() {
  for (uint64_t address : reserved_) cuda_.cuMemFree(address);
}

float CudaWork::Run(const LaunchLimits& limits, uint32_t block, int* launches) {
  const uint32_t lanes = work_.shape.lanes;
  std::vector<uint32_t> records(size_t{lanes} * work_.shape.RecordWords(), 0);
  SeatAll(work_, records);
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

void CudaWork::Compile() {
  std::vector<const char*> more;
  if (options_.floats == Floats::kMetal) more.push_back("-ftz=true");
  auto source = Must(EmitKernel(*work_.module, options_), "emit");
  const auto start = std::chrono::steady_clock::now();
  std::string cubin = nvrtc_.Compile(source.text + std::string(PreludeText("cuda/epilogue.cu")),
                                     std::string(PreludeText("cuda/metal_stdlib")), more);
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - start);
  report_ = "nvrtc: " + std::to_string(source.text.size()) + " bytes of text in " +
            std::to_string(took.count()) + " ms, " + std::to_string(cubin.size()) +
            " bytes of cubin\n";
  cuda_.Call("cuModuleLoadData", cuda_.cuModuleLoadData(&module_, cubin.data()));
  cuda_.Call("cuModuleGetFunction", cuda_.cuModuleGetFunction(&kernel_, module_, "wb_entry"));
  int registers = 0, local = 0;
  cuda_.Call("attribute", cuda_.cuFuncGetAttribute(&registers, 4, kernel_));
  cuda_.Call("attribute", cuda_.cuFuncGetAttribute(&local, 3, kernel_));
  report_ += "kernel: " + std::to_string(registers) + " registers, " + std::to_string(local) +
             " bytes of local memory per thread\n";
}

void CudaWork::Allocate() {
  const uint64_t groups = (work_.shape.lanes + 31) / 32;
  lane_words_ = work_.module->layout.LaneWords(work_.shape.Reserve(), work_.shape.StackReserve());
  state_ = Reserve(groups * 32 * lane_words_ * 4);
  records_ = Reserve(uint64_t{work_.shape.lanes} * work_.shape.RecordWords() * 4);
  program_ = Filled(work_.shape.program);
  columns_ = Filled(work_.Columns());
  blob_ = Reserve(64);
  image_ = Filled(EncodeImage(*work_.module));
  control_ = Reserve(abi::CONTROL_WORDS * 4);
  cuda_.Call("memset", cuda_.cuMemsetD8(control_, 0, abi::CONTROL_WORDS * 4));
}

uint64_t CudaWork::Reserve(uint64_t bytes) {
  uint64_t address = 0;
  cuda_.Call("cuMemAlloc", cuda_.cuMemAlloc(&address, std::max<uint64_t>(bytes, 64)));
  reserved_.push_back(address);
  return address;
}

uint64_t CudaWork::Filled(const std::vector<uint32_t>& words) {
  uint64_t address = Reserve(words.size() * 4);
  Upload(address, words);
  return address;
}

void CudaWork::Upload(uint64_t address, const std::vector<uint32_t>& words) {
  cuda_.Call("upload", cuda_.cuMemcpyHtoD(address, words.data(), words.size() * 4));
}

void CudaWork::Download(uint64_t address, std::vector<uint32_t>& words) {
  cuda_.Call("download", cuda_.cuMemcpyDtoH(words.data(), address, words.size() * 4));
}

abi::Params CudaWork::Params(const LaunchLimits& limits) const {
  abi::Params params;
  params.lanes = work_.shape.lanes;
  params.steps = work_.shape.steps;
  params.record_words = work_.shape.RecordWords();
  params.output_at = abi::RECORD_REGISTERS + work_.shape.register_words;
  params.capacity_pages = work_.shape.capacity_pages;
  params.max_pages = work_.shape.max_pages;
  params.max_stack = work_.shape.max_stack;
  const LaneLayout& layout = work_.module->layout;
  params.frames_at = static_cast<uint32_t>(layout.FramesAt(work_.shape.Reserve()));
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

float CudaWork::Launch(abi::Params params, uint32_t block) {
  void* args[] = {&state_, &records_, &program_, &columns_, &blob_,
                  &image_, &control_, &params,   &blob_};  // it has no kept input
  void *begin = nullptr, *end = nullptr;
  cuda_.Call("event", cuda_.cuEventCreate(&begin, 0));
  cuda_.Call("event", cuda_.cuEventCreate(&end, 0));
  cuda_.Call("event", cuda_.cuEventRecord(begin, nullptr));
  cuda_.Call("cuLaunchKernel", cuda_.cuLaunchKernel(kernel_, (params.lanes + block - 1) / block, 1,
                                                    1, block, 1, 1, 0, nullptr, args, nullptr));
  cuda_.Call("event", cuda_.cuEventRecord(end, nullptr));
  cuda_.Call("cuEventSynchronize", cuda_.cuEventSynchronize(end));
  float milliseconds = 0;
  cuda_.Call("event", cuda_.cuEventElapsedTime(&milliseconds, begin, end));
  return milliseconds;
}

}  // namespace wb
