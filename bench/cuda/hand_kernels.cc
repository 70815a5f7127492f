#include "bench/cuda/hand_kernels.h"

namespace wb {
namespace {

// Numbers of the driver's interface (cuda.h).
constexpr int kLocalBytes = 3;
constexpr int kRegisters = 4;

}  // namespace

std::string HandKernels::Compile(const std::string& text, const std::string& includes) {
  const std::string option = "-I" + includes;
  std::vector<const char*> options;
  if (!includes.empty()) options.push_back(option.c_str());
  return bench::Nvrtc().Compile(text, "", options);
}

HandKernels::HandKernels(const std::string& code, uint32_t lanes, uint32_t scratch_words)
    : lanes_(lanes) {
  cuda_.Call("cuInit", cuda_.cuInit(0));
  cuda_.Call("cuDevicePrimaryCtxRetain", cuda_.cuDevicePrimaryCtxRetain(&context_, 0));
  cuda_.Call("cuCtxSetCurrent", cuda_.cuCtxSetCurrent(context_));
  cuda_.Call("cuModuleLoadData", cuda_.cuModuleLoadData(&module_, code.data()));
  const uint64_t padded = (uint64_t{lanes} + 31) / 32 * 32;
  cuda_.Call("cuMemAlloc", cuda_.cuMemAlloc(&digests_, padded * 4));
  if (scratch_words != 0) {
    cuda_.Call("cuMemAlloc", cuda_.cuMemAlloc(&scratch_, padded * scratch_words * 4));
  }
  cuda_.Call("event", cuda_.cuEventCreate(&begin_, 0));
  cuda_.Call("event", cuda_.cuEventCreate(&end_, 0));
}

HandKernels::~HandKernels() {
  cuda_.cuMemFree(digests_);
  if (scratch_ != 0) cuda_.cuMemFree(scratch_);
}

void* HandKernels::Find(const char* name) {
  void* kernel = nullptr;
  cuda_.Call(name, cuda_.cuModuleGetFunction(&kernel, module_, name));
  return kernel;
}

double HandKernels::Run(const char* name, std::vector<uint32_t>* digests, uint32_t block_threads) {
  // The module's device has streams of its own; its launches are over.
  cuda_.Call("cuCtxSetCurrent", cuda_.cuCtxSetCurrent(context_));
  void* const kernel = Find(name);
  void* args[] = {&digests_, &scratch_, &lanes_};
  cuda_.Call("memset", cuda_.cuMemsetD8(digests_, 0, uint64_t{lanes_} * 4));
  cuda_.Call("event", cuda_.cuEventRecord(begin_, nullptr));
  cuda_.Call(name, cuda_.cuLaunchKernel(kernel, (lanes_ + block_threads - 1) / block_threads, 1, 1,
                                        block_threads, 1, 1, 0, nullptr, args, nullptr));
  cuda_.Call("event", cuda_.cuEventRecord(end_, nullptr));
  cuda_.Call(name, cuda_.cuEventSynchronize(end_));
  float milliseconds = 0;
  cuda_.Call("event", cuda_.cuEventElapsedTime(&milliseconds, begin_, end_));
  digests->resize(lanes_);
  cuda_.Call("download", cuda_.cuMemcpyDtoH(digests->data(), digests_, uint64_t{lanes_} * 4));
  return milliseconds;
}

std::string HandKernels::Resources(const char* name) {
  int registers = 0, local = 0;
  cuda_.Call("attribute", cuda_.cuFuncGetAttribute(&registers, kRegisters, Find(name)));
  cuda_.Call("attribute", cuda_.cuFuncGetAttribute(&local, kLocalBytes, Find(name)));
  return std::to_string(registers) + " registers, " + std::to_string(local) +
         " bytes of local memory";
}

}  // namespace wb
