// ---- vectors: the value, its lanes and its bits. A v128 is four words, least significant first;
// lane numbers and the lanes of a shuffle are constants of the module, below 16 and 32.
typedef uint4 wb_v128;

static inline wb_v128 wb_v128_const(uint x, uint y, uint z, uint w) {
  wb_v128 r = {x, y, z, w};
  return r;
}
static inline ulong wb_low(wb_v128 a) { return as_type<ulong2>(a)[0]; }
static inline ulong wb_high(wb_v128 a) { return as_type<ulong2>(a)[1]; }
static inline wb_v128 wb_i64x2(ulong x, ulong y) {
  ulong2 r = {x, y};
  return as_type<wb_v128>(r);
}

static inline wb_v128 wb_get_v128(wb_lane L, uint w) {
  return wb_v128_const(wb_get(L, w), wb_get(L, w + 1u), wb_get(L, w + 2u), wb_get(L, w + 3u));
}
static inline void wb_put_v128(wb_lane L, uint w, wb_v128 v) {
  wb_put(L, w, v[0]);
  wb_put(L, w + 1u, v[1]);
  wb_put(L, w + 2u, v[2]);
  wb_put(L, w + 3u, v[3]);
}

static inline wb_v128 wb_i32x4_splat(uint a) { return wb_v128_const(a, a, a, a); }
static inline wb_v128 wb_i8x16_splat(uint a) { return wb_i32x4_splat((a & 0xffu) * 0x01010101u); }
static inline wb_v128 wb_i16x8_splat(uint a) { return wb_i32x4_splat((a & 0xffffu) * 0x00010001u); }
static inline wb_v128 wb_i64x2_splat(ulong a) { return wb_i64x2(a, a); }
static inline wb_v128 wb_f32x4_splat(wb_f32 a) { return wb_i32x4_splat(wb_i32_reinterpret_f32(a)); }
static inline wb_v128 wb_f64x2_splat(wb_f64 a) { return wb_i64x2_splat(wb_i64_reinterpret_f64(a)); }

static inline uint wb_i32x4_extract_lane(wb_v128 a, uint lane) { return a[lane]; }
static inline ulong wb_i64x2_extract_lane(wb_v128 a, uint lane) {
  return lane == 0u ? wb_low(a) : wb_high(a);
}
static inline wb_f32 wb_f32x4_extract_lane(wb_v128 a, uint lane) {
  return wb_f32_reinterpret_i32(a[lane]);
}
static inline wb_f64 wb_f64x2_extract_lane(wb_v128 a, uint lane) {
  return wb_f64_reinterpret_i64(wb_i64x2_extract_lane(a, lane));
}
static inline uint wb_i8x16_extract_lane_u(wb_v128 a, uint lane) {
  return (a[lane >> 2u] >> ((lane & 3u) * 8u)) & 0xffu;
}
static inline uint wb_i8x16_extract_lane_s(wb_v128 a, uint lane) {
  return wb_i32_extend8_s(wb_i8x16_extract_lane_u(a, lane));
}
static inline uint wb_i16x8_extract_lane_u(wb_v128 a, uint lane) {
  return (a[lane >> 1u] >> ((lane & 1u) * 16u)) & 0xffffu;
}
static inline uint wb_i16x8_extract_lane_s(wb_v128 a, uint lane) {
  return wb_i32_extend16_s(wb_i16x8_extract_lane_u(a, lane));
}

static inline wb_v128 wb_i32x4_replace_lane(wb_v128 a, uint v, uint lane) {
  a[lane] = v;
  return a;
}
static inline wb_v128 wb_i64x2_replace_lane(wb_v128 a, ulong v, uint lane) {
  return lane == 0u ? wb_i64x2(v, wb_high(a)) : wb_i64x2(wb_low(a), v);
}
static inline wb_v128 wb_f32x4_replace_lane(wb_v128 a, wb_f32 v, uint lane) {
  return wb_i32x4_replace_lane(a, wb_i32_reinterpret_f32(v), lane);
}
static inline wb_v128 wb_f64x2_replace_lane(wb_v128 a, wb_f64 v, uint lane) {
  return wb_i64x2_replace_lane(a, wb_i64_reinterpret_f64(v), lane);
}
static inline wb_v128 wb_i8x16_replace_lane(wb_v128 a, uint v, uint lane) {
  uint shift = (lane & 3u) * 8u;
  uint kept = a[lane >> 2u] & ~(0xffu << shift);
  return wb_i32x4_replace_lane(a, kept | ((v & 0xffu) << shift), lane >> 2u);
}
static inline wb_v128 wb_i16x8_replace_lane(wb_v128 a, uint v, uint lane) {
  uint shift = (lane & 1u) * 16u;
  uint kept = a[lane >> 1u] & ~(0xffffu << shift);
  return wb_i32x4_replace_lane(a, kept | ((v & 0xffffu) << shift), lane >> 1u);
}

