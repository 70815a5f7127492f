// WebAssembly's values and types, and JavaScript's numbers. An i64 is a bigint.

import { invalid } from "./errors.js";

export const ARRAY_OF_TYPE = { I32: Int32Array, I64: BigInt64Array, F32: Float32Array, F64: Float64Array };
export const FIELD_OF_TYPE = { I32: "i32", I64: "i64", F32: "f32_bits", F64: "f64_bits" };
export const WORDS_OF_FIELD = { i32: 1, f32_bits: 1, i64: 2, f64_bits: 2, v128: 4 };
const TYPE_NAMED = { i32: "I32", i64: "I64", f32: "F32", f64: "F64" };
export const TYPE_NUMBER = { I32: 1, I64: 2, F32: 3, F64: 4 };

const scratch = new DataView(new ArrayBuffer(8));

function wrapped(number, bits, what) {
  let whole;
  try {
    whole = BigInt(number);
  } catch {
    throw invalid(`The ${what} [${number}] is no integer.`);
  }
  if (whole < -(1n << BigInt(bits - 1)) || whole >= 1n << BigInt(bits)) {
    throw invalid(`The ${what} [${number}] does not fit into an i${bits}.`);
  }
  return BigInt.asIntN(bits, whole);
}

// A Value message of that type. Integers may be signed or unsigned.
export function toValue(number, type, what = "value") {
  switch (type) {
    case "I32": return { i32: Number(wrapped(number, 32, what)) };
    case "I64": return { i64: wrapped(number, 64, what).toString() };
    case "F32":
      scratch.setFloat32(0, Number(number));
      return { f32_bits: scratch.getUint32(0) };
    case "F64":
      scratch.setFloat64(0, Number(number));
      return { f64_bits: scratch.getBigUint64(0).toString() };
    default: throw invalid(`The ${what} is of the type ${type}, which is not written here.`);
  }
}

// A number, a bigint of an i64, the 16 bytes of a v128.
export function fromValue(value) {
  switch (value.kind) {
    case "i32": return value.i32;
    case "i64": return BigInt(value.i64);
    case "f32_bits":
      scratch.setUint32(0, value.f32_bits);
      return scratch.getFloat32(0);
    case "f64_bits":
      scratch.setBigUint64(0, BigInt(value.f64_bits));
      return scratch.getFloat64(0);
    default: return value.v128;
  }
}

// The same from words of 32 bits, the low one first.
export function fromWords(field, words, at) {
  switch (field) {
    case "i32": return words[at] | 0;
    case "f32_bits":
      scratch.setUint32(0, words[at]);
      return scratch.getFloat32(0);
    case "v128": return Buffer.from(words.slice(at, at + 4).buffer);
    default:
      scratch.setUint32(0, words[at + 1]);
      scratch.setUint32(4, words[at]);
      return field === "i64" ? scratch.getBigInt64(0) : scratch.getFloat64(0);
  }
}

// Of "(i32, i64) -> i32" (ModuleImport.type); null: of a type that no value can be written of.
export function typesOfResults(functionType) {
  const names = functionType.slice(functionType.lastIndexOf(" -> ") + 4).match(/[a-z0-9]+/g) ?? [];
  return names.every((name) => name in TYPE_NAMED) ? names.map((name) => TYPE_NAMED[name]) : null;
}
