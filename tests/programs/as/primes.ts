// Counts primes below argument 1; below zero it aborts. Echoes the lines of standard input.
const below = process.argv.length > 1 ? i32(parseInt(process.argv[1])) : 50;
assert(below >= 0, "not below zero");
const isComposite = new Uint8Array(below + 1);
const primes: Array<string> = [];
for (let i = 2; i < below; ++i) {
  if (isComposite[i]) continue;
  primes.push(i.toString());
  for (let j = i * 2; j < below; j += i) isComposite[j] = 1;
}
const label = process.env.has("LABEL") ? process.env.get("LABEL") : "primes";
console.log(`${label}: ${primes.length}, the last ${primes.slice(-5).join(" ")}`);
console.error(`mean gap ${f64(below) / f64(primes.length)}`);
const buffer = new ArrayBuffer(64);
for (let got = process.stdin.read(buffer); got > 0; got = process.stdin.read(buffer)) {
  process.stdout.write(String.UTF8.decodeUnsafe(changetype<usize>(buffer), got));
}
process.exit(primes.length % 7);
