import { useEffect, useMemo, useState } from "preact/hooks";
import { call } from "../api";
import { ago, bytes, lasting, num, percent, seconds, short, shortJob, shortModule, whole, words } from "../format";
import { problems, textOf, usePoll } from "../hooks";
import { Fact, Panel, Table } from "../parts";
import type { CacheList, Job, Module as ModuleMessage, ModuleExport, Profile } from "../types";

export const signature = (one: ModuleExport) =>
  one.kind === "function" ? `(${(one.params ?? []).map((t) => t.toLowerCase()).join(", ")}) → ${(one.results ?? []).map((t) => t.toLowerCase()).join(", ") || "nothing"}` : (one.type ?? "");

export function Modules() {
  const list = usePoll<{ modules?: ModuleMessage[] }>("Modules/ListModules", { pageSize: 200 }, 2000);
  const modules = list?.modules ?? [];
  return (
    <Panel title="Modules">
      {list && modules.length === 0 && <p class="quiet">There are none. <a href="#/submit">Bring one</a>.</p>}
      {modules.length > 0 && (
        <Table name="Modules" head={["module", "bytes", "functions", "exported functions", "imports", "memory", "stored"]}>
          {modules.map((one) => (
            <tr key={one.name}>
              <td><a class="row" href={`#/${one.name}`}><code>{shortModule(one.name)}</code></a></td><td class="right">{bytes(one.sizeBytes)}</td>
              <td class="right">{whole(one.functions)}</td>
              <td>{(one.exports ?? []).filter((e) => e.kind === "function").slice(0, 6).map((e) => e.name).join(", ")}</td>
              <td class="right">{one.imports?.length ?? 0}</td><td class="right">{whole(one.memoryMinPages)} pages</td><td class="right">{ago(one.createTime)}</td>
            </tr>
          ))}
        </Table>)}
    </Panel>
  );
}

interface Node { name: string; fuel: number; own: number; calls: number; below: Node[] }

function treeOf(profile: Profile): Node {
  const nodes: Node[] = (profile.nodes ?? []).map((node, i) => {
    const frame = profile.frames?.[node.frame ?? 0];
    const name = i === 0 ? "the sample" : frame?.manyCallers ? "many callers"
      : `${frame?.function === 4294967295 ? "instantiation" : frame?.functionName || `function ${frame?.function ?? 0}`}${frame?.loop ? `, loop at ${frame.loop}` : ""}`;
    return { name, own: num(node.fuel), fuel: num(node.fuel), calls: num(node.calls), below: [] };
  });
  for (let i = nodes.length - 1; i > 0; --i) {
    const parent = nodes[profile.nodes![i].parent ?? 0];
    parent.fuel += nodes[i].fuel;
    parent.below.push(nodes[i]);
  }
  return nodes[0] ?? { name: "", own: 0, fuel: 0, calls: 0, below: [] };
}

function Flame({ node, all, depth, focus }: { node: Node; all: number; depth: number; focus: (node: Node) => void }) {
  if (depth > 40 || node.fuel / all < 0.002) return null;
  return (
    <div class="flame" style={{ width: `${(100 * node.fuel) / all}%` }}>
      <button class={`tint${depth % 5}`} title={`${node.name}: ${whole(node.fuel)} instructions, ${percent(node.own, node.fuel)} its own`} onClick={() => focus(node)}>
        {node.name} <small>{short(node.fuel)}</small>
      </button>
      <div>{[...node.below].sort((a, b) => b.fuel - a.fuel).map((child, i) => <Flame key={i} node={child} all={node.fuel} depth={depth + 1} focus={focus} />)}</div>
    </div>
  );
}

function Fuel({ job }: { job: string }) {
  const [profile, setProfile] = useState<Profile | null>(null);
  const [loops, setLoops] = useState(false);
  const [busy, setBusy] = useState(true);
  const [focus, setFocus] = useState<Node | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    setBusy(true);
    setFocus(null);
    call<Profile>("Profiles/GetProfile", { job, loops }, stop.signal)
      .then((made) => setProfile(made), (error) => { if (!stop.signal.aborted) problems.say(textOf(error)); })
      .finally(() => { if (!stop.signal.aborted) setBusy(false); });
    return () => stop.abort();
  }, [job, loops]);
  const tree = useMemo(() => (profile ? treeOf(profile) : null), [profile]);
  const frames = useMemo(() => {
    const sums = new Map<string, { own: number; calls: number }>();
    const visit = (node: Node) => {
      const sum = sums.get(node.name) ?? { own: 0, calls: 0 };
      sums.set(node.name, { own: sum.own + node.own, calls: sum.calls + node.calls });
      node.below.forEach(visit);
    };
    tree?.below.forEach(visit);
    return [...sums].sort((a, b) => b[1].own - a[1].own).slice(0, 25);
  }, [tree]);
  const top = focus ?? tree;
  return (
    <Panel title="Fuel by function" aside={<label class="inline"><input type="checkbox" checked={loops} onChange={(e) => setLoops(e.currentTarget.checked)} /> loops by themselves</label>}>
      {busy && <p class="quiet">A sample runs again on an interpreter that counts…</p>}
      {top && top.fuel > 0 && (
        <>
          {focus && <p><button onClick={() => setFocus(null)}>Back to the whole sample</button></p>}
          <div class="flames" role="group" aria-label="Fuel flame graph">{<Flame node={top} all={top.fuel} depth={0} focus={setFocus} />}</div>
          <p class="quiet">{whole(profile!.sample?.length)} instances of <a href={`#/${job}`}>{shortJob(job)}</a>, {short(profile!.fuel)} of {short(profile!.jobFuel)} instructions, made in {lasting(seconds(profile!.makeTime))}. {profile!.note}</p>
          <Table name="Frames" head={["frame", "its own fuel", "share", "calls"]}>
            {frames.map(([name, sum]) => <tr key={name}><td>{name}</td><td class="right">{short(sum.own)}</td><td class="right">{percent(sum.own, tree!.fuel)}</td><td class="right">{short(sum.calls)}</td></tr>)}
          </Table>
        </>)}
    </Panel>
  );
}

