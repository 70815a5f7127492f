// ---- no collectives: no lane waits for its group.

static inline void wb_join_group(wb_lane L, bool running, device uint *state, uint gid,
                                 constant WbParams &P) {}

static inline void wb_leave_group(device uint *state, uint gid, constant WbParams &P) {}

static inline bool wb_meet(WbSeat S, device uint *state, device uint *records, uint gid, bool here,
                           constant WbParams &P) {
  return false;
}
