import { useMemo, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";
import { call, stream } from "../api";
import { Chart, columnOf, extent, HeatMap, histogram, type Shown } from "../charts";
import { bytes, clock, lasting, num, percent, seconds, short, shortModule, unix, whole, words } from "../format";
import { problems, textOf, usePoll, useRedraw, useStream } from "../hooks";
import { Bar, Ends, Fact, Panel, State, Table } from "../parts";
import type { Job as JobMessage, ReadResults } from "../types";
import { MOST_ROWS, Sample } from "../values";

const ENDED = ["SUCCEEDED", "FAILED", "CANCELLED"];
const MOST_POINTS = 600;

interface Rates { at: number[]; fuel: (number | null)[]; ended: (number | null)[] }

function Speed({ rates, job }: { rates: Rates; job: JobMessage }) {
  const data = useMemo<uPlot.AlignedData>(() => [[...rates.at], [...rates.fuel], [...rates.ended]], [rates.at.length, rates.at.at(-1)]);
  const took = unix(job.endTime) - unix(job.startTime);
  const overall = took > 0 && job.endTime ? `${short(num(job.usage?.fuel) / took)} instructions a second over ${lasting(took)}.` : "";
  if (rates.at.length < 2) return <p class="quiet">{overall || (job.state === "RUNNING" ? "It takes a few seconds to tell." : "It has not run yet.")}</p>;
  return (
    <>
      <Chart name="Instructions and ended instances a second" data={data} time
        lines={[{ label: "instructions/s", color: "accent", fill: true }, { label: "instances/s", color: "good", scale: "z" }]} />
      {overall && <p class="quiet">{overall}</p>}
    </>
  );
}

function Results({ job, sample, following }: { job: JobMessage; sample: Sample; following: boolean }) {
  const [shown, setShown] = useState<Shown>("ends");
  const [width, setWidth] = useState(0);
  const [open, setOpen] = useState(false);
  const column = columnOf(sample, shown);
  const bars = useMemo(() => histogram(column ?? sample.fuel, sample.rows), [sample, sample.rows, shown]);
  const choices: [string, Shown][] = [["ends", "ends"], ["fuel", "fuel"], ...sample.values.map((_, i) => [`result ${i + 1}`, i] as [string, Shown])];
  if (sample.rows === 0) return <p class="quiet">{following ? "No result has come yet." : "There are no results to read."}</p>;
  const [low, high] = extent(column ?? sample.fuel, sample.rows);
  return (
    <>
      <div class="tools">
        <div class="choice" role="group" aria-label="What the picture shows">
          {choices.map(([name, value]) => <button key={name} aria-pressed={shown === value} onClick={() => setShown(value)}>{name}</button>)}
        </div>
        <label class="inline">cells in a row <input type="number" min={0} max={4096} value={width || ""} placeholder="auto" onInput={(e) => setWidth(Number(e.currentTarget.value))} /></label>
      </div>
      <div class="columns">
        <figure>
          <HeatMap sample={sample} instances={num(job.instances)} shown={shown} width={width} />
          <figcaption>{shown === "ends" ? "How each instance ended, from the first to the last." : `${short(low)} (dark) to ${short(high)} (bright).`}</figcaption>
        </figure>
        <figure>
          <Chart name={`Histogram of ${column && shown !== "fuel" ? "a result" : "fuel"}`} data={bars} lines={[{ label: "instances", color: "accent", bars: true }]} />
          <figcaption>Instances by {typeof shown === "number" ? `result ${shown + 1}` : "fuel"}.</figcaption>
        </figure>
      </div>
      <p class="quiet">{sample.full ? `The first ${whole(MOST_ROWS)} results that came, of ${whole(job.counts?.finished)}.` : `All ${whole(sample.rows)} results${following ? " so far" : ""}.`}</p>
      <details onToggle={(e) => setOpen(e.currentTarget.open)}><summary>First rows</summary>
        {open && <Table name="First results" head={["instance", "end", "fuel", ...sample.values.map((_, i) => `result ${i + 1}`)]}>
          {sample.firstRows(12).map((row) => (
            <tr key={row}>
              <td class="right">{whole(sample.instances[row])}</td><td>{words(sample.endNames[sample.ends[row]])}</td><td class="right">{whole(sample.fuel[row])}</td>
              {sample.values.map((values, i) => <td key={i} class="right">{Number.isNaN(values[row]) ? "" : String(values[row])}</td>)}
            </tr>
          ))}
        </Table>}
      </details>
      {sample.outputs.length > 0 && (
        <details><summary>First outputs</summary>
          {sample.outputs.slice(0, 12).map((output) => <pre key={`${output.instance} ${output.name}`}>{`${output.instance} ${output.name}: ${output.text}`}</pre>)}
        </details>
      )}
    </>
  );
}

function Failures({ sample }: { sample: Sample }) {
  if (sample.failures.length === 0) return null;
  return (
    <Panel title="First failures">
    <Table name="First failures" head={["instance", "end", "what", "device", "fuel"]}>
      {sample.firstFailures(12).map((failure) => (
        <tr key={failure.number}>
          <td class="right">{whole(failure.number)}</td><td>{words(failure.trap?.code ?? failure.end)}</td>
          <td class="wide">{failure.text}{(failure.backtrace ?? []).slice(0, 6).map((frame, i) => (
            <small key={i}>{i ? "called by " : "in "}{frame.functionName || `function ${frame.function}`}{frame.file ? ` (${frame.file.split("/").pop()}:${frame.line})` : ""}</small>))}</td>
          <td>{failure.device}</td><td class="right">{short(failure.fuel)}</td>
        </tr>
      ))}
    </Table>
    </Panel>
  );
}

async function act(method: string, name: string) {
  try {
    await call(`Jobs/${method}`, { name });
    if (method === "DeleteJob") location.hash = "#/jobs";
  } catch (error) {
    problems.say(textOf(error));
  }
}

// Keyed by the name (main.tsx): a view of another job begins anew.
export function Job({ name }: { name: string }) {
  const [job, setJob] = useState<JobMessage | null>(null);
  const [following, setFollowing] = useState(true);
  const rates = useRef<Rates>({ at: [], fuel: [], ended: [] });
  const before = useRef<{ at: number; done: number } | null>(null);
  const sample = useRef(new Sample());
  const redraw = useRedraw(500);
  useStream(async (signal) => {
    for await (const event of stream<{ job?: JobMessage }>("Jobs/WatchJob", { name }, signal, 300)) {
      if (!event.job) continue;
      setJob(event.job);
      problems.say("");
      const at = Date.now() / 1000;
      const done = num(event.job.counts?.finished);
      if (before.current && at < before.current.at + 1) continue; // bursts end more seldom than messages come
      if (before.current && event.job.state === "RUNNING") {
        const r = rates.current;
        r.at.push(at);
        r.fuel.push(event.job.forecast?.instructionsPerSecond ?? null);
        r.ended.push(Math.max(0, (done - before.current.done) / (at - before.current.at)));
        if (r.at.length > MOST_POINTS) for (const column of [r.at, r.fuel, r.ended]) column.shift();
      }
      before.current = { at, done };
    }
  }, [name]);
  useStream(async (signal) => {
    sample.current = new Sample();
    const stop = new AbortController();
    signal.addEventListener("abort", () => stop.abort());
    for await (const message of stream<ReadResults>("Jobs/ReadResults", { name, follow: true, columns: true }, stop.signal, 250)) {
      for (const columns of message.columns ?? []) sample.current.add(columns);
      redraw();
      if (sample.current.full) break;
    }
    stop.abort(); // the rest is not read
    setFollowing(false);
  }, [name]);
  const waits = usePoll<JobMessage>("Jobs/GetJob", { name }, 2000, job !== null && Boolean(job.waitingFor) && !ENDED.includes(job.state))?.waits ?? [];
  if (!job) return <p class="quiet">Asking…</p>;
  const done = num(job.counts?.finished);
  const ended = ENDED.includes(job.state);
  const places = [...sample.current.places];
  const usage = job.usage ?? {};
  const until = job.forecast?.latestEnd ? Math.max(0, unix(job.forecast.latestEnd) - Date.now() / 1000) : 0;
  return (
    <>
      <Panel title={name} aside={<State state={job.state} />}>
        <Bar part={done} all={num(job.instances)} />
        <p><b>{whole(done)}</b> of {whole(job.instances)} instances {percent(done, num(job.instances))}
          {num(job.counts?.running) > 0 && `, ${whole(job.counts?.running)} running`}{until > 0 && !ended && `, at most ${lasting(until)} to go`}</p>
        {job.error && <p class="trouble">{job.error.message}</p>}
        {job.limitReached && <p class="trouble">{job.limitReached}</p>}
        {!ended && (waits.length ? waits.map((wait) => <p key={wait.cause} class="quiet">Waits, {words(wait.cause)}: {wait.message}</p>)
          : job.waitingFor && <p class="quiet">Waits for: {job.waitingFor}</p>)}
        <div class="tools">
          {!ended && <button onClick={() => act("CancelJob", name)}>Cancel</button>}
          {job.state === "RUNNING" && <button onClick={() => act("CheckpointJob", name)}>Checkpoint</button>}
          {job.state === "CHECKPOINTED" && <button onClick={() => act("ResumeJob", name)}>Resume</button>}
          {ended && <button onClick={() => act("DeleteJob", name)}>Delete</button>}
          <a class="button" href={`#/${job.module}?${name}`}>Fuel by function</a>
        </div>
      </Panel>
      <div class="columns">
        <Panel title="Speed"><Speed rates={rates.current} job={job} /></Panel>
        <Panel title="Ends"><Ends counts={job.counts} /></Panel>
      </div>
      <Failures sample={sample.current} />
      <Panel title="Results"><Results job={job} sample={sample.current} following={following && !ended} /></Panel>
      <div class="columns">
        <Panel title="Where instances ran">
          {places.length === 0 ? <p class="quiet">Nothing is known yet.</p> : (
            <ul class="plain">{places.map(([place, rows]) => <li key={place}>{place}: <b>{percent(rows, sample.current.rows)}</b> of the results above</li>)}</ul>)}
          {job.placementReason && <p class="quiet">{job.placementReason}</p>}
          {job.tier && <p class="quiet">Tier: <b>{words(job.tier)}</b>. {job.tierReason}</p>}
        </Panel>
        <Panel title="Facts">
          <dl class="facts">
            <Fact name="module"><a href={`#/${job.module}`}><code>{shortModule(job.module)}</code></a></Fact>
            <Fact name="instructions">{short(usage.fuel)}</Fact>
            <Fact name="launches">{whole(usage.bursts)}</Fact>
            <Fact name="on devices">{lasting(seconds(usage.deviceTime))}</Fact>
            <Fact name="pipeline">{usage.pipelineCached ? "from the cache" : seconds(usage.compileTime) > 0 ? `compiled in ${lasting(seconds(usage.compileTime))}` : "none was compiled"}</Fact>
            {usage.joules !== undefined && <Fact name="drawn">{short(usage.joules)} J</Fact>}
            {job.limits?.maxFuel && <Fact name="fuel limit">{short(job.limits.maxFuel)}</Fact>}
            {job.limits?.maxMemoryBytes && <Fact name="memory limit">{bytes(job.limits.maxMemoryBytes)}</Fact>}
            {num(job.resultsDropped) > 0 && <Fact name="results dropped">{whole(job.resultsDropped)}</Fact>}
            {job.labels?.tenant && <Fact name="tenant">{job.labels.tenant}</Fact>}
          </dl>
          <ol class="history">{(job.history ?? []).map((change, i) => <li key={i}><time>{clock(change.time)}</time> {words(change.state)}</li>)}</ol>
        </Panel>
      </div>
    </>
  );
}
