// ---- CUDA: what a kernel that was compiled by itself takes of a module (module_constants.cu,
// module_call.cu).
extern "C" __constant__ uint wb_module_globals_at = WB_GLOBALS_AT;
extern "C" __constant__ uint wb_module_memory_at = WB_MEMORY_AT;
extern "C" __constant__ uint wb_module_windowed = WB_WINDOWED;
extern "C" WbEnd wb_module_call(wb_lane L, bool active, uint function, uint low, uint fuel,
                                uint resume) {
  return wb_call(L, active, function, low, fuel, resume);
}
