// ---- hot bytes: they lie where the others do (layout_hot.metal).
static inline wb_mem wb_hot_memory(wb_lane L) { return wb_memory(L); }
static inline wb_mem wb_hot(wb_mem M) { return M; }
static inline wb_mem wb_cold(wb_mem M) { return M; }
static inline void wb_take_hot_bytes(wb_lane, bool) {}
static inline void wb_give_hot_bytes(wb_lane, bool) {}
