// AssemblyScript with SIMD: a particle step in f32x4, a saturating blend in u8x16, a checksum by
// extended products, words found by comparison masks. run() returns how many bytes output() holds.
const kOutputBytes = 1024;
const kBodies = 16;
const buffer = new StaticArray<u8>(kOutputBytes);
const position = new StaticArray<f32>(4 * kBodies);
const velocity = new StaticArray<f32>(4 * kBodies);
const image = new StaticArray<u8>(256);
let random: u32 = 1;

function next(): u32 {
  random ^= random << 13;
  random ^= random >> 17;
  random ^= random << 5;
  return random;
}

function at<T>(array: StaticArray<T>, index: i32): usize {
  return changetype<usize>(array) + (<usize>index << alignof<T>());
}

function pull(i: i32, j: i32): v128 {
  const between = f32x4.sub(v128.load(at(position, 4 * j)), v128.load(at(position, 4 * i)));
  const squares = f32x4.mul(between, between);
  const sum = f32x4.add(squares, v128.shuffle<f32>(squares, squares, 1, 0, 3, 2));
  const distance = f32x4.add(sum, v128.shuffle<f32>(sum, sum, 2, 3, 0, 1));
  const root = f32x4.sqrt(f32x4.add(distance, f32x4.splat(0.5)));
  return f32x4.div(between, f32x4.mul(root, f32x4.mul(root, root)));
}

function step(): void {
  for (let i = 0; i < kBodies; ++i) {
    let force = f32x4.splat(0);
    for (let j = 0; j < kBodies; ++j) force = f32x4.add(force, pull(i, j));
    const speed = f32x4.add(v128.load(at(velocity, 4 * i)), f32x4.mul(force, f32x4.splat(0.01)));
    v128.store(at(velocity, 4 * i), f32x4.min(f32x4.max(speed, f32x4.splat(-4)), f32x4.splat(4)));
  }
  for (let i = 0; i < 4 * kBodies; i += 4) {
    v128.store(at(position, i), f32x4.add(v128.load(at(position, i)), v128.load(at(velocity, i))));
  }
}

function blend(): u32 {
  let sums = i32x4.splat(0);
  let found: u32 = 0;
  for (let i = 0; i < 256; i += 16) {
    const a = v128.load(at(image, i));
    const b = v128.load(at(image, (i + 48) & 255));
    const mixed = v128.add_sat<u8>(v128.avgr<u8>(a, b), v128.shr<u8>(a, 2));
    v128.store(at(image, i), mixed);
    const low = i16x8.extmul_low_i8x16_u(mixed, b);
    sums = i32x4.add(sums, i32x4.dot_i16x8_s(low, i16x8.extend_high_i8x16_u(mixed)));
    found = found * 31 + <u32>v128.bitmask<i8>(v128.gt<u8>(mixed, b));
  }
  return found ^ <u32>i32x4.extract_lane(sums, 0) ^ <u32>i32x4.extract_lane(sums, 3);
}

export function run(seed: i32): i32 {
  random = <u32>seed * 2654435761 + 1;
  for (let i = 0; i < 4 * kBodies; ++i) {
    position[i] = <f32>(<i32>next() >> 16) / 512;
    velocity[i] = 0;
  }
  for (let i = 0; i < 256; ++i) image[i] = <u8>next();
  for (let i = 0; i < 8; ++i) step();
  let sum: u32 = 0;
  for (let i = 0; i < 8; ++i) sum = sum * 17 + blend();
  memory.copy(changetype<usize>(buffer), at(position, 0), 16 * kBodies);
  memory.copy(changetype<usize>(buffer) + 16 * kBodies, at(image, 0), 256);
  store<u32>(changetype<usize>(buffer) + 16 * kBodies + 256, sum);
  return 16 * kBodies + 260;
}

export function output(): usize {
  return changetype<usize>(buffer);
}
