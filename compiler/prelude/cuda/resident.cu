
// ---- CUDA: a kernel that stays on the GPU and gets its launches from a board (board.h precedes
// this). Blocks are whole warps. What copies of the host bring while it runs is not kept coherent
// with a processor's own cache, hence a fence before anything of a launch is read.
static unsigned wb_load_fresh(const unsigned* from) {
  return *static_cast<const volatile unsigned*>(from);
}
static unsigned long long wb_gpu_time() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

// The next block of a launch, of number `launch` or later: false when there is none, ever.
static bool wb_take_block(WbBoard* board, unsigned* launch, unsigned* block) {
  unsigned nap = 100;
  for (;;) {
    WbBoardSlot* slot = &board->slots[*launch % WB_BOARD_SLOTS];
    unsigned long long left = *static_cast<const volatile unsigned long long*>(&slot->left);
    const unsigned number = static_cast<unsigned>(left >> 32);
    if (static_cast<int>(number - *launch) < 0) {
      if (wb_load_fresh(&board->leaves) != 0) return false;
      __nanosleep(nap);
      nap = nap < 10000 ? nap * 2 : nap;
    } else if (static_cast<unsigned>(left) == 0) {
      *launch += 1;
    } else if (atomicCAS(&slot->left, left, left - 1) == left) {
      while (wb_load_fresh(&slot->posted) != number) __nanosleep(100);
      *launch = number;
      *block = static_cast<unsigned>(left) - 1;
      return true;
    }
  }
}

// The last block of a launch tells the host.
static void wb_end_block(WbBoardSlot* slot, WbLaunchEnd* end, unsigned launch, unsigned blocks) {
  if (atomicAdd(&slot->done, 1) + 1 != blocks) return;
  __threadfence_system();
  *static_cast<volatile unsigned long long*>(&end->began) =
      *static_cast<const volatile unsigned long long*>(&slot->began);
  *static_cast<volatile unsigned long long*>(&end->ended) = wb_gpu_time();
  for (unsigned i = 0; i < 4; ++i) {
    *static_cast<volatile unsigned*>(&end->counts[i]) =
        wb_load_fresh(&slot->control[WB_CONTROL_USEFUL_LO + i]);
  }
  __threadfence_system();
  *static_cast<volatile unsigned*>(&end->number) = launch;
}

extern "C" __global__ void wb_resident(WbBoard* board, WbLaunchEnd* ends, unsigned first) {
  __shared__ WbPost post;
  __shared__ unsigned launch, block, goes_on;
  unsigned next = first;  // of thread 0
  for (;;) {
    if (threadIdx.x == 0) {
      goes_on = wb_take_block(board, &next, &block) ? 1 : 0;
      launch = next;
    }
    __syncthreads();
    if (goes_on == 0) return;
    WbBoardSlot* slot = &board->slots[launch % WB_BOARD_SLOTS];
    __threadfence_system();
    for (unsigned i = threadIdx.x; i < sizeof(WbPost) / 4; i += blockDim.x) {
      reinterpret_cast<unsigned*>(&post)[i] =
          wb_load_fresh(reinterpret_cast<const unsigned*>(&slot->post) + i);
    }
    __syncthreads();
    if (threadIdx.x == 0 && block + 1 == post.blocks) slot->began = wb_gpu_time();
    wb_main(reinterpret_cast<uint*>(post.state), reinterpret_cast<uint*>(post.records),
            reinterpret_cast<const uint*>(post.program),
            reinterpret_cast<const uint*>(post.columns), reinterpret_cast<const uint*>(post.blob),
            reinterpret_cast<const uint*>(post.image),
            reinterpret_cast<metal::atomic_uint*>(post.control), post.params,
            reinterpret_cast<const uint*>(post.kept), block * blockDim.x + threadIdx.x);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) wb_end_block(slot, &ends[launch % WB_BOARD_SLOTS], launch, post.blocks);
  }
}
