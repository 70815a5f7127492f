// ---- floats: fast32, in the place of floats_metal_f32.metal. Arithmetic of f32 as the device does
// it: subnormal operands and results may become zeros of their sign. All else is as in metal floats,
// f64 included.

static inline wb_f32 wb_f32_add(wb_f32 a, wb_f32 b) {
  return as_type<uint>(wb_f32_float(a) + wb_f32_float(b));
}
static inline wb_f32 wb_f32_sub(wb_f32 a, wb_f32 b) {
  return as_type<uint>(wb_f32_float(a) - wb_f32_float(b));
}
static inline wb_f32 wb_f32_mul(wb_f32 a, wb_f32 b) {
  return as_type<uint>(wb_f32_float(a) * wb_f32_float(b));
}
static inline wb_f32 wb_f32_div(wb_f32 a, wb_f32 b) {
  return as_type<uint>(wb_f32_float(a) / wb_f32_float(b));
}
static inline wb_f32 wb_f32_sqrt(wb_f32 a) {
  return as_type<uint>(metal::precise::sqrt(wb_f32_float(a)));
}
static inline wb_f32 wb_f32_mul_add(wb_f32 a, wb_f32 b, wb_f32 c) {
  return wb_f32_add(wb_f32_mul(a, b), c);
}
static inline wb_f32 wb_f32_mul_sub(wb_f32 a, wb_f32 b, wb_f32 c) {
  return wb_f32_sub(wb_f32_mul(a, b), c);
}
static inline wb_f32 wb_f32_sub_mul(wb_f32 a, wb_f32 b, wb_f32 c) {
  return wb_f32_sub(c, wb_f32_mul(a, b));
}
