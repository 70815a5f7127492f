// ---- a group's memory in the lanes: on devices that have no other for it (group_memory_native.metal).

// Word number `w`, which has passed its bounds check.
static inline device uint *wb_group_place(wb_lane L, uint w) {
  ulong back = wb_get64(L, WB_GROUP_AT + WB_GROUP_BACK_LO);
  return wb_group_word(L, back, WB_GROUP_MEMORY_AT, w);
}
static inline void wb_take_group_memory(wb_lane, uint, bool) {}
static inline void wb_give_group_memory(wb_lane, uint, bool) {}
