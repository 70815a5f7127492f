// ---- no collectives: no lane waits for its group.

static inline bool wb_meet(WbSeat S, device uint *state, device uint *records, uint gid, bool here,
                           constant WbParams &P) {
  return false;
}
