// What a CUDA programmer would write for guests/mandelbrot.c: one thread per instance, all in registers.

typedef unsigned int uint;
enum { kSide = 1024, kPoints = 16, kMost = 256, kStretches = kSide * kSide / kPoints };

extern "C" __global__ void mandelbrot_registers(uint *digests, uint *, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  const uint group = lane / 32 * 1237 % (kStretches / 32);
  const uint first = (group * 32 + lane % 32) * kPoints;
  const double y = (double)(first / kSide) * (2.5 / kSide) - 1.25;
  uint digest = 2166136261u;
  for (uint point = 0; point < kPoints; ++point) {
    const double x = (double)((first + point) % kSide) * (2.5 / kSide) - 2;
    double zx = 0, zy = 0, xx = 0, yy = 0;
    uint rounds = 0;
    for (; rounds < kMost && xx + yy < 4; ++rounds) {
      zy = 2 * zx * zy + y;
      zx = xx - yy + x;
      xx = zx * zx;
      yy = zy * zy;
    }
    digest = (digest ^ rounds) * 16777619u;
  }
  digests[lane] = digest;
}
