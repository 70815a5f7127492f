// Jobs that call one function for each row.

import { InstanceFailed } from "./errors.js";
import { Job } from "./jobs.js";
import { failuresOf, resultsOf } from "./results.js";
import { ARRAY_OF_TYPE } from "./values.js";

// Iterate over it for the values in the order of the inputs: a number or bigint, or an array of several. An
// instance that brought none throws InstanceFailed in its place, unless `failed` was given.
export class MapJob extends Job {
  #types;
  #failed;

  constructor(connection, job, types, options) {
    super(connection, job, options);
    this.#types = types;
    this.#failed = options.failed;
  }

  #arrays() {
    return this.#types.map((type) => new ARRAY_OF_TYPE[type](this.instances));
  }

  #put(chunk, arrays) {
    chunk.put(this.#types, arrays);
    if (this.#failed === undefined) return;
    for (const { instance } of failuresOf(chunk)) {
      for (const array of arrays) array[instance] = this.#failed;
    }
  }

  // All values by the inputs' order: an array of the result's type, or one for each of several results.
  async result() {
    const arrays = this.#arrays();
    for await (const chunk of this.chunks()) {
      if (this.#failed === undefined) {
        for (const one of failuresOf(chunk)) throw new InstanceFailed(one);
      }
      this.#put(chunk, arrays);
    }
    return arrays.length === 1 ? arrays[0] : arrays;
  }

  // [instance, value] as they come. A failed instance is left out, unless `failed` was given.
  async *asCompleted() {
    for await (const chunk of this.chunks()) {
      for (const one of resultsOf(chunk)) {
        if (one.returned) yield [one.instance, one.values.length === 1 ? one.values[0] : one.values];
        else if (this.#failed !== undefined) yield [one.instance, this.#failed];
      }
    }
  }

  // Results of instances without a value, as they come.
  async *failures() {
    for await (const chunk of this.chunks()) yield* failuresOf(chunk);
  }

  // Instances without a value that iteration stops at.
  *#stops(chunk) {
    if (this.#failed === undefined) yield* failuresOf(chunk);
  }

  async *[Symbol.asyncIterator]() {
    const arrays = this.#arrays();
    const here = new Uint8Array(this.instances);
    const failures = new Map();
    let at = 0; // the next to be given
    for await (const chunk of this.chunks()) {
      this.#put(chunk, arrays);
      for (const [first, count] of chunk.ranges) here.fill(1, first, first + count);
      for (const one of this.#stops(chunk)) failures.set(one.instance, one);
      for (; at < this.instances && here[at]; ++at) {
        if (failures.has(at)) throw new InstanceFailed(failures.get(at));
        yield arrays.length === 1 ? arrays[0][at] : arrays.map((array) => array[at]);
      }
    }
  }
}
