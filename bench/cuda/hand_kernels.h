#pragma once

// The hand-written kernels of one .cu file on an NVIDIA GPU: compiled by NVRTC, launched by hand.
// Each is `extern "C" __global__ void NAME(uint *digests, uint *scratch, uint lanes)` and writes a
// digest per lane. Any failure ends the program.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/cuda/cuda_driver.h"

namespace wb {

class HandKernels {
 public:
  // The code of a file's text; `includes`: where the text's includes are, or empty. Needs no GPU.
  static std::string Compile(const std::string& text, const std::string& includes = "");

  // `code`: what Compile() made; `scratch_words`: of each lane, rounded up to whole warps.
  HandKernels(const std::string& code, uint32_t lanes, uint32_t scratch_words);
  HandKernels(const HandKernels&) = delete;
  HandKernels& operator=(const HandKernels&) = delete;
  ~HandKernels();

  // Milliseconds on the device of the kernel named, and what it wrote.
  double Run(const char* name, std::vector<uint32_t>* digests, uint32_t block_threads = 128);
  std::string Resources(const char* name);  // "40 registers, 16480 bytes of local memory"

 private:
  void* Find(const char* name);

  bench::CudaDriver cuda_;
  uint32_t lanes_;
  void* context_ = nullptr;
  void* module_ = nullptr;
  void* begin_ = nullptr;
  void* end_ = nullptr;
  uint64_t digests_ = 0, scratch_ = 0;
};

}  // namespace wb
