#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 35u;
constant uint WB_GLOBALS_SIZE = 1u;
constant uint WB_MEMORY_AT = 1024u;
constant uint WB_WINDOWED = 0u;
constant uint WB_RECURSIVE = 0u;
constant uint WB_PRIMITIVES = 0u;
constant uint WB_COLLECTIVES = 0u;
constant uint WB_LOCKSTEP = 1u;
#line 1 "module"
struct WbR_ {
  uint w;
  uint fuel;
};
struct WbR_i {
  uint w;
  uint fuel;
  uint r0;
};
static WbR_ wf_0(wb_lane L, uint fuel);
__attribute__((noinline)) static WbR_ wf_1(wb_lane L, uint fuel);
static WbR_ wf_2(wb_lane L, uint fuel);
static WbR_i wf_3(wb_lane L, uint f, uint room, uint low, uint fuel, uint r);
static WbR_ wf_0(wb_lane L, uint fuel) {
  uint w = 0u;
  do {
    fuel = fuel - 600u;
    uint t0 = wb_get(L, 35u);
    wb_put(L, 35u, (t0 ^ 1u));
    uint t3 = wb_get(L, 35u);
    wb_put(L, 35u, (t3 ^ 38u));
    uint t6 = wb_get(L, 35u);
    wb_put(L, 35u, (t6 ^ 75u));
    uint t9 = wb_get(L, 35u);
    wb_put(L, 35u, (t9 ^ 112u));
    uint t12 = wb_get(L, 35u);
    wb_put(L, 35u, (t12 ^ 149u));
    uint t15 = wb_get(L, 35u);
    wb_put(L, 35u, (t15 ^ 186u));
    uint t18 = wb_get(L, 35u);
    wb_put(L, 35u, (t18 ^ 223u));
    uint t21 = wb_get(L, 35u);
    wb_put(L, 35u, (t21 ^ 260u));
    uint t24 = wb_get(L, 35u);
    wb_put(L, 35u, (t24 ^ 297u));
    uint t27 = wb_get(L, 35u);
    wb_put(L, 35u, (t27 ^ 334u));
    uint t30 = wb_get(L, 35u);
    wb_put(L, 35u, (t30 ^ 371u));
    uint t33 = wb_get(L, 35u);
    wb_put(L, 35u, (t33 ^ 408u));
    uint t36 = wb_get(L, 35u);
    wb_put(L, 35u, (t36 ^ 445u));
    uint t39 = wb_get(L, 35u);
    wb_put(L, 35u, (t39 ^ 482u));
    uint t42 = wb_get(L, 35u);
    wb_put(L, 35u, (t42 ^ 519u));
    uint t45 = wb_get(L, 35u);
    wb_put(L, 35u, (t45 ^ 556u));
    uint t48 = wb_get(L, 35u);
    wb_put(L, 35u, (t48 ^ 593u));
    uint t51 = wb_get(L, 35u);
    wb_put(L, 35u, (t51 ^ 630u));
    uint t54 = wb_get(L, 35u);
    wb_put(L, 35u, (t54 ^ 667u));
    uint t57 = wb_get(L, 35u);
    wb_put(L, 35u, (t57 ^ 704u));
    uint t60 = wb_get(L, 35u);
    wb_put(L, 35u, (t60 ^ 741u));
    uint t63 = wb_get(L, 35u);
    wb_put(L, 35u, (t63 ^ 778u));
    uint t66 = wb_get(L, 35u);
    wb_put(L, 35u, (t66 ^ 815u));
    uint t69 = wb_get(L, 35u);
    wb_put(L, 35u, (t69 ^ 852u));
    uint t72 = wb_get(L, 35u);
    wb_put(L, 35u, (t72 ^ 889u));
    uint t75 = wb_get(L, 35u);
    wb_put(L, 35u, (t75 ^ 926u));
    uint t78 = wb_get(L, 35u);
    wb_put(L, 35u, (t78 ^ 963u));
    uint t81 = wb_get(L, 35u);
    wb_put(L, 35u, (t81 ^ 1000u));
    uint t84 = wb_get(L, 35u);
    wb_put(L, 35u, (t84 ^ 1037u));
    uint t87 = wb_get(L, 35u);
    wb_put(L, 35u, (t87 ^ 1074u));
    uint t90 = wb_get(L, 35u);
    wb_put(L, 35u, (t90 ^ 1111u));
    uint t93 = wb_get(L, 35u);
    wb_put(L, 35u, (t93 ^ 1148u));
    uint t96 = wb_get(L, 35u);
    wb_put(L, 35u, (t96 ^ 1185u));
    uint t99 = wb_get(L, 35u);
    wb_put(L, 35u, (t99 ^ 1222u));
    uint t102 = wb_get(L, 35u);
    wb_put(L, 35u, (t102 ^ 1259u));
    uint t105 = wb_get(L, 35u);
    wb_put(L, 35u, (t105 ^ 1296u));
    uint t108 = wb_get(L, 35u);
    wb_put(L, 35u, (t108 ^ 1333u));
    uint t111 = wb_get(L, 35u);
    wb_put(L, 35u, (t111 ^ 1370u));
    uint t114 = wb_get(L, 35u);
    wb_put(L, 35u, (t114 ^ 1407u));
    uint t117 = wb_get(L, 35u);
    wb_put(L, 35u, (t117 ^ 1444u));
    uint t120 = wb_get(L, 35u);
    wb_put(L, 35u, (t120 ^ 1481u));
    uint t123 = wb_get(L, 35u);
    wb_put(L, 35u, (t123 ^ 1518u));
    uint t126 = wb_get(L, 35u);
    wb_put(L, 35u, (t126 ^ 1555u));
    uint t129 = wb_get(L, 35u);
    wb_put(L, 35u, (t129 ^ 1592u));
    uint t132 = wb_get(L, 35u);
    wb_put(L, 35u, (t132 ^ 1629u));
    uint t135 = wb_get(L, 35u);
    wb_put(L, 35u, (t135 ^ 1666u));
    uint t138 = wb_get(L, 35u);
    wb_put(L, 35u, (t138 ^ 1703u));
    uint t141 = wb_get(L, 35u);
    wb_put(L, 35u, (t141 ^ 1740u));
    uint t144 = wb_get(L, 35u);
    wb_put(L, 35u, (t144 ^ 1777u));
    uint t147 = wb_get(L, 35u);
    wb_put(L, 35u, (t147 ^ 1814u));
    uint t150 = wb_get(L, 35u);
    wb_put(L, 35u, (t150 ^ 1851u));
    uint t153 = wb_get(L, 35u);
    wb_put(L, 35u, (t153 ^ 1888u));
    uint t156 = wb_get(L, 35u);
    wb_put(L, 35u, (t156 ^ 1925u));
    uint t159 = wb_get(L, 35u);
    wb_put(L, 35u, (t159 ^ 1962u));
    uint t162 = wb_get(L, 35u);
    wb_put(L, 35u, (t162 ^ 1999u));
    uint t165 = wb_get(L, 35u);
    wb_put(L, 35u, (t165 ^ 2036u));
    uint t168 = wb_get(L, 35u);
    wb_put(L, 35u, (t168 ^ 2073u));
    uint t171 = wb_get(L, 35u);
    wb_put(L, 35u, (t171 ^ 2110u));
    uint t174 = wb_get(L, 35u);
    wb_put(L, 35u, (t174 ^ 2147u));
    uint t177 = wb_get(L, 35u);
    wb_put(L, 35u, (t177 ^ 2184u));
    uint t180 = wb_get(L, 35u);
    wb_put(L, 35u, (t180 ^ 2221u));
    uint t183 = wb_get(L, 35u);
    wb_put(L, 35u, (t183 ^ 2258u));
    uint t186 = wb_get(L, 35u);
    wb_put(L, 35u, (t186 ^ 2295u));
    uint t189 = wb_get(L, 35u);
    wb_put(L, 35u, (t189 ^ 2332u));
    uint t192 = wb_get(L, 35u);
    wb_put(L, 35u, (t192 ^ 2369u));
    uint t195 = wb_get(L, 35u);
    wb_put(L, 35u, (t195 ^ 2406u));
    uint t198 = wb_get(L, 35u);
    wb_put(L, 35u, (t198 ^ 2443u));
    uint t201 = wb_get(L, 35u);
    wb_put(L, 35u, (t201 ^ 2480u));
    uint t204 = wb_get(L, 35u);
    wb_put(L, 35u, (t204 ^ 2517u));
    uint t207 = wb_get(L, 35u);
    wb_put(L, 35u, (t207 ^ 2554u));
    uint t210 = wb_get(L, 35u);
    wb_put(L, 35u, (t210 ^ 2591u));
    uint t213 = wb_get(L, 35u);
    wb_put(L, 35u, (t213 ^ 2628u));
    uint t216 = wb_get(L, 35u);
    wb_put(L, 35u, (t216 ^ 2665u));
    uint t219 = wb_get(L, 35u);
    wb_put(L, 35u, (t219 ^ 2702u));
    uint t222 = wb_get(L, 35u);
    wb_put(L, 35u, (t222 ^ 2739u));
    uint t225 = wb_get(L, 35u);
    wb_put(L, 35u, (t225 ^ 2776u));
    uint t228 = wb_get(L, 35u);
    wb_put(L, 35u, (t228 ^ 2813u));
    uint t231 = wb_get(L, 35u);
    wb_put(L, 35u, (t231 ^ 2850u));
    uint t234 = wb_get(L, 35u);
    wb_put(L, 35u, (t234 ^ 2887u));
    uint t237 = wb_get(L, 35u);
    wb_put(L, 35u, (t237 ^ 2924u));
    uint t240 = wb_get(L, 35u);
    wb_put(L, 35u, (t240 ^ 2961u));
    uint t243 = wb_get(L, 35u);
    wb_put(L, 35u, (t243 ^ 2998u));
    uint t246 = wb_get(L, 35u);
    wb_put(L, 35u, (t246 ^ 3035u));
    uint t249 = wb_get(L, 35u);
    wb_put(L, 35u, (t249 ^ 3072u));
    uint t252 = wb_get(L, 35u);
    wb_put(L, 35u, (t252 ^ 3109u));
    uint t255 = wb_get(L, 35u);
    wb_put(L, 35u, (t255 ^ 3146u));
    uint t258 = wb_get(L, 35u);
    wb_put(L, 35u, (t258 ^ 3183u));
    uint t261 = wb_get(L, 35u);
    wb_put(L, 35u, (t261 ^ 3220u));
    uint t264 = wb_get(L, 35u);
    wb_put(L, 35u, (t264 ^ 3257u));
    uint t267 = wb_get(L, 35u);
    wb_put(L, 35u, (t267 ^ 3294u));
    uint t270 = wb_get(L, 35u);
    wb_put(L, 35u, (t270 ^ 3331u));
    uint t273 = wb_get(L, 35u);
    wb_put(L, 35u, (t273 ^ 3368u));
    uint t276 = wb_get(L, 35u);
    wb_put(L, 35u, (t276 ^ 3405u));
    uint t279 = wb_get(L, 35u);
    wb_put(L, 35u, (t279 ^ 3442u));
    uint t282 = wb_get(L, 35u);
    wb_put(L, 35u, (t282 ^ 3479u));
    uint t285 = wb_get(L, 35u);
    wb_put(L, 35u, (t285 ^ 3516u));
    uint t288 = wb_get(L, 35u);
    wb_put(L, 35u, (t288 ^ 3553u));
    uint t291 = wb_get(L, 35u);
    wb_put(L, 35u, (t291 ^ 3590u));
    uint t294 = wb_get(L, 35u);
    wb_put(L, 35u, (t294 ^ 3627u));
    uint t297 = wb_get(L, 35u);
    wb_put(L, 35u, (t297 ^ 3664u));
    uint t300 = wb_get(L, 35u);
    wb_put(L, 35u, (t300 ^ 3701u));
    uint t303 = wb_get(L, 35u);
    wb_put(L, 35u, (t303 ^ 3738u));
    uint t306 = wb_get(L, 35u);
    wb_put(L, 35u, (t306 ^ 3775u));
    uint t309 = wb_get(L, 35u);
    wb_put(L, 35u, (t309 ^ 3812u));
    uint t312 = wb_get(L, 35u);
    wb_put(L, 35u, (t312 ^ 3849u));
    uint t315 = wb_get(L, 35u);
    wb_put(L, 35u, (t315 ^ 3886u));
    uint t318 = wb_get(L, 35u);
    wb_put(L, 35u, (t318 ^ 3923u));
    uint t321 = wb_get(L, 35u);
    wb_put(L, 35u, (t321 ^ 3960u));
    uint t324 = wb_get(L, 35u);
    wb_put(L, 35u, (t324 ^ 3997u));
    uint t327 = wb_get(L, 35u);
    wb_put(L, 35u, (t327 ^ 4034u));
    uint t330 = wb_get(L, 35u);
    wb_put(L, 35u, (t330 ^ 4071u));
    uint t333 = wb_get(L, 35u);
    wb_put(L, 35u, (t333 ^ 4108u));
    uint t336 = wb_get(L, 35u);
    wb_put(L, 35u, (t336 ^ 4145u));
    uint t339 = wb_get(L, 35u);
    wb_put(L, 35u, (t339 ^ 4182u));
    uint t342 = wb_get(L, 35u);
    wb_put(L, 35u, (t342 ^ 4219u));
    uint t345 = wb_get(L, 35u);
    wb_put(L, 35u, (t345 ^ 4256u));
    uint t348 = wb_get(L, 35u);
    wb_put(L, 35u, (t348 ^ 4293u));
    uint t351 = wb_get(L, 35u);
    wb_put(L, 35u, (t351 ^ 4330u));
    uint t354 = wb_get(L, 35u);
    wb_put(L, 35u, (t354 ^ 4367u));
    uint t357 = wb_get(L, 35u);
    wb_put(L, 35u, (t357 ^ 4404u));
    uint t360 = wb_get(L, 35u);
    wb_put(L, 35u, (t360 ^ 4441u));
    uint t363 = wb_get(L, 35u);
    wb_put(L, 35u, (t363 ^ 4478u));
    uint t366 = wb_get(L, 35u);
    wb_put(L, 35u, (t366 ^ 4515u));
    uint t369 = wb_get(L, 35u);
    wb_put(L, 35u, (t369 ^ 4552u));
    uint t372 = wb_get(L, 35u);
    wb_put(L, 35u, (t372 ^ 4589u));
    uint t375 = wb_get(L, 35u);
    wb_put(L, 35u, (t375 ^ 4626u));
    uint t378 = wb_get(L, 35u);
    wb_put(L, 35u, (t378 ^ 4663u));
    uint t381 = wb_get(L, 35u);
    wb_put(L, 35u, (t381 ^ 4700u));
    uint t384 = wb_get(L, 35u);
    wb_put(L, 35u, (t384 ^ 4737u));
    uint t387 = wb_get(L, 35u);
    wb_put(L, 35u, (t387 ^ 4774u));
    uint t390 = wb_get(L, 35u);
    wb_put(L, 35u, (t390 ^ 4811u));
    uint t393 = wb_get(L, 35u);
    wb_put(L, 35u, (t393 ^ 4848u));
    uint t396 = wb_get(L, 35u);
    wb_put(L, 35u, (t396 ^ 4885u));
    uint t399 = wb_get(L, 35u);
    wb_put(L, 35u, (t399 ^ 4922u));
    uint t402 = wb_get(L, 35u);
    wb_put(L, 35u, (t402 ^ 4959u));
    uint t405 = wb_get(L, 35u);
    wb_put(L, 35u, (t405 ^ 4996u));
    uint t408 = wb_get(L, 35u);
    wb_put(L, 35u, (t408 ^ 5033u));
    uint t411 = wb_get(L, 35u);
    wb_put(L, 35u, (t411 ^ 5070u));
    uint t414 = wb_get(L, 35u);
    wb_put(L, 35u, (t414 ^ 5107u));
    uint t417 = wb_get(L, 35u);
    wb_put(L, 35u, (t417 ^ 5144u));
    uint t420 = wb_get(L, 35u);
    wb_put(L, 35u, (t420 ^ 5181u));
    uint t423 = wb_get(L, 35u);
    wb_put(L, 35u, (t423 ^ 5218u));
    uint t426 = wb_get(L, 35u);
    wb_put(L, 35u, (t426 ^ 5255u));
    uint t429 = wb_get(L, 35u);
    wb_put(L, 35u, (t429 ^ 5292u));
    uint t432 = wb_get(L, 35u);
    wb_put(L, 35u, (t432 ^ 5329u));
    uint t435 = wb_get(L, 35u);
    wb_put(L, 35u, (t435 ^ 5366u));
    uint t438 = wb_get(L, 35u);
    wb_put(L, 35u, (t438 ^ 5403u));
    uint t441 = wb_get(L, 35u);
    wb_put(L, 35u, (t441 ^ 5440u));
    uint t444 = wb_get(L, 35u);
    wb_put(L, 35u, (t444 ^ 5477u));
    uint t447 = wb_get(L, 35u);
    wb_put(L, 35u, (t447 ^ 5514u));
  } while (false);
  WbR_ R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  return R;
}
static WbR_ wf_1(wb_lane L, uint fuel) {
  uint w = 0u;
  do {
    fuel = fuel - 2u;
    WbR_ c0 = wf_0(L, fuel);
    fuel = c0.fuel;
    if (c0.w != 0u) { w = wb_unwind(c0.w, 0u); break; }
    WbR_ c1 = wf_0(L, fuel);
    fuel = c1.fuel;
    if (c1.w != 0u) { w = wb_unwind(c1.w, 0u); break; }
  } while (false);
  WbR_ R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
  }
  R.fuel = fuel;
  return R;
}
static WbR_ wf_2(wb_lane L, uint fuel) {
  uint w = 0u;
  do {
    fuel = fuel - 2u;
    WbR_ c0 = wf_1(L, fuel);
    fuel = c0.fuel;
    if (c0.w != 0u) { w = wb_unwind(c0.w, 0u); break; }
    WbR_ c1 = wf_1(L, fuel);
    fuel = c1.fuel;
    if (c1.w != 0u) { w = wb_unwind(c1.w, 0u); break; }
  } while (false);
  WbR_ R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 2u);
  }
  R.fuel = fuel;
  return R;
}
static WbR_i wf_3(wb_lane L, uint f, uint room, uint low, uint fuel, uint r) {
  uint w = 0u;
  uint t0 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 3u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    WbR_ c0 = wf_2(L, fuel);
    fuel = c0.fuel;
    if (c0.w != 0u) { w = wb_unwind(c0.w, 0u); break; }
    WbR_ c1 = wf_2(L, fuel);
    fuel = c1.fuel;
    if (c1.w != 0u) { w = wb_unwind(c1.w, 0u); break; }
    uint t1 = wb_get(L, 35u);
    t0 = t1;
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 3u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
    }
  }
  R.fuel = fuel;
  R.r0 = t0;
  return R;
}
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 3u: {
      if (A.room < 3u) {
        E.w = wb_end(L, wb_exhausted(L, 0x980004efu), 3u);
        break;
      }
      WbR_i R = wf_3(L, f, A.room - 3u, low, fuel, resume);
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put(L, 34u, R.r0);
      }
      break;
    }
    default: { break; }
  }
  return E;
}
