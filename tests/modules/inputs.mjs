// Inputs of the modules under test: the same for the same instance, without any source of chance.

export const kInstances = 64;

// mulberry32: a number below `n` from a seeded row.
export function row(seed) {
  let state = (seed * 0x9e3779b1 + 0x7f4a7c15) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  return {
    next,
    below: (n) => next() % n,
    pick: (list) => list[next() % list.length],
    bytes: (n) => Uint8Array.from({length: n}, () => next() & 255),
  };
}

// One value for each instance.
export const each = (make) => Array.from({length: kInstances}, (_, i) => make(i, row(i + 1)));

export const seeds = {type: 'i32', values: each((i) => i)};

// Columns of byte strings and of their lengths.
export const bytesColumn = (values) => ({type: 'bytes', values});
export const lengthsOf = (values, unit = 1) =>
  ({type: 'i32', values: values.map((bytes) => bytes.length / unit)});

// Lengths around a hash's block sizes, nothing at all included.
const edges = [0, 1, 3, 31, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 239, 240, 241, 255, 1024];
export const messages = each((i, r) => r.bytes(i < edges.length ? edges[i] : r.below(1500)));
export const tails = each((i, r) => r.bytes(r.below(i % 3 === 0 ? 2 : 300)));

export const shortMessages = messages.map((bytes) => bytes.slice(0, 512));

const text = (string) => new TextEncoder().encode(string);
export const utf16 = (string) => new Uint8Array(Uint16Array.from(string,
  (c) => c.charCodeAt(0)).buffer);

// --- JSON: most of it right
function jsonValue(r, depth) {
  const kind = r.below(depth > 5 ? 4 : 7);
  if (kind === 0) return r.pick([null, true, false]);
  if (kind === 1) return (r.below(2000001) - 1000000) / 1000;
  if (kind === 2) return r.below(100000);
  if (kind === 3) return r.pick(['lane', 'a "quoted" text', '\\', 'größer', '', 'tab\t']);
  const items = Array.from({length: r.below(5)}, () => jsonValue(r, depth + 1));
  if (kind === 4) return items;
  return Object.fromEntries(items.map((item, i) => [`k${i}`, item]));
}
export const jsonTexts = each((i, r) => {
  let json = JSON.stringify(jsonValue(r, i % 4), null, i % 3);
  if (i % 16 === 15) json = '['.repeat(60 + i) + ']'.repeat(60 + i);
  if (i % 8 === 7) json = json.slice(0, Math.max(1, json.length - 1 - r.below(3)));
  return text(json).slice(0, 3000);
});

// --- expressions: a division by zero now and then
function expression(r, depth) {
  if (depth > 6 || r.below(4) === 0) {
    return r.below(3) === 0 ? r.pick(['a', 'b', 'c']) : String(r.below(1000));
  }
  if (r.below(4) === 0) return `(${expression(r, depth + 1)})`;
  if (r.below(6) === 0) return `-${expression(r, depth + 1)}`;
  const operator = r.pick(['+', '-', '*', '+', '-', '*', '/', '%', '^']);
  return `${expression(r, depth + 1)} ${operator} ${expression(r, depth + 1)}`;
}
export const expressions = each((i, r) => {
  let program = 'a = 7; b = 3 ^ 5; c = -12;';
  for (let n = 0; n < 6; ++n) program += ` ${r.pick(['a', 'b', 'c'])} = ${expression(r, 0)};`;
  if (i % 10 === 9) program += ' a = (1 + ;';
  if (i % 10 === 5) program += ' b = 1 / (a - a);';
  return text(program).slice(0, 4000);
});

// --- patterns and what they are looked for in
const patterns = ['a', 'a*b', '(a|b)*c', '^x', 'z$', '[a-c]+[^a-c]', 'a?b?c?', '(ab|cd)+(e|f)?',
  '(a*)*b', '.*', '.+c', '(a|ab)(c|bcd)', '[0-9]+(,[0-9]+)*', '^(a|b)*$', 'x(y(z)?)*', '(((a)))'];
export const regexTexts = each((i, r) => {
  let subject = '';
  for (let n = r.below(60); n > 0; --n) subject += r.pick([...'aaabbbcccdefxyz012,']);
  return text(`${patterns[i % patterns.length]}\0${subject}`);
});

// --- a source map's mappings: rows of base64 numbers; now and then what is none
function base64Vlq(value) {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  let left = value < 0 ? -value * 2 + 1 : value * 2;
  let made = '';
  do {
    made += digits[left % 32 + (left >= 32 ? 32 : 0)];
    left = Math.floor(left / 32);
  } while (left > 0);
  return made;
}
export const mappings = each((i, r) => {
  const segment = () => {
    const numbers = [1 + r.below(12)];
    if (r.below(8) > 0) numbers.push(r.below(3) === 0 ? 1 : 0, r.below(3), r.below(9));
    if (numbers.length > 1 && r.below(3) === 0) numbers.push(r.below(2));
    return numbers.map(base64Vlq).join('');
  };
  const lines = Array.from({length: 1 + r.below(8)}, () =>
    Array.from({length: r.below(14)}, segment).join(','));
  if (i % 16 === 13) lines.push('AA*A');
  if (i % 16 === 5) lines.push('AAAAAAAA');
  return text(lines.join(';'));
});

// --- JavaScript sources
const commonJs = [
  'exports.a = 1; exports.b = function () { return "exports.c"; };',
  'module.exports = { a, b, "c": d, ...require("./other") };',
  'Object.defineProperty(exports, "__esModule", { value: true });',
  'Object.defineProperty(exports, "x", { enumerable: true, get: function () { return y.x; } });',
  'module.exports = require("./lib/" + "x"); module.exports = require("./y");',
  '__exportStar(require("./star"), exports); /* exports.no = 1 */ exports["quoted name"] = 2;',
  'var re = /[/"]exports.z/g, t = `a ${exports.q ? `${1}` : 2} b`;',
  'Object.keys(_m).forEach(function (k) { if (k === "default" || k === "__esModule") return; ' +
    'exports[k] = _m[k]; });',
  '(function (a) { "use strict"; exports.inner = a; })(0 / 1 / 2);',
];
export const commonJsSources = each((i, r) => {
  const lines = Array.from({length: 1 + r.below(12)}, () => r.pick(commonJs));
  if (i % 13 === 12) lines.push('import x from "y"; exports.a = 1;');
  if (i % 13 === 6) lines.push('exports.a = `open ${');
  return utf16(lines.join(r.pick(['\n', ' ', '\r\n'])));
});

const moduleJs = [
  'import a, { b as c, default as d } from "mod";',
  'import * as ns from \'./ns.js\' with { type: "json" };',
  'export { a as b, c }; export default function () {}',
  'export const { x, y: [z] } = f(import.meta.url);',
  'const lazy = () => import(`./${name}.js`);',
  'await import("dyn", { with: { type: "css" } });',
  'export * from "star"; export * as all from "star2";',
  'if (/import("x")/.test(s)) { /* import "no" */ }',
  'export class K extends (a / b / c) {} // import d from "d"',
  'export async function* gen() { yield import("in"); }',
  'import "bare"; export let p, q = `${`${import("t")}`}`;',
  '\u00fcber = "ü"; export { \u00fcber };',
];
export const moduleSources = each((i, r) => {
  const lines = Array.from({length: 1 + r.below(12)}, () => r.pick(moduleJs));
  if (i % 11 === 10) lines.push('export { a as ');
  if (i % 11 === 4) lines.push('import { from "x";');
  return utf16(lines.join('\n'));
});
