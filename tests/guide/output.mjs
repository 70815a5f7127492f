// What a command printed beside what a page says that it prints. Pure.

// What differs from run to run, or from machine to machine, and counts as equal. Nothing else does.
export const kVarying = [
  ['ids of jobs and sessions', /\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'ID'],
  ['ids of tokens', /\b(tokens\/|token:)[0-9a-f]{16}\b/g, '$1ID'],
  ['digests', /\bsha256([: ])[0-9a-f]{8,64}\b/g, 'sha256$1DIGEST'],
  ['times of day', /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z| UTC)?/g, 'TIME'],
  ['durations', /\b\d+(\.\d+)? ?(ns|us|µs|ms|s|min|h)\b/g, 'DURATION'],
  ['rates', /\b\d+(\.\d+)?( [kMGT])? (instructions|instances) (a second|per second)|\b\d+(\.\d+)?( ?[kMGT])?\/s\b/g, 'RATE'],
  ['numbers of launches', /\b\d+ launch(es)?\b/g, 'LAUNCHES'],
  ['the engine that was ready first', /\b(interpreter0|cpu0|cuda0|metal0)\b/g, 'ENGINE'],
  ['and its build', /"build":"(interpreted|quick|full)"/g, '"build":"BUILD"'],
  ['process ids', /\b(pid|process) \d+\b/g, '$1 PID'],
  ['spaces', /\s+/g, ' '],
];

// A line of a page that stands for any lines, none included.
const kAnyLines = '...';

export function plainLine(line) {
  return kVarying.reduce((text, [, pattern, word]) => text.replace(pattern, word), line).trim();
}

// `varies`: what differs besides, in these lines alone; null: nothing.
export function plainLines(lines, varies = null) {
  return lines.map((line) => plainLine(varies ? line.replace(varies, 'VARIES') : line)).filter((line) => line !== '');
}

// Whether these lines are those; a line "..." of `expected` stands for any.
export function sameOutput(expected, actual, varies = null) {
  return fits(plainLines(expected, varies), plainLines(actual, varies));
}

function fits(expected, actual) {
  // from[i]: whether the lines behind `at` of `expected` fit those of `actual` from i on.
  let from = actual.map(() => false).concat(true);
  for (let at = expected.length - 1; at >= 0; at -= 1) {
    const before = new Array(actual.length + 1).fill(false);
    for (let i = actual.length; i >= 0; i -= 1) {
      before[i] = expected[at] === kAnyLines ? from[i] || (i < actual.length && before[i + 1])
        : i < actual.length && expected[at] === actual[i] && from[i + 1];
    }
    from = before;
  }
  return from[0];
}

// In any order.
export function sameLines(expected, actual) {
  return plainLines(expected).sort().join('\n') === plainLines(actual).sort().join('\n');
}
