// What differs between an instance's outcome in Node and in the daemon, as one line; '' if nothing.

// V8 has one message for two traps of an indirect call.
const indirectCall = ['UNINITIALIZED_ELEMENT', 'INDIRECT_CALL_TYPE'];

function sameEnd(wanted, got) {
  return wanted === got || (wanted === 'INDIRECT_CALL' && indirectCall.includes(got));
}

const brief = (text) => (text && text.length > 80 ? `${text.slice(0, 80)}...` : text);

export function difference(wanted, got) {
  if (!got) return 'no result';
  if (!sameEnd(wanted.ends, got.ends)) return `ends [${got.ends}], not [${wanted.ends}]`;
  if (wanted.step !== got.step) return `ends in step ${got.step}, not ${wanted.step}`;
  for (let i = 0; i < wanted.steps.length; ++i) {
    const [w, g] = [wanted.steps[i].join(' '), (got.steps[i] ?? []).join(' ')];
    if (w !== g) return `step ${i} gives [${g}], not [${w}]`;
  }
  for (const [name, bytes] of Object.entries(wanted.outputs)) {
    if (bytes !== got.outputs[name]) {
      return `output [${name}] is ${brief(got.outputs[name])}, not ${brief(bytes)}`;
    }
  }
  return '';
}
