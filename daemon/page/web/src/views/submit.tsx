import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../api";
import { bytes, shortModule, whole } from "../format";
import { textOf, usePoll } from "../hooks";
import { Panel, Table } from "../parts";
import type { Job, Module } from "../types";
import { toValue } from "../values";
import { signature } from "./module";

const MOST_BYTES = 12 << 20; // of a message's 16 MiB as text

function base64(data: Uint8Array) {
  let text = "";
  for (let at = 0; at < data.length; at += 0x8000) text += String.fromCharCode(...data.subarray(at, at + 0x8000));
  return btoa(text);
}
const utf8 = (text: string) => base64(new TextEncoder().encode(text));

// "5": the same for all; "0..": instance i gets i, "7..,2" 7 + 2i; else as many values as there are instances.
function columnOf(text: string, type: string, instances: number) {
  const rule = /^\s*([^.,\s]+(?:\.\d+)?)\s*\.\.\s*(?:,\s*(\S+))?\s*$/.exec(text);
  if (rule) return { range: { start: toValue(rule[1], type), step: toValue(rule[2] ?? "1", type) } };
  const parts = text.split(/[\s,]+/).filter(Boolean);
  if (parts.length === 1) return { constant: toValue(parts[0], type) };
  if (parts.length !== instances) throw new Error(`There are ${parts.length} values for ${instances} instances.`);
  const values = parts.map((part) => toValue(part, type));
  const list = type === "I32" ? { bits32: values.map((v) => v.i32! >>> 0) } : type === "F32" ? { bits32: values.map((v) => v.f32Bits) }
    : type === "I64" ? { bits64: values.map((v) => BigInt.asUintN(64, BigInt(v.i64!)).toString()) } : { bits64: values.map((v) => v.f64Bits) };
  return { list: { type, ...list } };
}

const isProgram = (module: Module) => (module.exports ?? []).some((one) => one.name === "_start");

