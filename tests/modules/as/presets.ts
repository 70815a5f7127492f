// AssemblyScript functions as a library exports them: texts, typed arrays and buffers in and out.
export function greet(name: string): string {
  return "Grüße, " + name + " 🦋";
}

// A half of a pair: no text.
export function half(name: string): string {
  return name.substring(0, 1);
}

export function doubled(values: Int32Array): Int32Array {
  const made = new Int32Array(values.length);
  for (let i = 0; i < values.length; ++i) made[i] = 2 * values[i];
  return made;
}

export function scaled(values: Float64Array, by: f64): Float64Array {
  const made = new Float64Array(values.length);
  for (let i = 0; i < values.length; ++i) made[i] = values[i] * by;
  return made;
}

// Its view begins behind the first byte of its buffer.
export function tail(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(1);
}

export function sum(a: Uint16Array, b: Uint16Array): i32 {
  return a.reduce<i32>((all, value) => all + value, 0) - b.reduce<i32>((all, value) => all + value, 0);
}

// Strings and arrays come and go, so that the collector runs while the argument is in use.
export function busy(values: Int32Array): Uint8Array {
  let text = "";
  for (let i = 0; i < 2000; ++i) {
    text = (i * values[i % values.length]).toString() + " " + text.substring(0, 40);
  }
  const made = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) made[i] = <u8>text.charCodeAt(i);
  return made;
}

export function reversed(values: StaticArray<i16>): StaticArray<i16> {
  const made = new StaticArray<i16>(values.length);
  for (let i = 0; i < values.length; ++i) made[values.length - 1 - i] = values[i];
  return made;
}

export function front(buffer: ArrayBuffer): ArrayBuffer {
  return buffer.slice(0, 3);
}

function quotient(values: Int32Array): i32 {
  return values[0] / values[1]; // line of the trap
}

export function divide(values: Int32Array): i32 {
  return quotient(values) + 1; // line of the call
}

// A new array, longer and longer.
export function turned(values: Array<i32>): Array<i32> {
  const made = new Array<i32>();
  for (let i = values.length - 1; i >= 0; --i) made.push(values[i]);
  return made;
}

// The argument gets another buffer while the collector runs.
export function grown(values: Array<f64>, by: f64): Array<f64> {
  let text = "";
  for (let i = 0; i < 500; ++i) {
    values.push(by * i);
    text = i.toString() + " " + text.substring(0, 400);
  }
  values.length = 200 + text.length % 7;
  return values;
}

// Of another class than its argument, and none at all.
export function squares(bytes: Array<u8>): Array<i64> | null {
  if (bytes.length == 0) return null;
  return bytes.map<i64>((value) => -<i64>value * value);
}

export function difference(a: Array<u16>, b: Array<u16>): i32 {
  return a.reduce<i32>((all, value) => all + value, 0) - b.reduce<i32>((all, value) => all + value, 0);
}
