// How many primes lie in a range: a function that is called, without main and without WASI.
//
//     $ asc assemblyscript/primes.ts -O3 --runtime stub --use abort= -o primes.wasm
//     $ wasmburstctl -q job run primes.wasm --call primes --arg 0..5000:1000 --arg 1000 --ordered --columns arg1 -o csv | cut -d, -f2,5,6
//     end,arg1,result
//     RETURNED,0,168
//     RETURNED,1000,135
//     RETURNED,2000,127
//     RETURNED,3000,120
//     RETURNED,4000,119
//
// AssemblyScript's checks call env.abort; with "--use abort=" they trap.

// A sieve of the range alone: it is crossed out by every number whose square lies below its end.
export function primes(from: u32, count: u32): u32 {
  const end = from + count;
  const composite = new StaticArray<bool>(count);
  for (let n: u32 = 2; n * n < end; ++n) {
    let multiple = max(n * n, ((from + n - 1) / n) * n);
    for (; multiple < end; multiple += n) composite[multiple - from] = true;
  }
  let found: u32 = 0;
  for (let i = max(from, 2); i < end; ++i) {
    if (!composite[i - from]) ++found;
  }
  return found;
}
