// Numbers and times as people read them.

export const num = (value: string | number | undefined) => Number(value ?? 0);

const PREFIXES = ["", " k", " M", " G", " T", " P", " E"];
export function short(value: string | number | undefined) {
  let n = num(value);
  if (Math.abs(n) < 10_000 && Number.isInteger(n)) return n.toLocaleString("en");
  let at = 0;
  for (; Math.abs(n) >= 999.5 && at < PREFIXES.length - 1; ++at) n /= 1000;
  return (Math.abs(n) < 10 ? n.toFixed(2) : Math.abs(n) < 100 ? n.toFixed(1) : n.toFixed(0)) + PREFIXES[at];
}
export const whole = (value: string | number | undefined) => num(value).toLocaleString("en");

export function bytes(value: string | number | undefined) {
  let n = num(value);
  let at = 0;
  for (; n >= 1024 && at < 4; ++at) n /= 1024;
  return `${at && n < 100 ? n.toFixed(1) : Math.round(n)} ${["B", "KiB", "MiB", "GiB", "TiB"][at]}`;
}

export const seconds = (duration: string | undefined) => (duration ? parseFloat(duration) : 0);
export function lasting(s: number) {
  if (s === 0) return "0 s";
  if (s < 0.001) return `${(s * 1e6).toFixed(0)} µs`;
  if (s < 1) return `${(s * 1000).toFixed(s < 0.01 ? 1 : 0)} ms`;
  if (s < 60) return `${s.toFixed(s < 10 ? 2 : 1)} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
}
export const unix = (time: string | undefined) => (time ? Date.parse(time) / 1000 : 0);
export const clock = (time: string | undefined) =>
  time ? new Date(time).toLocaleTimeString("en-GB", { hour12: false }) : "";
export function ago(time: string | undefined) {
  if (!time) return "";
  const s = Math.max(0, Date.now() / 1000 - unix(time));
  if (s < 60) return `${Math.floor(s)} s ago`;
  if (s < 3600) return `${Math.floor(s / 60)} min ago`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ago`;
  return `${Math.floor(s / 86400)} d ago`;
}
export const percent = (part: number, all: number) => (all > 0 ? `${((100 * part) / all).toFixed(1)} %` : "");
// "RUNNING" as "running".
export const words = (name: string | undefined) => (name ?? "").toLowerCase().replaceAll("_", " ");
// The end of a name, by which people tell it from others.
export const jobId = (name: string) => name.replace("jobs/", "");
export const shortJob = (name: string) => "…" + name.slice(-8);
export const shortModule = (name: string | undefined) => (name ?? "").replace("modules/sha256:", "").slice(0, 12);
