// Where two outputs of a random program differ: node explain.mjs QEMU OURS LIST
// Says the first blocks, what they run (random_program.mjs) and the registers that differ.
import {readFileSync} from 'node:fs';

const [expected, got] = process.argv.slice(2, 4).map(file => readFileSync(file));
const blocks = readFileSync(process.argv[4], 'utf8').split('\n');
const kBlock = 760, kMostSaid = 3;

const hex = (bytes, at, count) => Buffer.from(bytes.subarray(at, at + count)).reverse().toString('hex');
function compare(what, a, b, at, bytes) {
  const expects = hex(a, at, bytes), is = hex(b, at, bytes);
  if (expects !== is) console.log(`  ${what}: ${expects} in qemu, ${is} in the lane`);
}

let said = 0;
for (let block = 0; block * kBlock < Math.max(expected.length, got.length) && said < kMostSaid; ++block) {
  const [a, b] = [expected, got].map(all => all.subarray(block * kBlock, (block + 1) * kBlock));
  if (a.equals(b)) continue;
  ++said;
  console.log(`block ${block}: ${blocks[block]}`);
  if (a.length !== kBlock || b.length !== kBlock) {
    console.log(`  it wrote ${a.length} bytes in qemu, ${b.length} in the lane`);
    break;
  }
  for (let i = 0; i < 27; ++i) compare(`x${i}`, a, b, i * 8, 8);
  compare('x28 as a distance', a, b, 216, 8);
  compare('nzcv', a, b, 224, 8);
  compare('memory', a, b, 232, 8);
  for (let i = 0; i < 32; ++i) compare(`v${i}`, a, b, 248 + i * 16, 16);
}
