// What an embedder of llhttp does when it is called back: a line for each call, and 0, which goes on.
const spanOf = (name) => `env.wasm_on_${name}`;

// Arguments of a call that are pointer and length of bytes that go with it.
export const spans = Object.fromEntries(
  ['url', 'status', 'header_field', 'header_value', 'body'].map((name) => [spanOf(name), [1, 2]]));

// `bytes`: a Buffer for each span. Answers {results, line}.
export function answer({import: name, args, bytes}) {
  const event = name.replace('env.wasm_on_', '');
  const told = name in spans ? JSON.stringify(bytes[0].toString('latin1'))
    : args.slice(1).join(' ');
  return {results: [0], line: `${event} ${told}`.trim()};
}
