// What bench/group_programs.sh compares with: the programs of deploy/examples/gpu_std written by hand.
//   nvcc -O3 -fmad=false -o group_programs group_programs.cu
//   group_programs reduction|histogram|nbody INSTANCES SIZE ROUNDS
// Prints the kernel's milliseconds of each round, then "result" and the sum of all results.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr int kBlock = 256, kGroup = 32, kTile = 256, kBins = 32;

void Check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

__global__ void Reduction(uint32_t instances, uint32_t size, double* results) {
  const uint32_t instance = blockIdx.x * blockDim.x + threadIdx.x;
  int64_t own = 0;
  if (instance < instances) {
    const uint32_t begin = instance * size;
    for (uint32_t i = 0; i < size; ++i) own += ((begin + i) * 2654435761u) >> 16 & 0xffff;
  }
  for (int by = kGroup / 2; by != 0; by /= 2) own += __shfl_xor_sync(0xffffffffu, own, by);
  if (instance < instances) results[instance] = static_cast<double>(own);
}

__device__ uint32_t Mixed(uint32_t i) {
  i = (i ^ i >> 15) * 2246822519u;
  i = (i ^ i >> 13) * 3266489917u;
  return i ^ i >> 16;
}

__global__ void Histogram(uint32_t instances, uint32_t size, double* results) {
  __shared__ int counts[kBlock / kGroup][kBins];
  const uint32_t instance = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t lane = threadIdx.x % kGroup;
  int* own = counts[threadIdx.x / kGroup];
  own[lane] = 0;
  __syncwarp();
  if (instance < instances) {
    const uint32_t begin = instance * size;
    for (uint32_t i = 0; i < size; ++i) atomicAdd(&own[Mixed(begin + i) % kBins], 1);
  }
  __syncwarp();
  if (instance < instances) results[instance] = own[lane] * static_cast<int>(lane + 1);
}

struct Body {
  double x, y, mass;
};

__device__ Body Made(uint32_t i) {
  return {Mixed(3 * i) / 4294967296.0, Mixed(3 * i + 1) / 4294967296.0,
          Mixed(3 * i + 2) / 4294967296.0};
}

__global__ void Pull(uint32_t instances, uint32_t size, double* results) {
  __shared__ Body tile[kTile];
  const uint32_t instance = blockIdx.x * blockDim.x + threadIdx.x;
  const Body own = Made(instance);
  double all = 0;
  for (uint32_t from = 0; from < size; from += kTile) {
    tile[threadIdx.x] = Made(from + threadIdx.x);
    __syncthreads();
    for (uint32_t i = 0; i < kTile && from + i < size; ++i) {
      const double x = tile[i].x - own.x, y = tile[i].y - own.y;
      const double square = x * x + y * y + 0.0001;
      all += tile[i].mass * x / (square * sqrt(square));
    }
    __syncthreads();
  }
  if (instance < instances) results[instance] = all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return std::fprintf(stderr, "use: %s PROGRAM INSTANCES SIZE ROUNDS\n", argv[0]), 2;
  void (*kernel)(uint32_t, uint32_t, double*) = Pull;
  if (std::strcmp(argv[1], "reduction") == 0) kernel = Reduction;
  if (std::strcmp(argv[1], "histogram") == 0) kernel = Histogram;
  const auto instances = static_cast<uint32_t>(std::atoi(argv[2]));
  const auto size = static_cast<uint32_t>(std::atoi(argv[3]));
  double* results = nullptr;
  Check(cudaMalloc(&results, instances * sizeof(double)), "memory");
  cudaEvent_t begin, end;
  Check(cudaEventCreate(&begin), "event");
  Check(cudaEventCreate(&end), "event");
  for (int round = -1; round < std::atoi(argv[4]); ++round) {  // the first is not counted
    Check(cudaEventRecord(begin), "event");
    kernel<<<(instances + kBlock - 1) / kBlock, kBlock>>>(instances, size, results);
    Check(cudaEventRecord(end), "event");
    Check(cudaEventSynchronize(end), "kernel");
    float milliseconds = 0;
    Check(cudaEventElapsedTime(&milliseconds, begin, end), "event");
    if (round >= 0) std::printf("%.4f\n", milliseconds);
  }
  std::vector<double> all(instances);
  Check(cudaMemcpy(all.data(), results, instances * sizeof(double), cudaMemcpyDeviceToHost),
        "results");
  double sum = 0;
  const size_t every = kernel == Reduction ? kGroup : 1;  // a group's sum is given by each of it
  for (size_t i = 0; i < instances; i += every) sum += all[i];
  std::printf("result %.17g %zu\n", sum, (instances + every - 1) / every);
}
