// The mean of each group of 32 numbers, and how many of them lie above it.
//
//     $ asc gpu_std/mean.ts -O3 --runtime stub --use abort= -o mean.wasm
//     $ wasmburstctl -q job run mean.wasm --call above --arg 0..64 -o csv | cut -d, -f5 | sort -u
//     4359.016
//     5593.018
//     result
//
// The mean times 100, and behind the point the lines above it.
import * as gpu from "./gpu_std";

export function above(n: i32): f64 {
  const number = <f64>((n * n) % 97);
  const mean = gpu.sum_f64(number) / <f64>gpu.group_size();
  const higher = gpu.ballot(number > mean ? 1 : 0);
  return Math.floor(mean * 100) + <f64>popcnt(higher) / 1000;
}
