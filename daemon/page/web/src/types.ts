// What the page reads of messages (proto/wasmburst/v1). JSON leaves out what is 0, false or empty, and
// 64-bit integers are texts.

export type Count = string | undefined;

export interface Telemetry {
  celsius?: number; watts?: number; wattsLimit?: number; throttled?: boolean; utilisation?: number;
  memoryUsed?: string; memoryTotal?: string; thermalState?: string;
}
export interface Launch {
  age?: string; longest?: string; lanes?: Count; instances?: Count; build?: string; jobCount?: Count; jobs?: string[];
}
export interface Device {
  name: string; engine: string; model: string; target: string; threads?: number; memoryBytes?: Count;
  healthy?: boolean; state: string; bursts?: Count; instances?: Count; fuel?: Count; restarts?: Count; busy?: string;
  policy?: string; rest?: string; telemetry?: Telemetry; sensors?: string; gate?: string; trouble?: string;
  jobCount?: Count; jobs?: { job: string; running?: Count; waitingFor?: string }[]; joules?: number;
  launchesInFlight?: Launch[];
}
export interface Burst {
  device: string; number: string; startTime: string; duration?: string; busy?: string; launches?: Count;
  instances?: Count; fuel?: Count; restBefore?: string; restBeforeCause?: string; restAfter?: string;
  restAfterCause?: string; end: string; lanesResident?: number; lanesUseful?: number; celsius?: number; watts?: number;
}
export type Counts = Record<string, Count>;
export interface Job {
  name: string; module: string; state: string; instances?: Count; placement?: string; device?: string;
  placementReason?: string; labels?: Record<string, string>; counts?: Counts; waitingFor?: string;
  waits?: { cause: string; message: string; until?: string }[]; tier?: string; tierReason?: string;
  usage?: { fuel?: Count; bursts?: Count; deviceTime?: string; compileTime?: string; pipelineCached?: boolean;
    quickCompileTime?: string; fullCompileTime?: string; joules?: number };
  forecast?: { instructionsPerSecond?: number; earliestEnd?: string; latestEnd?: string };
  createTime?: string; startTime?: string; endTime?: string; history?: { state: string; time: string }[];
  error?: { code: number; message: string }; limitReached?: string; resultsDropped?: Count; session?: string;
  steps?: { call?: { function: string } }[]; limits?: Record<string, string>;
}
export interface ModuleExport { name: string; kind: string; params?: string[]; results?: string[]; type?: string }
export interface Module {
  name: string; sizeBytes?: Count; imports?: { module: string; name: string; kind: string; type: string }[];
  exports?: ModuleExport[]; memoryMinPages?: Count; memoryMaxPages?: Count; hasStartFunction?: boolean;
  functions?: number; createTime?: string;
}
export type Value = { i32?: number; i64?: string; f32Bits?: number; f64Bits?: string; v128?: string };
export interface Trap {
  code: string; message: string; function?: number; functionName?: string; offset?: number; file?: string; line?: number;
}
export interface InstanceResult {
  instance?: Count; end: string; trap?: Trap; fuel?: Count; device?: string; build?: string; exitCode?: number;
  steps?: { values?: Value[]; trap?: Trap }[];
  backtrace?: { functionName?: string; function?: number; offset?: number; file?: string; line?: number }[];
}
export interface ResultColumns {
  instances?: { first?: Count; count: Count }[]; fuel?: string[]; shapes?: InstanceResult[];
  runs?: { shape?: number; rows: number }[]; words?: number[];
  extras?: { row?: number; output?: { name: string; data?: string } }[];
}
export interface ReadResults { columns?: ResultColumns[]; job?: Job; counts?: Counts; heartbeat?: boolean }
export interface Profile {
  fuel?: Count; jobFuel?: Count; sample?: { instance?: Count; fuel?: Count; cut?: string }[]; note?: string;
  frames?: { module?: string; function?: number; functionName?: string; loop?: number; manyCallers?: boolean }[];
  nodes?: { parent?: number; frame?: number; calls?: Count; fuel?: Count }[]; makeTime?: string;
}
export interface Caller { name: string; tenant?: string; role?: string }
export interface Tenant {
  name?: string; weight?: Count; jobs?: Count; maxJobs?: Count; runningJobs?: Count; maxRunningJobs?: Count;
  maxMemoryBytes?: Count; endedJobs?: Count; fuel?: Count;
}
export interface CacheList {
  entries?: { key: string; module?: string; target?: string; bytes?: Count; lastUsed?: string }[]; bytes?: Count;
  maxBytes?: Count; hits?: Count; misses?: Count; corrupt?: Count; evictions?: Count; foreign?: Count;
}
export interface ServerInfo {
  version: string; startTime?: string; currentTime?: string; draining?: boolean; jobs?: Count; modules?: Count;
  alarms?: { name: string; reason: string; advice?: string }[];
}
