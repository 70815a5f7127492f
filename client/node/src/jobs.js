// Jobs that were begun. Their results are read from the beginning, and kept while the job is.

import { JobFailed, WasmburstError, readErrorInfo } from "./errors.js";
import { readMessage } from "./chunks.js";
import { resultsOf } from "./results.js";

const MOST_OWED = 1 << 20; // bytes that the daemon holds for a reader before it is told that they came

// The daemon takes a stream that was read to its end for acknowledged.
function endAcknowledges(message, owed) {
  const { counts } = message;
  return Boolean(message.job || (counts && counts.finished === counts.instances && owed < MOST_OWED));
}

// Why an ended job has not all its results; null: it has.
function errorOfJob(job) {
  if (job.state === "SUCCEEDED") return null;
  if (job.state === "CANCELLED") return new JobFailed("CANCELLED", `The job [${job.name}] was cancelled.`);
  return new JobFailed(reasonOf(job.error), `The job [${job.name}] failed: ${job.error?.message}`);
}

function reasonOf(status) {
  for (const { type_url: type, value } of status?.details ?? []) {
    if (type.endsWith(".ErrorInfo")) return readErrorInfo(value).reason;
  }
  return "INTERNAL";
}

export class Job {
  #chunks = [];
  #wakes = [];
  #ended = false;
  #error = null;
  #cursor = "";
  #owed = 0;
  #state;
  #onProgress;

  constructor(connection, job, { onProgress, signal } = {}) {
    this.connection = connection;
    this.name = job.name;
    this.instances = Number(job.instances);
    this.progress = { job: job.name, state: job.state, instances: this.instances, finished: 0, failed: 0 };
    this.#state = job;
    this.#onProgress = onProgress;
    // Ends with the Job message, or with why there are not all results. Nobody needs to wait for it.
    this.ended = this.#read();
    this.ended.catch(() => {});
    signal?.addEventListener("abort", () => this.cancel().catch(() => {}), { once: true });
    if (signal?.aborted) this.cancel().catch(() => {});
  }

  async #read() {
    try {
      for await (const message of this.connection.stream(() => this.#open())) this.#take(message);
      if (!["SUCCEEDED", "FAILED", "CANCELLED"].includes(this.#state.state)) {
        throw new WasmburstError("INTERNAL", "The results ended, but their job did not.");
      }
      this.#error = this.whyCancelled ?? errorOfJob(this.#state);
    } catch (error) {
      this.#error = error;
    }
    this.#ended = true;
    this.#wake();
    if (this.#error) throw this.#error;
    return this.#state;
  }

  #open() {
    const request = { name: this.name, cursor: this.#cursor, follow: true, columns: true };
    return this.connection.openStream("Jobs.ReadResults", request, readMessage);
  }

  #take(message) {
    this.#chunks.push(...message.chunks);
    this.#cursor = message.cursor;
    if (message.job) this.#state = message.job;
    if (message.counts) this.#tell(message.counts, message.job?.state ?? "RUNNING");
    this.#wake();
    if (message.chunks.length === 0) return;
    this.#owed += message.size;
    if (endAcknowledges(message, this.#owed)) return;
    this.#owed = 0;
    // A job whose results fill their limit waits for this. The next one says more, if it fails.
    this.connection.call("Jobs.AcknowledgeResults", { name: this.name, cursor: this.#cursor }, 5000).catch(() => {});
  }

  #tell(counts, state) {
    const finished = Number(counts.finished);
    const failed = finished - Number(counts.returned) - Number(counts.exited);
    this.progress = { job: this.name, state, instances: this.instances, finished, failed };
    this.#onProgress?.(this.progress);
  }

  #wake() {
    for (const wake of this.#wakes.splice(0)) wake();
  }

  // Chunks as they come, those to come too. Throws why the job ended without all of them.
  async *chunks() {
    for (let index = 0; ; ++index) {
      while (index >= this.#chunks.length && !this.#ended) await new Promise((wake) => this.#wakes.push(wake));
      if (index < this.#chunks.length) yield this.#chunks[index];
      else if (this.#error) throw this.#error;
      else return;
    }
  }

  // Each instance's Result as it comes, failed ones too.
  async *results() {
    for await (const chunk of this.chunks()) yield* resultsOf(chunk);
  }

  // All results, by the instances' order.
  async result() {
    const all = [];
    for await (const one of this.results()) all.push(one);
    return all.sort((one, other) => one.instance - other.instance);
  }

  [Symbol.asyncIterator]() {
    return this.results();
  }

  get done() {
    return this.#ended;
  }

  // Asks the daemon to end the job. False: it has ended already. Results that came stay.
  async cancel() {
    if (this.#ended) return false;
    const job = await this.connection.call("Jobs.CancelJob", { name: this.name });
    return job.state === "CANCELLING" || job.state === "CANCELLED";
  }

  // Cancels the job for a reason that it then ends with: nobody answers its calls any more.
  async giveUp(error) {
    this.whyCancelled = error;
    await this.cancel();
  }

  // The Job message (jobs.proto), as the daemon says now.
  get() {
    return this.connection.call("Jobs.GetJob", { name: this.name });
  }

  // Has the daemon forget the ended job and its results.
  async delete() {
    await this.connection.call("Jobs.DeleteJob", { name: this.name });
  }
}
