// What instances are given: a number for all, a rule, or one value for each.

import { invalid } from "./errors.js";
import { ARRAY_OF_TYPE, TYPE_NUMBER, toValue } from "./values.js";
import { bytesField, varint } from "./wire.js";

// start, start + step... up to `end`, which is left out.
export class Range {
  constructor(start, end, step = 1) {
    if (![start, end, step].every(Number.isSafeInteger) || step === 0) {
      throw invalid(`A range is of integers, with a step besides 0, not [${start}, ${end}, ${step}].`);
    }
    this.start = start;
    this.step = step;
    this.length = Math.max(0, Math.ceil((end - start) / step));
  }
  at(index) {
    return this.start + index * this.step;
  }
}
export const range = (start, end, step) => new Range(start, end, step);

const isNumber = (argument) => typeof argument === "number" || typeof argument === "bigint";

// A form of the argument that has a length.
export const counted = (argument) =>
  isNumber(argument) || argument instanceof Range || ArrayBuffer.isView(argument) || Array.isArray(argument)
    ? argument
    : [...argument];

// How many instances it is for; null: for any number of them.
export const lengthOf = (argument) => (isNumber(argument) ? null : argument.length);

function toArray(values, type, what) {
  const ArrayType = ARRAY_OF_TYPE[type];
  if (!ArrayType) throw invalid(`The ${what} is of the type ${type}, which no column has.`);
  if (values instanceof ArrayType) return values;
  const array = new ArrayType(values.length);
  for (let i = 0; i < values.length; ++i) {
    const value = toValue(values[i], type, what); // throws where it does not fit
    array[i] = type === "I32" ? value.i32 : type === "I64" ? BigInt(value.i64) : Number(values[i]);
  }
  return array;
}

// What serialises to a Column message: an object, or parts of bytes.
export function numberColumn(argument, type, what) {
  if (isNumber(argument)) return { object: { constant: toValue(argument, type, what) } };
  if (argument instanceof Range && (type === "I32" || type === "I64")) {
    if (argument.length > 0) toValue(argument.at(argument.length - 1), type, what);
    return { object: { range: { start: toValue(argument.start, type, what), step: toValue(argument.step, type) } } };
  }
  const values = argument instanceof Range ? Array.from(argument, (_, i) => argument.at(i)) : argument;
  const array = toArray(values, type, what);
  const field = type.endsWith("32") ? 2 : 3; // ValueList.bits32 and bits64
  const data = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  const head = Buffer.concat([varint(8), varint(TYPE_NUMBER[type])]); // ValueList.type
  return { parts: bytesField(2, [head, ...bytesField(field, [data])]) }; // Column.list
}

export function bytesColumn(values) {
  return { parts: bytesField(4, values.flatMap((value) => bytesField(1, [value]))) }; // Column.bytes
}

