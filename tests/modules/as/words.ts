// AssemblyScript with its garbage collector at work: words in maps and sets, sorted, joined, parsed.
// run() returns how many bytes output() holds.
const kOutputBytes = 4096;
const buffer = new StaticArray<u8>(kOutputBytes);
let used: i32 = 0;
let random: u32 = 1;

function below(n: u32): u32 {
  random ^= random << 13;
  random ^= random >> 17;
  random ^= random << 5;
  return random % n;
}

function text(value: string): void {
  for (let i = 0; i < value.length && used < kOutputBytes; ++i) buffer[used++] = <u8>value.charCodeAt(i);
  if (used < kOutputBytes) buffer[used++] = 10;
}

class Entry {
  constructor(public word: string, public count: i32) {}
}

function word(): string {
  let made = "";
  for (let n = 1 + below(3); n > 0; --n) made += String.fromCharCode(97 + below(4));
  return made;
}

function counted(n: i32): Map<string, i32> {
  const counts = new Map<string, i32>();
  for (let i = 0; i < n; ++i) {
    const key = word();
    counts.set(key, (counts.has(key) ? counts.get(key) : 0) + 1);
  }
  return counts;
}

function sorted(counts: Map<string, i32>): Entry[] {
  const entries: Entry[] = [];
  const keys = counts.keys();
  for (let i = 0; i < keys.length; ++i) entries.push(new Entry(keys[i], counts.get(keys[i])));
  entries.sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : a.word > b.word ? 1 : 0));
  return entries;
}

function numbers(n: i32): void {
  const values = new Array<f64>();
  for (let i = 0; i < n; ++i) values.push(parseFloat(below(1000).toString() + "." + below(100).toString()));
  values.sort();
  text(values.map<string>((v) => v.toString()).join(" "));
  text(values.reduce((a, b) => a + b, 0.0).toString());
  text(parseInt("-" + below(100000).toString(), 10).toString());
}

export function run(seed: i32): i32 {
  used = 0;
  random = <u32>seed * 2654435761 + 1;
  const counts = counted(40 + seed * 3);
  const entries = sorted(counts);
  for (let i = 0; i < min(entries.length, 30); ++i) {
    text(entries[i].word.padEnd(4, ".") + entries[i].count.toString());
  }
  const seen = new Set<string>();
  for (let i = 0; i < 60; ++i) seen.add(word().toUpperCase());
  text(seen.size.toString() + " " + seen.values().join(",").split("A").join("<a>"));
  numbers(10);
  return used;
}

export function output(): usize {
  return changetype<usize>(buffer);
}
