// What a CUDA programmer would write for guests/nbody.c: one thread per instance, the five bodies in
// registers, all loops over them unrolled. Sums have the guest's order, so that bits are the same.

typedef unsigned int uint;
enum { kBodies = 5, kSteps = 400 };

__device__ inline double Double(uint &random) {
  random = random * 1664525u + 1013904223u;
  return (double)(random >> 8) * 0x1p-24;
}

struct Body {
  double at[3], speed[3], mass;
};

__device__ inline void Attract(Body &a, Body &b, double step) {
  double d[3], square = 0.01;
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    d[i] = a.at[i] - b.at[i];
    square += d[i] * d[i];
  }
  const double force = step / (square * sqrt(square));
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    a.speed[i] -= d[i] * b.mass * force;
    b.speed[i] += d[i] * a.mass * force;
  }
}

extern "C" __global__ void nbody_registers(uint *digests, uint *, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  uint random = lane * 2654435761u + 1;
  Body bodies[kBodies];
#pragma unroll
  for (int k = 0; k < kBodies; ++k) {
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      bodies[k].at[i] = 4 * Double(random) - 2;
      bodies[k].speed[i] = Double(random) - 0.5;
    }
    bodies[k].mass = 0.1 + Double(random);
  }
  for (int step = 0; step < kSteps; ++step) {
#pragma unroll
    for (int k = 0; k < kBodies; ++k) {
#pragma unroll
      for (int l = k + 1; l < kBodies; ++l) Attract(bodies[k], bodies[l], 0.001);
    }
#pragma unroll
    for (int k = 0; k < kBodies; ++k) {
#pragma unroll
      for (int i = 0; i < 3; ++i) bodies[k].at[i] += 0.001 * bodies[k].speed[i];
    }
  }
  double energy = 0;
#pragma unroll
  for (int k = 0; k < kBodies; ++k) {
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      energy += 0.5 * bodies[k].mass * bodies[k].speed[i] * bodies[k].speed[i];
    }
  }
  const long long bits = __double_as_longlong(energy);
  digests[lane] = (uint)bits ^ (uint)(bits >> 32);
}
