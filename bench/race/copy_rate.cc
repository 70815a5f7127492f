#include <algorithm>

#include "bench/cuda/cuda_driver.h"
#include "bench/race/race_rounds.h"

namespace wb::bench {

nlohmann::ordered_json MeasureCopies() {
  constexpr size_t kBytes = size_t{1} << 30;
  constexpr int kCopies = 10;
  CudaDriver cuda;
  void *context = nullptr, *begin = nullptr, *end = nullptr;
  uint64_t from = 0, to = 0;
  cuda.Call("cuInit", cuda.cuInit(0));
  cuda.Call("cuDevicePrimaryCtxRetain", cuda.cuDevicePrimaryCtxRetain(&context, 0));
  cuda.Call("cuCtxSetCurrent", cuda.cuCtxSetCurrent(context));
  cuda.Call("cuMemAlloc", cuda.cuMemAlloc(&from, kBytes));
  cuda.Call("cuMemAlloc", cuda.cuMemAlloc(&to, kBytes));
  cuda.Call("memset", cuda.cuMemsetD8(from, 1, kBytes));
  cuda.Call("event", cuda.cuEventCreate(&begin, 0));
  cuda.Call("event", cuda.cuEventCreate(&end, 0));
  double best = 0;
  for (int i = 0; i < kCopies; ++i) {
    cuda.Call("event", cuda.cuEventRecord(begin, nullptr));
    cuda.Call("copy", cuda.cuMemcpyDtoDAsync(to, from, kBytes, nullptr));
    cuda.Call("event", cuda.cuEventRecord(end, nullptr));
    cuda.Call("copy", cuda.cuEventSynchronize(end));
    float milliseconds = 0;
    cuda.Call("event", cuda.cuEventElapsedTime(&milliseconds, begin, end));
    best = std::max(best, 2.0 * kBytes / (milliseconds * 1e-3));
  }
  cuda.cuMemFree(from);
  cuda.cuMemFree(to);
  return {{"copy_bytes_per_s", best}};
}

}  // namespace wb::bench
