#pragma once

// A probe's work as a kernel on an NVIDIA GPU through NVRTC, launched by hand. Any failure ends the
// program.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/cuda/cuda_driver.h"
#include "bench/cuda/probe_work.h"

namespace wb {

class CudaWork {
 public:
  // With metal floats the GPU flushes subnormals, as a Mac does.
  CudaWork(const Work& work, const CompileOptions& options);
  CudaWork(const CudaWork&) = delete;
  CudaWork& operator=(const CudaWork&) = delete;
  ~CudaWork();

  // Launches until every lane has ended. Returns milliseconds on the device.
  float Run(const LaunchLimits& limits, uint32_t block, int* launches);
  const std::vector<uint32_t>& records() const { return last_records_; }

  // What the compiler made: sizes, registers, local memory.
  const std::string& report() const { return report_; }

 private:
  void Compile();
  void Allocate();
  uint64_t Reserve(uint64_t bytes);
  uint64_t Filled(const std::vector<uint32_t>& words);
  void Upload(uint64_t address, const std::vector<uint32_t>& words);
  void Download(uint64_t address, std::vector<uint32_t>& words);
  abi::Params Params(const LaunchLimits& limits) const;
  float Launch(abi::Params params, uint32_t block);

  const Work& work_;
  const CompileOptions options_;
  bench::CudaDriver cuda_;
  bench::Nvrtc nvrtc_;
  std::string report_;
  void* context_ = nullptr;
  void* module_ = nullptr;
  void* kernel_ = nullptr;
  uint64_t lane_words_ = 0;
  uint64_t state_ = 0, records_ = 0, program_ = 0, columns_ = 0, blob_ = 0, image_ = 0,
           control_ = 0;
  std::vector<uint64_t> reserved_;
  std::vector<uint32_t> last_records_;
};

}  // namespace wb
