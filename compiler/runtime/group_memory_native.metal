// ---- a group's memory in the device's own for it: there while a launch runs, else in the lanes.

// Word number `w`, which has passed its bounds check.
static inline device uint *wb_group_place(wb_lane, uint w) {
  return wb_native_group_words(WB_GROUP_MEMORY_WORDS) + w;
}

// All lanes of a group that is `here` come to these two, where a launch begins and where it ends.
// `first` is its first lane.
static inline void wb_take_group_memory(wb_lane first, uint lane, bool here) {
  device uint *words = wb_native_group_words(WB_GROUP_MEMORY_WORDS);
  for (uint w = lane; here && w < WB_GROUP_MEMORY_WORDS; w += WB_GROUP_LANES) {
    words[w] = wb_group_word(first, 0ul, WB_GROUP_MEMORY_AT, w)[0];
  }
  metal::simdgroup_barrier(metal::mem_flags::mem_device);
}
static inline void wb_give_group_memory(wb_lane first, uint lane, bool here) {
  device uint *words = wb_native_group_words(WB_GROUP_MEMORY_WORDS);
  metal::simdgroup_barrier(metal::mem_flags::mem_device);
  for (uint w = lane; here && w < WB_GROUP_MEMORY_WORDS; w += WB_GROUP_LANES) {
    wb_group_word(first, 0ul, WB_GROUP_MEMORY_AT, w)[0] = words[w];
  }
}