export function Submit({ chosen }: { chosen: string }) {
  const [module, setModule] = useState<Module | null>(null);
  const [entry, setEntry] = useState("");
  const [args, setArgs] = useState<string[]>([]);
  const [instances, setInstances] = useState("1000");
  const [placement, setPlacement] = useState("AUTO");
  const [fuel, setFuel] = useState("");
  const [words, setWords] = useState("");
  const [input, setInput] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const stored = usePoll<{ modules?: Module[] }>("Modules/ListModules", { pageSize: 50 }, 0)?.modules ?? [];

  const take = (one: Module) => {
    setModule(one);
    setProblem("");
    const first = (one.exports ?? []).find((e) => e.kind === "function" && e.name !== "_initialize");
    setEntry(first?.name ?? "");
    setArgs((first?.params ?? []).map(() => "0.."));
  };
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem("");
    try {
      await work();
    } catch (error) {
      setProblem(textOf(error));
    }
    setBusy(false);
  };
  const bring = (one: File | undefined) => one && attempt(async () => {
    if (one.size > MOST_BYTES) throw new Error(`The module has ${bytes(one.size)}; the page takes ${bytes(MOST_BYTES)}. \`wasmburstctl module push\` takes more.`);
    take(await call<Module>("Modules/CreateModule", { wasm: base64(new Uint8Array(await one.arrayBuffer())) }));
  });
  useEffect(() => {
    if (chosen) void attempt(async () => take(await call<Module>("Modules/GetModule", { name: chosen })));
  }, [chosen]);

  const functions = (module?.exports ?? []).filter((one) => one.kind === "function");
  const called = functions.find((one) => one.name === entry);
  const submit = (event: Event) => {
    event.preventDefault();
    void attempt(async () => {
      const count = Number(instances);
      if (!Number.isSafeInteger(count) || count < 1) throw new Error(`[${instances}] is no number of instances.`);
      const job: Record<string, unknown> = { module: module!.name, instances: String(count), placement };
      if (fuel) job.limits = { maxFuel: fuel };
      if (entry === "_start" && isProgram(module!)) {
        job.command = {
          args: ["program.wasm", ...words.split(/\s+/).filter(Boolean)].map((arg) => ({ constant: utf8(arg) })),
          ...(input ? { standardInput: { constant: utf8(input) } } : {}),
        };
      } else {
        const params = called?.params ?? [];
        job.columns = params.map((type, i) => columnOf(args[i] ?? "", type, count));
        job.steps = [{ call: { function: entry, args: params.map((_, i) => ({ column: i })) } }];
      }
      const made = await call<Job>("Jobs/CreateJob", { job, requestId: crypto.randomUUID() });
      location.hash = `#/${made.name}`;
    });
  };
  return (
    <Panel title="Submit a job">
      <div class={`drop${over ? " over" : ""}`} data-drop
        onDragOver={(e) => { e.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)}
        onDrop={(e) => { e.preventDefault(); setOver(false); void bring(e.dataTransfer?.files[0]); }}>
        <p>Drop a <code>.wasm</code> here, or</p>
        <div class="tools">
          <button type="button" onClick={() => file.current!.click()}>choose a file</button>
          <input ref={file} type="file" accept=".wasm" hidden aria-hidden="true" tabIndex={-1} onChange={(e) => bring(e.currentTarget.files?.[0])} />
          {stored.length > 0 && (
            <select aria-label="A stored module" value={module?.name ?? ""} onChange={(e) => { const one = stored.find((m) => m.name === e.currentTarget.value); if (one) take(one); }}>
              <option value="">a stored module…</option>
              {stored.map((one) => <option key={one.name} value={one.name}>{shortModule(one.name)}, {bytes(one.sizeBytes)}</option>)}
            </select>)}
        </div>
      </div>
      {problem && <p class="trouble" role="alert">{problem}</p>}
      {module && (
        <form onSubmit={submit}>
          <p class="quiet name">{module.name}, {bytes(module.sizeBytes)}, {whole(module.functions)} functions</p>
          <Table name="Exports" head={["export", "kind", "type"]}>
            {(module.exports ?? []).map((one) => <tr key={one.name}><td>{one.name}</td><td>{one.kind}</td><td><code>{signature(one)}</code></td></tr>)}
          </Table>
          <div class="fields">
            <label>call<select value={entry} onChange={(e) => { setEntry(e.currentTarget.value); setArgs((functions.find((f) => f.name === e.currentTarget.value)?.params ?? []).map(() => "0..")); }}>
              {functions.map((one) => <option key={one.name}>{one.name}</option>)}</select></label>
            <label>instances<input inputMode="numeric" value={instances} onInput={(e) => setInstances(e.currentTarget.value)} /></label>
            <label>runs on<select value={placement} onChange={(e) => setPlacement(e.currentTarget.value)}>
              {[["AUTO", "what is best"], ["CPU", "CPU"], ["GPU", "GPU"], ["INTERPRETER", "interpreter"]].map(([value, name]) => <option key={value} value={value}>{name}</option>)}</select></label>
            <label>fuel limit<input inputMode="numeric" placeholder="the daemon's" value={fuel} onInput={(e) => setFuel(e.currentTarget.value)} /></label>
            {entry === "_start" ? (
              <>
                <label>arguments<input value={words} onInput={(e) => setWords(e.currentTarget.value)} /></label>
                <label>standard input<textarea rows={2} value={input} onInput={(e) => setInput(e.currentTarget.value)} /></label>
              </>
            ) : (called?.params ?? []).map((type, i) => (
              <label key={`${entry} ${i}`}>argument {i + 1}, {type.toLowerCase()}
                <input value={args[i] ?? ""} onInput={(e) => { const changed = [...args]; changed[i] = e.currentTarget.value; setArgs(changed); }} /></label>
            ))}
          </div>
          {(called?.params ?? []).length > 0 && entry !== "_start" && <p class="quiet"><code>0..</code> gives instance i the number i, <code>7..,2</code> 7 + 2i; <code>5</code> is the same for all; a list has a value for each.</p>}
          <button class="main" disabled={busy || !entry}>{busy ? "Working…" : "Submit"}</button>
        </form>
      )}
    </Panel>
  );
}
