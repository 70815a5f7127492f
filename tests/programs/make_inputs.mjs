// Inputs that are made, the same bytes on every machine.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

// xorshift32: numbers below `limit`.
function numbersFrom(seed) {
  let state = seed;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

const kSyllables = ['ka', 'lo', 'mi', 'ren', 'sta', 'tor', 'ul', 've', 'an', 'dri', 'e', 'shu'];

function word(next) {
  return Array.from({length: 1 + next(3)}, () => kSyllables[next(kSyllables.length)]).join('');
}

function text(bytes) {
  const next = numbersFrom(7);
  let lines = '';
  while (lines.length < bytes) {
    lines += `${Array.from({length: 4 + next(9)}, () => word(next)).join(' ')}.\n`;
  }
  return lines.slice(0, bytes);
}

function csv(rows) {
  const next = numbersFrom(11);
  const line = (i) => `${i},${word(next)},"${word(next)}, ""${word(next)}""",${next(1e6) / 100}`;
  return `id,name,note,amount\n${Array.from({length: rows}, (_, i) => line(i)).join('\n')}\n`;
}

function json(rows) {
  const next = numbersFrom(13);
  return `${JSON.stringify(Array.from({length: rows}, (_, id) => ({id, name: word(next),
    price: next(1e6) / 100, tags: Array.from({length: next(4)}, () => word(next)),
    inner: {even: id % 2 === 0, nothing: null, text: `"\\\u00e9\u20ac ${word(next)}`}})))}\n`;
}

function xml(rows) {
  const next = numbersFrom(17);
  const item = (i) => `  <item id="${i}" kind="${word(next)}">${word(next)} &amp; ${word(next)}` +
    `<![CDATA[<${word(next)}>]]></item>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made -->\n<list xmlns:a="urn:a">\n` +
    `${Array.from({length: rows}, (_, i) => item(i)).join('\n')}\n</list>\n`;
}

// A picture with slopes, edges and some noise.
function ppm(width, height) {
  const next = numbersFrom(19);
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const inside = (x - width / 2) ** 2 + (y - height / 2) ** 2 < (height / 3) ** 2;
      pixels[at++] = (x * 255) / width;
      pixels[at++] = inside ? 200 : (y * 255) / height;
      pixels[at++] = next(inside ? 32 : 4);
    }
  }
  return Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), pixels]);
}

// Clauses over three variables each; about half of such sets can be satisfied.
function cnf(variables, clauses, seed) {
  const next = numbersFrom(seed);
  const clause = () => `${Array.from({length: 3}, () =>
    (next(2) ? 1 : -1) * (1 + next(variables))).join(' ')} 0`;
  return `p cnf ${variables} ${clauses}\n${Array.from({length: clauses}, clause).join('\n')}\n`;
}

export function makeInputs(folder) {
  const inputs = {
    'text.txt': text(60_000), 'short.txt': text(4_000), 'table.csv': csv(300),
    'rows.json': json(120), 'items.xml': xml(200), 'picture.ppm': ppm(96, 64),
    'gray.rgb': 'abcdefghijklmnop'.repeat(48),
    'loose.cnf': cnf(60, 240, 23), 'tight.cnf': cnf(50, 300, 29),
  };
  mkdirSync(folder, {recursive: true});
  for (const [name, bytes] of Object.entries(inputs)) writeFileSync(join(folder, name), bytes);
}
