// AssemblyScript over as-bignum: 128- and 256-bit integers from a seed, their results as text and
// bits in a buffer. run() returns how many bytes output() holds.
import {i128, u128, u256} from "as-bignum/assembly";

const kOutputBytes = 4096;
const buffer = new StaticArray<u8>(kOutputBytes);
let used: i32 = 0;
let random: u64 = 1;

function next(): u64 {
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  return random;
}

function byte(value: u8): void {
  if (used < kOutputBytes) buffer[used++] = value;
}
function word(value: u64): void {
  for (let i = 0; i < 8; ++i) byte(<u8>(value >> (8 * i)));
}
function text(value: string): void {
  for (let i = 0; i < value.length; ++i) byte(<u8>value.charCodeAt(i));
  byte(10);
}

function factorial(n: i32): u128 {
  let product = u128.One;
  for (let i = 2; i <= n; ++i) product = product * u128.fromI32(i);
  return product;
}

function arithmetic(): void {
  const a = new u128(next(), next() >> (next() & 63));
  const b = new u128(next(), next() >> (next() & 63));
  text((a + b).toString());
  text((a - b).toString(16));
  text((a * b).toString());
  text((a / b).toString());
  text((a % b).toString());
  text(u128.sqrt(a).toString());
  word(<u64>u128.clz(a) | <u64>u128.ctz(b) << 8 | <u64>u128.popcnt(a) << 16);
  const turned = u128.rotl(a, <i32>(next() & 127)) ^ (b >> <i32>(next() & 127));
  word(turned.lo);
  word(turned.hi);
  word(<u64>u128.ord(a, b));
}

function wide(): void {
  const a = new u256(next(), next(), next(), next() >> 3);
  const b = new u256(next(), next(), next(), next() >> 5);
  const sum = a + b;
  word(sum.lo1);
  word(sum.lo2);
  word(sum.hi1);
  word(sum.hi2);
  const mixed = (a ^ b) & ~(a >> 7);
  word(mixed.lo1);
  word(mixed.hi2);
  byte(a < b ? 1 : 0);
  const negative = i128.fromI64(-<i64>(next() >> 1));
  word(negative.lo);
  word(<u64>negative.hi);
}

export function run(seed: i32): i32 {
  used = 0;
  random = (<u64>seed + 1) * 0x9E3779B97F4A7C15;
  text(factorial(seed % 34).toString());
  for (let i = 0; i < 5; ++i) arithmetic();
  for (let i = 0; i < 3; ++i) wide();
  return used;
}

export function output(): usize {
  return changetype<usize>(buffer);
}
