// ---- lanes of groups: word w of the WB_GROUP_LANES lanes of a group lie side by side (GPUs). How the
// words of their memories lie is the next file's affair.
// A lane is reached through wb_lane, its linear memory through wb_mem; nothing else in the text
// knows how a word or a byte of them is found. Addresses have passed their bounds check: < 2^32.
typedef device uint *wb_lane;
typedef uint wb_round;  // number of a counted loop's round

// `lane_words` is the size of a lane's whole state, memory reserve included.
static inline wb_lane wb_lane_at(device uint *state, uint gid, ulong lane_words) {
  ulong group = (ulong)(gid / WB_GROUP_LANES);
  return wb_settled(state + group * (ulong)WB_GROUP_LANES * lane_words +
                    (ulong)(gid % WB_GROUP_LANES));
}
static inline uint wb_get(wb_lane L, uint w) { return L[(ulong)w * (ulong)WB_GROUP_LANES]; }
static inline void wb_put(wb_lane L, uint w, uint v) { L[(ulong)w * (ulong)WB_GROUP_LANES] = v; }
// The frame that begins at the lane's word `w`; its words are read and written as a lane's.
static inline wb_lane wb_frame(wb_lane L, uint w) { return L + (ulong)w * (ulong)WB_GROUP_LANES; }
// Words of the memory that a group shares: 32 of them lie side by side, from the lanes' word `at` on.
// `back`: words from where the first of these lanes begins to where L does.
static inline device uint *wb_group_word(wb_lane L, ulong back, uint at, uint w) {
  return L - back + (ulong)at * (ulong)WB_GROUP_LANES + (ulong)w;
}
// The byte of the first memory that its first word in the lane holds.
static inline uint wb_window_from(wb_lane L) {
  return WB_WINDOWED > 1u ? wb_get(L, WB_LANE_WINDOW_FROM) : 0u;
}
