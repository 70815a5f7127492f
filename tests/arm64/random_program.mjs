// A program for ARM64 of random instructions, in assembly: node random_program.mjs SEED BLOCKS >FILE.S
// A block sets all registers, runs one instruction or twelve (forms.def), and writes all registers and, where
// memory was in play, a sum over it to standard output: 760 bytes. Standard error: a line for each block, what it
// runs. llvm-mc (14) says which words are instructions of ARMv8.0 with CRC32 and atomics.
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';

const [seed, blocks] = process.argv.slice(2).map(Number);
const here = new URL('.', import.meta.url).pathname;

let state = BigInt(seed) * 2n + 1n;
function random(below) { // an LCG; its upper half is taken
  state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  return Number((state >> 33n) % BigInt(below));
}
const random64 = () => (BigInt(random(0x10000000)) << 36n ^ BigInt(random(0x10000000)) << 18n ^
  BigInt(random(0x10000000))) & 0xffffffffffffffffn;

// Not there: deploy/examples/arm64/README.md.
const leftOut = /^(aes|sha|udf|brk|hlt|hvc|smc|dcps|eret|drps)/;

const forms = readFileSync(`${here}forms.def`, 'utf8').split('\n').filter(line => line && line[0] !== '#')
  .map(line => line.replaceAll(' ', ''));
const fields = {i: 26, b: 28};
function wordOf(form) {
  let bits = '';
  for (let at = 0; at < 32;) {
    const letter = form[at];
    if ('01x'.includes(letter)) {
      bits += letter === 'x' ? random(2) : letter;
      ++at;
      continue;
    }
    const any = 'dnma'.includes(letter);
    const number = fields[letter] ?? (letter === 'v' ? random(32) : random(any ? 27 : 26));
    bits += (any && number === 26 ? 31 : number).toString(2).padStart(5, '0');
    at += 5;
  }
  return parseInt(bits, 2);
}
const usesMemory = form => form.slice(22, 27) === 'bbbbb';
const mayFollow = form => !usesMemory(form) || /^..111.01/.test(form);

// Words of a form that are instructions, by its number.
function candidates() {
  const tried = forms.flatMap((form, of) => Array.from({length: 400}, () => ({of, word: wordOf(form)})));
  const bytes = word => [0, 8, 16, 24].map(shift => `0x${(word >>> shift & 255).toString(16)}`).join(' ');
  const said = spawnSync('/usr/lib/llvm-14/bin/llvm-mc',
    ['-disassemble', '-triple=aarch64', '-mattr=+neon,+crc,+lse'],
    {input: tried.map(({word}) => bytes(word)).join('\n'), encoding: 'utf8', maxBuffer: 1 << 28});
  if (said.status === null) throw new Error(`llvm-mc: ${said.error}`);
  const wrong = new Set([...said.stderr.matchAll(/<stdin>:(\d+):\d+: warning/g)].map(found => found[1] - 1));
  const texts = said.stdout.split('\n').filter(line => line && !line.includes('.text'));
  const known = forms.map(() => []);
  let next = 0;
  tried.forEach(({of, word}, at) => {
    if (wrong.has(at)) return;
    const text = texts[next++].trim().replace('\t', ' ');
    if (!leftOut.test(text)) known[of].push({of, word, text, hex: word.toString(16).padStart(8, '0')});
  });
  if (next !== texts.length) throw new Error(`llvm-mc: ${texts.length} texts for ${next} words`);
  return known;
}

const known = candidates();
const all = forms.map((form, of) => of).filter(of => known[of].length > 0);
const following = all.filter(of => mayFollow(forms[of]));
const one = from => { const of = from[random(from.length)]; return known[of][random(known[of].length)]; };

const notable = [0n, 1n, 0xffffffffffffffffn, 0x8000000000000000n, 0x7fffffffffffffffn, 0x80000000n, 0x7fffffffn,
  0x3ff0000000000000n, 0xbff8000000000000n, 0x7ff0000000000000n, 0xfff0000000000000n, 0x7ff8000000000001n,
  0x7ff0000000000001n, 0x3f8000003f800000n, 0x7f8000017fc00001n, 0xff800000ff800000n, 0x43e0000000000000n,
  0xc3e0000000000000n, 0x4f0000005f000000n, 0x0000000100000001n, 0x00800000007fffffn, 0x8000800080008000n,
  0x7c007e013c00fc00n, 0x40e0000000000000n, 0x4059000000000000n, 0x42c80000c2c80000n, 0x3fe0000000000000n];