const FORMS: [string, object][] = [
  ["CPU", { emit: "MSL", layout: "CONTIGUOUS", floats: "NATIVE" }], ["NVIDIA GPU", { emit: "MSL", layout: "INTERLEAVED", floats: "NATIVE" }],
  ["Mac GPU", { emit: "MSL", layout: "INTERLEAVED", floats: "METAL" }], ["intermediate form", { emit: "IR" }],
];
const MOST_TEXT = 200_000;

function Text({ name }: { name: string }) {
  const [form, setForm] = useState(-1);
  const [text, setText] = useState("");
  const show = async (index: number) => {
    setForm(index);
    setText("Compiling…");
    try {
      const made = await call<{ text?: string; compileTime?: string }>("Modules/CompileModule", { name, ...FORMS[index][1] });
      const whole = made.text ?? "";
      setText(whole.length > MOST_TEXT ? `${whole.slice(0, MOST_TEXT)}\n… ${whole.length - MOST_TEXT} more characters` : whole);
    } catch (error) {
      setText(textOf(error));
    }
  };
  return (
    <Panel title="Kernel text" aside={<div class="choice" role="group" aria-label="For which device">
      {FORMS.map(([words_], i) => <button key={words_} aria-pressed={form === i} onClick={() => show(i)}>{words_}</button>)}</div>}>
      {form >= 0 ? <pre class="text" tabIndex={0}>{text}</pre> : <p class="quiet">Choose for which device.</p>}
    </Panel>
  );
}

function Pipelines({ name, jobs, mayList }: { name: string; jobs: Job[]; mayList: boolean }) {
  const cache = usePoll<CacheList>("Admin/ListCache", {}, 5000, mayList);
  const entries = (cache?.entries ?? []).filter((entry) => entry.module === name);
  return (
    <Panel title="Pipelines and tiers">
      {entries.length > 0 && (
        <Table name="Pipelines" head={["for", "bytes", "used"]}>
          {entries.map((entry) => <tr key={entry.key}><td>{entry.target}</td><td class="right">{bytes(entry.bytes)}</td><td class="right">{ago(entry.lastUsed)}</td></tr>)}
        </Table>)}
      {entries.length === 0 && <p class="quiet">{mayList ? "None is in the cache." : "An operator sees the cache."}</p>}
      {jobs.length > 0 && (
        <Table name="Jobs of this module" head={["job", "tier", "builds", "device", "fuel by function"]}>
          {jobs.slice(0, 10).map((job) => (
            <tr key={job.name}>
              <td><a class="row" href={`#/${job.name}`}>{shortJob(job.name)}</a></td><td title={job.tierReason}>{words(job.tier) || "has not run"}</td>
              <td>{job.usage?.pipelineCached ? "from the cache" : [seconds(job.usage?.quickCompileTime) > 0 && `quick ${lasting(seconds(job.usage!.quickCompileTime))}`, seconds(job.usage?.fullCompileTime) > 0 && `full ${lasting(seconds(job.usage!.fullCompileTime))}`].filter(Boolean).join(", ") || "none"}</td>
              <td>{job.device}</td><td><a href={`#/${name}?${job.name}`}>show</a></td>
            </tr>
          ))}
        </Table>)}
    </Panel>
  );
}

export function Module({ name, job, mayList, maySubmit }: { name: string; job: string; mayList: boolean; maySubmit: boolean }) {
  const module = usePoll<ModuleMessage>("Modules/GetModule", { name }, 0);
  const list = usePoll<{ jobs?: Job[] }>("Jobs/ListJobs", { pageSize: 200 }, 5000);
  const jobs = (list?.jobs ?? []).filter((one) => one.module === name);
  if (!module) return <p class="quiet">Asking…</p>;
  const exports = module.exports ?? [];
  return (
    <>
      <Panel title={`Module ${shortModule(name)}`} aside={maySubmit && <a class="button" href={`#/submit?${name}`}>Run it</a>}>
        <p class="quiet name">{name}</p>
        <dl class="facts">
          <Fact name="bytes">{bytes(module.sizeBytes)}</Fact><Fact name="functions">{whole(module.functions)}</Fact>
          <Fact name="memory">{whole(module.memoryMinPages)}{num(module.memoryMaxPages) ? ` to ${whole(module.memoryMaxPages)}` : ""} pages</Fact>
          <Fact name="start function">{module.hasStartFunction ? "yes" : "no"}</Fact><Fact name="stored">{ago(module.createTime)}</Fact>
        </dl>
        <div class="columns">
          <Table name="Exports" head={["export", "kind", "type"]}>
            {exports.map((one) => <tr key={one.name}><td>{one.name}</td><td>{one.kind}</td><td><code>{signature(one)}</code></td></tr>)}
          </Table>
          {(module.imports ?? []).length > 0 && (
            <Table name="Imports" head={["import", "kind", "type"]}>
              {module.imports!.map((one, i) => <tr key={i}><td>{one.module}.{one.name}</td><td>{one.kind}</td><td><code>{one.type}</code></td></tr>)}
            </Table>)}
        </div>
      </Panel>
      {job && maySubmit && <Fuel job={job} />}
      <Pipelines name={name} jobs={jobs} mayList={mayList} />
      {maySubmit && <Text name={name} />}
    </>
  );
}
