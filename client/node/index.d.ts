// WasmBurst from Node.

/** A path, a file's URL, or the bytes of a WebAssembly binary. */
export type Source = string | URL | Uint8Array;
/** A number for all rows, or numbers, one for each. */
export type Argument =
  | number | bigint | Range | Iterable<number | bigint>
  | Int32Array | Uint32Array | BigInt64Array | BigUint64Array | Float32Array | Float64Array;
/** A text, bytes, or a file by its URL. */
export type Content = string | Uint8Array | URL;
/** The same for all instances, or one for each. */
export type Each = Content | Iterable<Content>;
/** A number; of an i64 a bigint; of a v128 its bytes. */
export type Value = number | bigint | Uint8Array;
export type ValueArray = Int32Array | BigInt64Array | Float32Array | Float64Array;

/** start, start + step... up to `end`, which is left out. It is sent as a rule. */
export class Range {
  constructor(start: number, end: number, step?: number);
  readonly start: number;
  readonly step: number;
  readonly length: number;
  at(index: number): number;
}
export function range(start: number, end: number, step?: number): Range;

export class WasmburstError extends Error {
  constructor(reason: string, message: string, details?: Record<string, string>, retryAfter?: number | null);
  /** Stable, for programs: "ENTRY_POINT_NOT_FOUND". */
  readonly reason: string;
  /** What to do about it, a sentence. */
  readonly advice: string;
  readonly details: Record<string, string>;
  /** Seconds; null: it does not pass by itself. */
  readonly retryAfter: number | null;
  readonly mayRetry: boolean;
}
export class ConnectionFailed extends WasmburstError {}
export class JobFailed extends WasmburstError {}
export class InstanceFailed extends Error {
  constructor(result: Result);
  readonly result: Result;
}

export interface Trap {
  code: string;
  message: string;
  function: string;
  offset: number;
  file: string;
  line: number;
  hostError: string;
}
/** One instance. How it ended is no error of the job. */
export class Result {
  private constructor();
  readonly instance: number;
  readonly end: string;
  readonly values: Value[];
  readonly outputs: Record<string, Buffer>;
  readonly fuel: bigint;
  readonly exitCode: number;
  readonly trap: Trap | null;
  readonly memoryPages: number;
  readonly attempt: number;
  readonly device: string;
  readonly returned: boolean;
  describe(): string;
}
export class ProgramResult {
  constructor(result: Result);
  readonly instance: number;
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly files: Record<string, Buffer>;
  readonly trap: Trap | null;
  readonly result: Result;
  /** Standard output, as UTF-8. */
  readonly text: string;
}

export interface Progress {
  job: string;
  state: string;
  instances: number;
  finished: number;
  failed: number;
}

/** Iterate over it for results as they come. */
export class Job<Item = Result, Outcome = Result[]> {
  protected constructor();
  readonly name: string;
  readonly instances: number;
  readonly progress: Progress;
  readonly done: boolean;
  /** The Job message at its end (jobs.proto); rejects where there are not all results. */
  readonly ended: Promise<Record<string, unknown>>;
  [Symbol.asyncIterator](): AsyncIterator<Item>;
  results(): AsyncIterable<Result>;
  result(): Promise<Outcome>;
  /** False: it has ended already. Results that came stay. */
  cancel(): Promise<boolean>;
  get(): Promise<Record<string, unknown>>;
  delete(): Promise<void>;
}
/** Iterate over it for values in the order of the inputs; `result` gives an array, or one for each of several results. */
export class MapJob extends Job<Value | Value[], ValueArray | ValueArray[]> {
  asCompleted(): AsyncIterable<[number, Value | Value[]]>;
  failures(): AsyncIterable<Result>;
}
/** Iterate over it for what each instance left behind, in the order of the inputs. */
export class RunJob extends Job<ProgramResult, ProgramResult[]> {
  asCompleted(): AsyncIterable<ProgramResult>;
}

export class Module {
  private constructor();
  readonly name: string;
  readonly functions: Record<string, { params: string[]; results: string[] }>;
  readonly imports: Record<string, string>;
}

export interface HostCall {
  instance: number;
  number: number;
  args: Value[];
  /** Memory, as `reads` says, in its order. */
  data: Buffer[];
  write(pointer: number, data: string | Uint8Array): void;
}
/** What a function gives for an import: its results. */
export type Answer = void | number | bigint | (number | bigint)[];
export interface Read {
  pointer: number;
  length?: number;
  size?: number;
}
/** A function that is called with a HostCall. Arguments are counted from 0. */
export class HostFunction {
  constructor(call: (call: HostCall) => Answer | Promise<Answer>, options?: { reads?: Read[] });
}
export type Import = HostFunction | ((...args: any[]) => Answer | Promise<Answer>);

export interface JobOptions {
  onProgress?: (progress: Progress) => void;
  /** Cancels the job. */
  signal?: AbortSignal;
}
export interface CallOptions extends JobOptions {
  imports?: Record<string, Import>;
  /** Those of jobs.proto, such as max_fuel. */
  limits?: Record<string, unknown>;
  placement?: "auto" | "cpu" | "interpreter" | "gpu";
  labels?: Record<string, string>;
}
export interface MapOptions extends CallOptions {
  /** Stands in the place of values that instances did not bring; without it they throw. */
  failed?: number | bigint;
}
export interface RunOptions extends CallOptions {
  stdin?: Each;
  env?: Record<string, Each>;
  files?: Record<string, Each>;
  outputs?: string[];
  instances?: number;
  seed?: number | bigint;
}
export interface ClientOptions {
  address?: string;
  context?: string;
  token?: string;
  tokenFile?: string;
  ca?: string;
  cert?: string;
  key?: string;
  serverName?: string;
  /** Milliseconds of a call, repetitions included; attempts; milliseconds of the first pause. */
  patience?: { timeout?: number; attempts?: number; firstPause?: number };
}

export class Client {
  constructor(options?: string | ClientOptions);
  readonly address: string;
  module(source: Source | Module): Promise<Module>;
  map(module: Source | Module, name: string, args: Argument[], options?: MapOptions): Promise<MapJob>;
  run(module: Source | Module, args?: Each[], options?: RunOptions): Promise<RunJob>;
  submit(job: Record<string, unknown>, module?: Source | Module, options?: JobOptions): Promise<Job>;
  attach(name: string, options?: JobOptions): Promise<Job>;
  serverInfo(): Promise<Record<string, unknown>>;
  whoami(): Promise<{ name: string; tenant: string; role: string }>;
  close(): void;
}
