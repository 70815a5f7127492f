// What a CUDA programmer would write for guests/blur.c: one thread per instance, its picture (four bytes a
// word) and the blurred columns interleaved in global memory, the weights in shared memory. Plain: a
// result at a time. Blocked: several at a time, so that each value is read for all of them. A sum's order
// is the guest's; a weight of 0 outside of the curve adds nothing.

typedef unsigned int uint;
enum {
  kSide = 200,
  kColours = 3,
  kRow = kSide * kColours,
  kRowWords = kRow / 4,
  kRadius = 20,
  kTaps = 2 * kRadius + 1,
  kPictureWords = kSide * kRowWords,
  kScratchWords = kPictureWords + kSide * kRow,
  kRows = 4,    // of words that are blurred at a time
  kPoints = 8,  // of a row, of one colour
  kMargin = 7   // zeros on both sides of the weights
};

// One thread's memory: every 32nd word of its warp's.
struct Lane {
  uint *words;
  __device__ uint &Picture(int y, int word) const { return words[(y * kRowWords + word) * 32]; }
  __device__ float &Column(int y, int x) const {
    return ((float *)words)[(kPictureWords + y * kRow + x) * 32];
  }
};

__device__ void MakeWeights(float *weights) {
  if (threadIdx.x == 0) {
    const float by = 0x1.fd7246p-1f, square = by * by;  // exp(-1 / 200)
    float weight = 1, step = by, sum = 1;
    for (int k = 0; k < kTaps + 2 * kMargin; ++k) weights[k] = 0;
    float *const middle = weights + kMargin + kRadius;
    middle[0] = 1;
    for (int k = 1; k <= kRadius; ++k) {
      weight *= step;
      step *= square;
      middle[k] = middle[-k] = weight;
      sum += 2 * weight;
    }
    for (int k = -kRadius; k <= kRadius; ++k) middle[k] /= sum;
  }
  __syncthreads();
}

__device__ inline int Inside(int at) { return min(max(at, 0), kSide - 1); }
__device__ inline float ByteOf(uint word, int byte) { return (float)(word >> 8 * byte & 255); }

__device__ void Draw(Lane lane, uint seed) {
  uint random = seed * 2654435761u + 1;
  for (int y = 0; y < kSide; ++y) {
    for (int word = 0; word < kRowWords; ++word) {
      uint four = 0;
#pragma unroll
      for (int byte = 0; byte < 4; ++byte) {
        random = random * 1664525u + 1013904223u;
        four |= random >> 24 << 8 * byte;
      }
      lane.Picture(y, word) = four;
    }
  }
}

// `count` rows of four columns.
template <int count>
__device__ void BlurColumns(Lane lane, const float *weights) {
  for (int y = 0; y < kSide; y += count) {
    for (int word = 0; word < kRowWords; ++word) {
      float sums[count][4] = {};
      for (int k = 0; k < kTaps + count - 1; ++k) {
        const uint four = lane.Picture(Inside(y + k - kRadius), word);
#pragma unroll
        for (int row = 0; row < count; ++row) {
          const float weight = weights[kMargin + k - row];
#pragma unroll
          for (int byte = 0; byte < 4; ++byte) sums[row][byte] += weight * ByteOf(four, byte);
        }
      }
#pragma unroll
      for (int row = 0; row < count; ++row) {
#pragma unroll
        for (int byte = 0; byte < 4; ++byte) {
          lane.Column(y + row, 4 * word + byte) = sums[row][byte];
        }
      }
    }
  }
}

// Folds the bytes of a result into the digest, in the picture's order.
__device__ inline uint Fold(uint digest, float sum) {
  return (digest ^ (uint)(sum + 0.5f)) * 16777619u;
}

template <int count>
__device__ uint BlurRows(Lane lane, const float *weights) {
  uint digest = 2166136261u;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; x += count) {
      float sums[count][kColours] = {};
      for (int k = 0; k < kTaps + count - 1; ++k) {
        const int from = kColours * Inside(x + k - kRadius);
#pragma unroll
        for (int colour = 0; colour < kColours; ++colour) {
          const float value = lane.Column(y, from + colour);
#pragma unroll
          for (int point = 0; point < count; ++point) {
            sums[point][colour] += weights[kMargin + k - point] * value;
          }
        }
      }
#pragma unroll
      for (int point = 0; point < count; ++point) {
#pragma unroll
        for (int colour = 0; colour < kColours; ++colour) {
          digest = Fold(digest, sums[point][colour]);
        }
      }
    }
  }
  return digest;
}

template <int rows, int points>
__device__ void Blur(uint *digests, uint *scratch, uint lanes) {
  __shared__ float weights[kTaps + 2 * kMargin];
  MakeWeights(weights);
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  const Lane memory{scratch + (size_t)(lane / 32) * 32 * kScratchWords + lane % 32};
  Draw(memory, lane);
  BlurColumns<rows>(memory, weights);
  digests[lane] = BlurRows<points>(memory, weights);
}

extern "C" __global__ void blur_plain(uint *digests, uint *scratch, uint lanes) {
  Blur<1, 1>(digests, scratch, lanes);
}

extern "C" __global__ void blur_blocked(uint *digests, uint *scratch, uint lanes) {
  Blur<kRows, kPoints>(digests, scratch, lanes);
}
