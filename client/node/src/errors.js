// What goes wrong. Each error says why (`reason`), in words, and what to do about it (`advice`).

import { readFileSync } from "node:fs";
import { status as codes } from "@grpc/grpc-js";

import { fieldsOf, textOf, varintOf } from "./wire.js";

const ADVICE = JSON.parse(readFileSync(new URL("../generated/advice.json", import.meta.url), "utf8"));
const REASON_OF_CODE = {
  [codes.INVALID_ARGUMENT]: "INVALID_ARGUMENT",
  [codes.NOT_FOUND]: "NOT_FOUND",
  [codes.CANCELLED]: "CANCELLED",
  [codes.DEADLINE_EXCEEDED]: "DEADLINE_EXCEEDED",
  [codes.UNAVAILABLE]: "UNAVAILABLE",
  [codes.RESOURCE_EXHAUSTED]: "LIMIT_TOO_HIGH", // a message is too large
  [codes.UNAUTHENTICATED]: "UNAUTHENTICATED",
  [codes.PERMISSION_DENIED]: "PERMISSION_DENIED",
};

export class WasmburstError extends Error {
  constructor(reason, message, details = {}, retryAfter = null) {
    const advice = ADVICE[reason] ?? "";
    super(`${reason}: ${message} ${advice}`.trimEnd());
    this.name = new.target.name;
    this.reason = reason;
    this.advice = advice;
    this.details = details;
    this.retryAfter = retryAfter; // seconds; null: it does not pass by itself
  }

  get mayRetry() {
    return this.retryAfter !== null || ["UNAVAILABLE", "DRAINING", "QUEUE_FULL"].includes(this.reason);
  }
}
export class ConnectionFailed extends WasmburstError {}
export class JobFailed extends WasmburstError {}

// An instance brought no value: `result` says how it ended.
export class InstanceFailed extends Error {
  constructor(result) {
    super(result.describe());
    this.name = "InstanceFailed";
    this.result = result;
  }
}

export const invalid = (message, details = {}) => new WasmburstError("INVALID_ARGUMENT", message, details);

// ErrorInfo: reason, and its metadata, whose entries are messages of a key and a value.
export function readErrorInfo(data) {
  const info = { reason: "", details: {} };
  for (const [number, value] of fieldsOf(data)) {
    if (number === 1) info.reason = textOf(value);
    if (number === 3) {
      const entry = Object.fromEntries(fieldsOf(value));
      info.details[entry[1] ? textOf(entry[1]) : ""] = entry[2] ? textOf(entry[2]) : "";
    }
  }
  return info;
}

// RetryInfo: a Duration in its first field.
function readRetryAfter(data) {
  const delay = Object.fromEntries(fieldsOf(Object.fromEntries(fieldsOf(data))[1] ?? Buffer.alloc(0)));
  return (delay[1] ? varintOf(delay[1]) : 0) + (delay[2] ? varintOf(delay[2]) : 0) / 1e9;
}

// The details that a google.rpc.Status holds, in its third field: each a type and its bytes.
function readDetails(data) {
  const found = { reason: "", details: {}, retryAfter: null };
  for (const [number, value] of fieldsOf(data)) {
    if (number !== 3) continue;
    const detail = Object.fromEntries(fieldsOf(value));
    const type = textOf(detail[1]);
    if (type.endsWith(".ErrorInfo")) Object.assign(found, readErrorInfo(detail[2] ?? Buffer.alloc(0)));
    if (type.endsWith(".RetryInfo")) found.retryAfter = readRetryAfter(detail[2] ?? Buffer.alloc(0));
  }
  return found;
}

// With the reason and the details that the daemon attached; without them, by gRPC's code.
export function errorOfCall(error, address) {
  if (error instanceof WasmburstError || error?.code === undefined) return error;
  const [attached] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (attached) {
    const { reason, details, retryAfter } = readDetails(attached);
    if (reason) return new WasmburstError(reason, error.details, details, retryAfter);
  }
  const reason = REASON_OF_CODE[error.code] ?? "INTERNAL";
  if (reason === "UNAVAILABLE") {
    return new ConnectionFailed(reason, `The daemon at [${address}] cannot be reached (${error.details}).`);
  }
  if (reason === "DEADLINE_EXCEEDED") {
    return new ConnectionFailed(reason, `The daemon at [${address}] did not answer in time.`);
  }
  return new WasmburstError(reason, error.details || error.message);
}
