// ---- pointers to words of lanes, in Metal alone. pointers_native.metal says more.
static inline device uint *wb_settled(device uint *p) { return p; }
static inline device uint *wb_word_at(device uint *p, uint w) {
  return p + (ulong)w * (ulong)WB_GROUP_LANES;
}
static inline device uchar *wb_byte_at(device uint *p, uint i) { return (device uchar *)p + i; }
