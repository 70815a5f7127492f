// What a run left, and what differs between two, as one line; '' if nothing.
import {existsSync, readFileSync, readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';

function filesOf(folder, prefix = '') {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).sort().flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesOf(path, `${prefix}${name}/`)
      : [[`${prefix}${name}`, readFileSync(path)]];
  });
}

// `end`: {exit} or {trap}; `folder`: stdout, stderr and files/.
export const outcomeOf = (end, folder) => ({end, outputs: Object.fromEntries(filesOf(folder))});

const endOf = ({exit, trap}) => (trap === undefined ? `exit code ${exit}` : 'a trap');

function whereBytesDiffer(wanted, got) {
  const shorter = Math.min(wanted.length, got.length);
  let at = 0;
  while (at < shorter && wanted[at] === got[at]) ++at;
  const near = (bytes) => JSON.stringify(bytes.subarray(at, at + 40).toString('latin1'));
  return `differ at byte ${at} of ${wanted.length}: ${near(got)}, not ${near(wanted)}`;
}

// Texts of traps are each engine's own; that there is one must be the same.
export function difference(wanted, got) {
  if (endOf(wanted.end) !== endOf(got.end)) {
    return `ends with ${endOf(got.end)}, not ${endOf(wanted.end)}`;
  }
  for (const name of new Set([...Object.keys(wanted.outputs), ...Object.keys(got.outputs)])) {
    const [w, g] = [wanted.outputs[name], got.outputs[name]];
    if (!g) return `output [${name}] is missing`;
    if (!w) return `output [${name}] is there and should not be`;
    if (!w.equals(g)) return `output [${name}]: they ${whereBytesDiffer(w, g)}`;
  }
  return '';
}
