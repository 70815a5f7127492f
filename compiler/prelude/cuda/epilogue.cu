
// ---- CUDA: the kernel's entry. Blocks are whole warps, or as WB_BLOCK_BOUNDS has it; the grid covers
// all lanes, rounded up.
extern "C" __global__ void WB_BLOCK_BOUNDS wb_entry(
    uint* state, uint* records, const uint* program, const uint* columns, const uint* blob,
    const uint* image, metal::atomic_uint* control, const __grid_constant__ WbParams params,
    const uint* kept) {
  wb_main(state, records, program, columns, blob, image, control, params, kept,
          blockIdx.x * blockDim.x + threadIdx.x);
}