// Byte i (below 16) of a. Words are selected, not indexed: registers have no addresses.
static inline uint wb_byte_of(wb_v128 a, uint i) {
  uint low = (i & 4u) != 0u ? a[1] : a[0];
  uint high = (i & 4u) != 0u ? a[3] : a[2];
  return (((i & 8u) != 0u ? high : low) >> ((i & 3u) * 8u)) & 0xffu;
}
static inline uint wb_shuffle_byte(wb_v128 a, wb_v128 b, uint i) {
  return (i & 16u) != 0u ? wb_byte_of(b, i) : wb_byte_of(a, i);
}
static inline uint wb_shuffle_word(wb_v128 a, wb_v128 b, uint lanes) {
  return wb_shuffle_byte(a, b, lanes) | (wb_shuffle_byte(a, b, lanes >> 8u) << 8u) |
         (wb_shuffle_byte(a, b, lanes >> 16u) << 16u) |
         (wb_shuffle_byte(a, b, lanes >> 24u) << 24u);
}
static inline wb_v128 wb_i8x16_shuffle(wb_v128 a, wb_v128 b, wb_v128 lanes) {
  return wb_v128_const(wb_shuffle_word(a, b, lanes[0]), wb_shuffle_word(a, b, lanes[1]),
                       wb_shuffle_word(a, b, lanes[2]), wb_shuffle_word(a, b, lanes[3]));
}
static inline uint wb_swizzle_byte(wb_v128 a, uint i) {
  return (i & 0xf0u) != 0u ? 0u : wb_byte_of(a, i);
}
static inline uint wb_swizzle_word(wb_v128 a, uint lanes) {
  return wb_swizzle_byte(a, lanes) | (wb_swizzle_byte(a, lanes >> 8u) << 8u) |
         (wb_swizzle_byte(a, lanes >> 16u) << 16u) | (wb_swizzle_byte(a, lanes >> 24u) << 24u);
}
static inline wb_v128 wb_i8x16_swizzle(wb_v128 a, wb_v128 lanes) {
  return wb_v128_const(wb_swizzle_word(a, lanes[0]), wb_swizzle_word(a, lanes[1]),
                       wb_swizzle_word(a, lanes[2]), wb_swizzle_word(a, lanes[3]));
}

static inline wb_v128 wb_v128_not(wb_v128 a) { return wb_v128_const(~a[0], ~a[1], ~a[2], ~a[3]); }
static inline wb_v128 wb_v128_and(wb_v128 a, wb_v128 b) {
  return wb_v128_const(a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]);
}
static inline wb_v128 wb_v128_andnot(wb_v128 a, wb_v128 b) {
  return wb_v128_const(a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3]);
}
static inline wb_v128 wb_v128_or(wb_v128 a, wb_v128 b) {
  return wb_v128_const(a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]);
}
static inline wb_v128 wb_v128_xor(wb_v128 a, wb_v128 b) {
  return wb_v128_const(a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]);
}
// Where a bit of m is set the bit of a, else that of b.
static inline uint wb_mix(uint m, uint a, uint b) { return (a & m) | (b & ~m); }
static inline wb_v128 wb_v128_bitselect(wb_v128 a, wb_v128 b, wb_v128 m) {
  return wb_v128_const(wb_mix(m[0], a[0], b[0]), wb_mix(m[1], a[1], b[1]), wb_mix(m[2], a[2], b[2]),
                       wb_mix(m[3], a[3], b[3]));
}
static inline uint wb_v128_any_true(wb_v128 a) { return (uint)((a[0] | a[1] | a[2] | a[3]) != 0u); }
