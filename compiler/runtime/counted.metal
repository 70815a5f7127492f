// ---- counted loops: what is asked once, before rounds without tests.

// How often a loop goes round, at most, where its counter steps from `from` and goes on while it is not
// `to`; 0 where it steps past it.
static inline uint wb_rounds_until(uint from, uint to, uint step) {
  uint steps = wb_i32_div_u(to - from, step);
  return steps * step == to - from ? steps + 1u : 0u;
}
// ... while it is below `to`, or up to it, after both are XORed with `flip`; 0 where it wraps round.
static inline uint wb_rounds_up_to(uint from, uint to, uint step, uint flip) {
  uint a = from ^ flip;
  uint b = to ^ flip;
  if (a > b) {
    return 1u;
  }
  return b > 0xffffffffu - step ? 0u : wb_i32_div_u(b - a, step) + 2u;
}
static inline uint wb_rounds_below(uint from, uint to, uint step, uint flip) {
  uint b = to ^ flip;
  return (from ^ flip) >= b ? 1u : wb_rounds_up_to(from, (b - 1u) ^ flip, step, flip);
}

// The fuel lasts for so many rounds.
static inline bool wb_fuel_lasts(uint fuel, uint rounds, ulong cost) {
  return !wb_spent(fuel) && (ulong)rounds * cost <= (ulong)fuel;
}

// How many of them the fuel lasts for.
static inline ulong wb_rounds_that_last(uint fuel, uint rounds, uint cost) {
  uint most = wb_spent(fuel) ? 0u : wb_i32_div_u(fuel, cost);
  return (ulong)(rounds < most ? rounds : most);
}

// The bytes that an access comes to which moves by `per_round` and ends `bytes` behind the lowest address.
static inline ulong wb_span_of_rounds(uint rounds, ulong per_round, ulong bytes) {
  return (ulong)(rounds - 1u) * per_round + bytes;
}
static inline bool wb_inside(ulong size, uint from, ulong span) {
  return span <= 0xfffffffful && (ulong)from + span <= size;
}
// The same where the lane may hold a part of the memory.
static inline bool wb_within(ulong size, ulong low, uint from, ulong span) {
  return (ulong)from >= low && wb_inside(size, from, span);
}
// Two ranges inside memory have no byte in common.
static inline bool wb_apart(uint a, ulong bytes_a, uint b, ulong bytes_b) {
  return (ulong)a + bytes_a <= (ulong)b || (ulong)b + bytes_b <= (ulong)a;
}

// These spans hold what a fresh instance finds: none was written, by the lane or, as far as it is not
// noted yet, by this function.
static inline bool wb_are_kept(wb_lane L, uint written, uint spans) {
  return (wb_get(L, WB_LANE_KEPT) & wb_get(L, WB_LANE_FRESH) & ~written & spans) == spans;
}
static inline bool wb_words_are(wb_words P, constant uint *words, uint n) {
  uint same = 0u;
  while (same < n && wb_word_get(P, (ulong)same) == words[same]) {
    same += 1u;
  }
  return same == n;
}
