// ---- CUDA: the outer loop is in the module's part (module_epilogue.cu).
extern "C" WbEnd wb_module_call(wb_lane L, bool active, uint function, uint low, uint fuel,
                                uint resume);
static inline WbEnd wb_call(wb_lane L, bool active, uint function, uint low, uint fuel,
                            uint resume) {
  return wb_module_call(L, active, function, low, fuel, resume);
}
