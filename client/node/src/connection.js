// The way to a daemon: calls that are tried again, and streams that go on where they broke.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

import { targetOf } from "./endpoint.js";
import { ConnectionFailed, errorOfCall } from "./errors.js";

const LONGEST_PAUSE = 5000;
const CHANNEL_OPTIONS = {
  "grpc.max_receive_message_length": 64 << 20,
  "grpc.enable_http_proxy": 0,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 5000,
  "grpc.use_local_subchannel_pool": 1,
  "grpc-node.flow_control_window": 8 << 20,
};
const definition = protoLoader.loadSync(
  ["jobs", "modules", "inputs", "admin", "tenants"].map((name) => `wasmburst/v1/${name}.proto`),
  {
    includeDirs: [fileURLToPath(new URL("../generated/proto", import.meta.url))],
    keepCase: true, longs: String, enums: String, defaults: true, oneofs: true,
  },
);

// A method by "Jobs.GetJob".
export function methodOf(name) {
  const [service, method] = name.split(".");
  return definition[`wasmburst.v1.${service}`][method];
}

function credentialsOf(endpoint) {
  if (!endpoint.address.startsWith("tls://")) return grpc.credentials.createInsecure();
  const read = (file) => (file ? readFileSync(file) : null);
  return grpc.credentials.createSsl(read(endpoint.ca), read(endpoint.key), read(endpoint.cert));
}

export class Connection {
  constructor(endpoint, patience = {}) {
    this.endpoint = endpoint;
    // Milliseconds of a call, repetitions included; attempts of a call, or of a stream that makes no progress.
    this.patience = { timeout: 60_000, attempts: 5, firstPause: 200, ...patience };
    const name = endpoint.serverName ? { "grpc.ssl_target_name_override": endpoint.serverName } : {};
    this.client = new grpc.Client(targetOf(endpoint.address), credentialsOf(endpoint), { ...CHANNEL_OPTIONS, ...name });
    this.closing = new AbortController();
  }

  close() {
    this.closing.abort();
    this.client.close();
  }

  metadata() {
    const metadata = new grpc.Metadata();
    if (this.endpoint.token) metadata.set("authorization", `Bearer ${this.endpoint.token}`);
    return metadata;
  }

  checkOpen() {
    if (this.closing.signal.aborted) throw new ConnectionFailed("CANCELLED", "The client is closed.");
  }

  pauseAfter(attempt) {
    return Math.min(this.patience.firstPause * 2 ** (attempt - 1), LONGEST_PAUSE);
  }

  // Milliseconds. Ends early when the connection is closed.
  async wait(pause) {
    await sleep(pause, undefined, { signal: this.closing.signal, ref: true }).catch(() => this.checkOpen());
  }

  // A call of one answer. `request` is a message, bytes, or a function that gives the messages of an upload.
  async call(name, request, timeout = this.patience.timeout) {
    const deadline = Date.now() + timeout;
    for (let attempt = 1; ; ++attempt) {
      this.checkOpen();
      try {
        return await this.#once(methodOf(name), request, deadline);
      } catch (error) {
        const pause = this.pauseAfter(attempt);
        const again = error.code === grpc.status.UNAVAILABLE && attempt < this.patience.attempts;
        if (!again || Date.now() + pause > deadline) throw errorOfCall(error, this.endpoint.address);
        await this.wait(pause);
      }
    }
  }

  #once(method, request, deadline) {
    return new Promise((resolve, reject) => {
      const done = (error, answer) => (error ? reject(error) : resolve(answer));
      const serialize = Buffer.isBuffer(request) ? (bytes) => bytes : method.requestSerialize;
      const how = [method.path, serialize, method.responseDeserialize];
      if (typeof request !== "function") {
        this.client.makeUnaryRequest(...how, request, this.metadata(), { deadline }, done);
        return;
      }
      const call = this.client.makeClientStreamRequest(...how, this.metadata(), { deadline }, done);
      for (const message of request()) call.write(message);
      call.end();
    });
  }

  // A stream of messages that `deserialize` reads.
  openStream(name, request, deserialize) {
    const method = methodOf(name);
    const how = [method.path, method.requestSerialize, deserialize ?? method.responseDeserialize];
    return this.client.makeServerStreamRequest(...how, request, this.metadata());
  }

  openDuplex(name) {
    const method = methodOf(name);
    return this.client.makeBidiStreamRequest(
      method.path, method.requestSerialize, method.responseDeserialize, this.metadata(),
    );
  }

  // The messages of a stream, which is opened again after a break: `open` says from where on. A heartbeat
  // gives no attempts back, unless the stream has lasted a while.
  async *stream(open) {
    for (let attempt = 1; ; ++attempt) {
      this.checkOpen();
      const opened = Date.now();
      const call = open();
      call.on("error", () => {}); // what is cancelled below
      try {
        for await (const message of call) {
          if (!message.heartbeat || Date.now() - opened > LONGEST_PAUSE) attempt = 1;
          yield message;
        }
        return;
      } catch (error) {
        const again = error.code === grpc.status.UNAVAILABLE && attempt < this.patience.attempts;
        if (!again) throw errorOfCall(error, this.endpoint.address);
        await this.wait(this.pauseAfter(attempt));
      } finally {
        call.cancel();
      }
    }
  }
}
