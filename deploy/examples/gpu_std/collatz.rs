// Which start below 64 has the longest Collatz chain: each instance follows one, and each group of 32
// agrees on its best.
//
//     $ rustc --target wasm32-unknown-unknown --crate-type cdylib -O -o collatz.wasm gpu_std/collatz.rs
//     $ wasmburstctl -q job run collatz.wasm --call longest --arg 1..65 -o csv | cut -d, -f5 | sort -u
//     27111
//     54112
//     result
//
// A start times 1,000, plus the length of its chain.
mod gpu_std;

#[no_mangle]
pub extern "C" fn longest(start: i32) -> i32 {
    let mut n = start as u64;
    let mut steps = 0;
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
    let most = gpu_std::max_s_i32(steps);
    let first = gpu_std::min_s_i32(if steps == most { start } else { i32::MAX });
    first * 1000 + most
}
