// The encoding of protobuf messages, for what is millions of numbers: a packed field is an array's bytes,
// both ways, without a number of JavaScript for each.

export const BYTES = 2;

export function varint(number) {
  const out = [];
  for (; number > 0x7f; number = Math.floor(number / 128)) out.push((number % 128) | 0x80);
  out.push(number);
  return Buffer.from(out);
}

const sizeOf = (parts) => parts.reduce((sum, part) => sum + part.length, 0);

// A field that holds bytes or another message, as parts that are joined when they are sent.
export function bytesField(number, parts) {
  return [varint(number * 8 + BYTES), varint(sizeOf(parts)), ...parts];
}

// The place behind a varint, and its value.
function readVarint(data, at) {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    if (at >= data.length) throw new RangeError("a number that ends behind its message");
    const byte = data[at++];
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return [at, value];
  }
}

// [number, begin, from, to] of each field: where it begins, and where its content lies.
function* placesOf(data) {
  for (let at = 0; at < data.length; ) {
    const begin = at;
    let tag, from, to;
    [at, tag] = readVarint(data, at);
    from = at;
    switch (tag % 8) {
      case 0: [to] = readVarint(data, at); break;
      case 1: to = at + 8; break;
      case BYTES: {
        const [behind, length] = readVarint(data, at);
        [from, to] = [behind, behind + length];
        break;
      }
      case 5: to = at + 4; break;
      default: throw new RangeError(`a field of wire type ${tag % 8}`);
    }
    if (to > data.length) throw new RangeError("a field that ends behind its message");
    yield [Math.floor(tag / 8), begin, from, to];
    at = to;
  }
}

// [number, content] of each field.
export function* fieldsOf(data) {
  for (const [number, , from, to] of placesOf(data)) yield [number, data.subarray(from, to)];
}
export const textOf = (content) => Buffer.from(content).toString();
export const varintOf = (content) => readVarint(content, 0)[1];

// The message's bytes without the fields that are `taken`, as parts, and the contents of these.
export function takeOut(data, taken) {
  const found = new Map(taken.map((number) => [number, []]));
  const rest = [];
  let kept = 0; // where the bytes begin that go to the rest
  for (const [number, begin, from, to] of placesOf(data)) {
    if (!found.has(number)) continue;
    found.get(number).push(data.subarray(from, to));
    rest.push(data.subarray(kept, begin));
    kept = to;
  }
  rest.push(data.subarray(kept));
  return [rest, found];
}

// A packed field that came in one part or several, as an array of its own: numbers of it lie where
// their size divides their place.
export function joined(parts, ArrayType) {
  const bytes = sizeOf(parts);
  if (bytes % ArrayType.BYTES_PER_ELEMENT !== 0) throw new RangeError("a packed field that ends within a number");
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new ArrayType(whole.buffer);
}
