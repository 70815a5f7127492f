// What a CUDA programmer would write for guests/nqueens.c: one thread per instance, what is left to try
// on a stack in local memory, or recursion as in C.

typedef unsigned int uint;
enum { kSide = 12, kAll = (1 << kSide) - 1 };

struct Board {
  uint columns, left, right;
  __device__ uint Open() const { return kAll & ~(columns | left | right); }
  __device__ Board With(uint queen) const {
    return Board{columns | queen, (left | queen) << 1, (right | queen) >> 1};
  }
};

__device__ uint PlaceByStack(Board board) {
  Board boards[kSide];
  uint left_over[kSide], open = board.Open(), count = 0;
  int depth = 0;
  while (true) {
    if (open != 0) {
      const uint queen = open & (0 - open);
      const Board next = board.With(queen);
      open ^= queen;
      if (next.columns == kAll) {
        ++count;
        continue;
      }
      const uint next_open = next.Open();
      if (next_open == 0) continue;
      if (open != 0) {  // else there is nothing to come back for
        boards[depth] = board;
        left_over[depth++] = open;
      }
      board = next;
      open = next_open;
    } else {
      if (depth == 0) return count;
      board = boards[--depth];
      open = left_over[depth];
    }
  }
}

__device__ uint PlaceByRecursion(Board board) {
  if (board.columns == kAll) return 1;
  uint count = 0;
  for (uint open = board.Open(); open != 0; open &= open - 1) {
    count += PlaceByRecursion(board.With(open & (0 - open)));
  }
  return count;
}

// The first two queens, and the number of their pair among all.
__device__ Board Begin(uint lane, uint &pair) {
  uint left_over = lane % (kSide * kSide - 3 * kSide + 2);
  for (pair = 0;; ++pair) {
    const uint first = pair / kSide, second = pair % kSide;
    if (first == second || first + 1 == second || first == second + 1) continue;
    if (left_over-- == 0) return Board{0, 0, 0}.With(1u << first).With(1u << second);
  }
}

__device__ uint Digest(uint pair, uint count) {
  return (((2166136261u ^ pair) * 16777619u) ^ count) * 16777619u;
}

extern "C" __global__ void nqueens_stack(uint *digests, uint *, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  uint pair;
  const Board board = Begin(lane, pair);
  digests[lane] = Digest(pair, PlaceByStack(board));
}

extern "C" __global__ void nqueens_recursive(uint *digests, uint *, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  uint pair;
  const Board board = Begin(lane, pair);
  digests[lane] = Digest(pair, PlaceByRecursion(board));
}