const value = () => {
  switch (random(5)) {
    case 0: return notable[random(notable.length)];
    case 1: return BigInt(random(256));
    case 2: return (0x3f00000000000000n + (random64() >> 8n)) & 0xffffffffffffffffn;
    default: return random64();
  }
};

const tables = 64;
const lines = [`
  .global _start
  .text
_start:
  adrp x28, memory
  add x28, x28, :lo12:memory
  add x28, x28, #8, lsl #12
  adrp x29, state
  add x29, x29, :lo12:state`];
for (let block = 0; block < blocks; ++block) {
  const single = random(3) > 0;
  const words = single ? [one(all)] : Array.from({length: 12}, () => one(following));
  const memory = words.some(({of}) => usesMemory(forms[of]));
  lines.push(`  mov w27, #${random(tables)}`, '  bl restore', ...words.map(({hex}) => `  .inst 0x${hex}`),
    '  nop', '  nop', `  bl ${memory ? 'save_memory' : 'save'}`);
  console.error(words.map(({hex, text}) => `${hex} ${text}`).join('; '));
}
const pairs = (name, prefix, count, at) => Array.from({length: count / 2}, (_, i) =>
  `  ${name} ${prefix}${2 * i}, ${prefix}${2 * i + 1}, [x29, #${at + 2 * i * (prefix === 'q' ? 16 : 8)}]`);
lines.push(`
  mov x0, #0
  mov x8, #94
  svc #0
restore:                         // all registers from table w27; x26 is at most 255
  adrp x28, tables
  add x28, x28, :lo12:tables
  mov w26, #768
  madd x29, x27, x26, x28
${pairs('ldp', 'q', 32, 256).join('\n')}
  ldr x27, [x29, #216]
  msr nzcv, x27
${pairs('ldp', 'x', 26, 0).join('\n')}
  ldrb w26, [x29, #208]
  adrp x28, memory
  add x28, x28, :lo12:memory
  add x28, x28, #8, lsl #12
  adrp x29, state
  add x29, x29, :lo12:state
  ret
save_memory:                     // a sum over 12 KiB about x28, which may have moved
  str x30, [x29, #232]
  add x30, x29, #768
  stp x0, x1, [x30]
  stp x2, x3, [x30, #16]
  mrs x3, nzcv
  adrp x0, memory + 28672
  add x1, x0, #3, lsl #12
  mov x2, #0
1: ldr x30, [x0], #8
  eor x2, x30, x2, ror #7
  add x2, x2, x2, lsl #3
  cmp x0, x1
  b.ne 1b
  str x2, [x29, #240]
  msr nzcv, x3
  add x30, x29, #768
  ldp x0, x1, [x30]
  ldp x2, x3, [x30, #16]
  b 2f
save:                            // all registers to standard output
  str x30, [x29, #232]
  str xzr, [x29, #240]
2: ${pairs('stp', 'x', 28, 0).join('\n')}
  adrp x0, memory
  sub x0, x28, x0
  mrs x1, nzcv
  stp x0, x1, [x29, #216]
${pairs('stp', 'q', 32, 256).join('\n')}
  mov x0, #1
  mov x1, x29
  mov x2, #232
  mov x8, #64
  svc #0
  add x1, x29, #240
  mov x0, #1
  mov x2, #528
  svc #0
  ldr x30, [x29, #232]
  ret
  .data
  .balign 4096
memory: .space 65536
state: .space 1024
  .balign 16
tables:`);
for (let table = 0; table < tables; ++table) {
  for (let row = 0; row < 12; ++row) {
    lines.push(`  .quad ${Array.from({length: 8}, () => `0x${value().toString(16)}`).join(', ')}`);
  }
}
console.log(lines.join('\n'));
