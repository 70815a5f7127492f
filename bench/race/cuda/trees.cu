// What a CUDA programmer would write for guests/trees.c: one thread per instance. The trees are the
// same for all, so a block makes them once, in shared memory; a sample of 16 bytes is in registers, or in
// shared memory too.

typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned long long ulong64;
enum { kTrees = 16, kDepth = 7, kNodes = 1 << kDepth, kFeatures = 16, kRounds = 200, kBlock = 128 };

__device__ inline uint Next(uint &state) { return state = state * 1664525u + 1013904223u; }

// Features in the low byte, bounds in the high one. Each thread draws every blockDim.x'th node: so
// many steps of the generator are one of another multiplier.
__device__ void MakeTrees(unsigned short *nodes) {
  uint multiply = 1, add = 0, state = 7;
  for (uint i = 0; i < blockDim.x; ++i) {
    multiply *= 1664525u;
    add = add * 1664525u + 1013904223u;
  }
  for (uint i = 0; i <= threadIdx.x; ++i) Next(state);
  for (uint node = threadIdx.x; node < kTrees * kNodes; node += blockDim.x) {
    nodes[node] = (unsigned short)((state >> 8) % kFeatures | state >> 24 << 8);
    state = state * multiply + add;
  }
  __syncthreads();
}

struct RegisterSample {
  ulong64 low, high;
  __device__ uint At(uint feature) const {
    return (uint)((feature < 8 ? low : high) >> feature % 8 * 8) & 255;
  }
  __device__ void Draw(uint &state) {
    low = high = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) low |= (ulong64)(Next(state) >> 24) << 8 * i;
#pragma unroll
    for (int i = 0; i < 8; ++i) high |= (ulong64)(Next(state) >> 24) << 8 * i;
  }
};
struct SharedSample {
  uint *words;  // every kBlock'th is this thread's
  __device__ uint At(uint feature) const {
    return words[feature / 4 * kBlock] >> feature % 4 * 8 & 255;
  }
  __device__ void Draw(uint &state) {
#pragma unroll
    for (int i = 0; i < kFeatures / 4; ++i) {
      uint four = 0;
#pragma unroll
      for (int byte = 0; byte < 4; ++byte) four |= Next(state) >> 24 << 8 * byte;
      words[i * kBlock] = four;
    }
  }
};

template <typename Sample>
__device__ uint Votes(const unsigned short *nodes, Sample sample, uint lane) {
  uint votes = 0, state = lane * 2654435761u + 1;
  for (int round = 0; round < kRounds; ++round) {
    sample.Draw(state);
    for (int tree = 0; tree < kTrees; ++tree) {
      uint node = 1;
#pragma unroll
      for (int level = 0; level < kDepth; ++level) {
        const uint at = nodes[tree * kNodes + node];
        node = 2 * node + (sample.At(at & 255) > at >> 8);
      }
      votes += node & 1;
    }
  }
  return votes;
}

extern "C" __global__ void trees_registers(uint *digests, uint *, uint lanes) {
  __shared__ unsigned short nodes[kTrees * kNodes];
  MakeTrees(nodes);
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane < lanes) digests[lane] = Votes(nodes, RegisterSample{}, lane);
}

// In blocks of kBlock threads.
extern "C" __global__ void trees_shared(uint *digests, uint *, uint lanes) {
  __shared__ unsigned short nodes[kTrees * kNodes];
  __shared__ uint samples[kFeatures / 4 * kBlock];
  MakeTrees(nodes);
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane < lanes) digests[lane] = Votes(nodes, SharedSample{samples + threadIdx.x}, lane);
}
