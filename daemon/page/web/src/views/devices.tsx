import { useMemo, useRef } from "preact/hooks";
import type uPlot from "uplot";
import { stream } from "../api";
import { Chart } from "../charts";
import { bytes, clock, lasting, num, seconds, short, shortJob, unix, whole, words } from "../format";
import { usePoll, useRedraw, useStream } from "../hooks";
import { Bar, Fact, Panel, Table } from "../parts";
import type { Burst, Device, Launch } from "../types";

const WINDOW_S = 120;
const MOST_BURSTS = 1024;

// A step up where a burst begins and down where it ends; between them the device rests. The launch that runs, as it
// was told of at `told`, is the last step.
function timeline(bursts: Burst[], running: Launch | undefined, told: number, now: number): uPlot.AlignedData {
  const x: number[] = [];
  const useful: (number | null)[] = [];
  const resident: (number | null)[] = [];
  const put = (at: number, u: number, r: number) => {
    x.push(Math.max(at, x.at(-1) ?? 0));
    useful.push(u);
    resident.push(r);
  };
  put(now - WINDOW_S, 0, 0);
  for (const burst of bursts) {
    const start = unix(burst.startTime);
    const end = start + seconds(burst.duration);
    if (end < now - WINDOW_S) continue;
    put(start, burst.lanesUseful ?? 0, burst.lanesResident ?? 0);
    put(end, 0, 0);
  }
  if (running) {
    put(told - seconds(running.age), num(running.instances), num(running.lanes));
    put(now, num(running.instances), num(running.lanes));
  } else put(now, 0, 0);
  return [x, useful, resident];
}

interface Reading { at: number; celsius?: number; watts?: number }

function Timeline({ device, bursts, readings }: { device: Device; bursts: Burst[]; readings: Reading[] }) {
  const now = Date.now() / 1000;
  const newest = bursts.at(-1)?.number;
  const second = Math.floor(now);
  const running = device.launchesInFlight?.[0];
  const data = useMemo(() => timeline(bursts, running, readings.at(-1)?.at ?? now, now), [newest, second, running]);
  const heat = useMemo<uPlot.AlignedData>(
    () => [readings.map((r) => r.at), readings.map((r) => r.celsius ?? null), readings.map((r) => r.watts ?? null)],
    [second, readings.length],
  );
  const sensed = readings.some((r) => r.celsius !== undefined || r.watts !== undefined);
  return (
    <>
      <Chart name={`Bursts and rests of ${device.name}`} data={data} time window={[now - WINDOW_S, now]}
        lines={[{ label: "lanes with an instance", color: "accent", fill: true, stepped: true },
          { label: "lanes with memory", color: "soft", stepped: true }]} />
      {sensed
        ? <Chart name={`Temperature and power of ${device.name}`} data={heat} time height={120} window={[now - WINDOW_S, now]} units={{ y: "°", z: " W" }}
            lines={[{ label: "degrees Celsius", color: "bad" }, { label: "watts", color: "warm", scale: "z" }]} />
        : <p class="quiet">{device.sensors || "No sensor of temperature or power."}</p>}
    </>
  );
}

// The first one runs; the device has taken the others, which begin when it ends.
function InFlight({ launches }: { launches: Launch[] }) {
  return (
    <div class="flight" role="group" aria-label="Launches in flight">
      <h3>Launches in flight</h3>
      {launches.length === 0 && <p class="quiet">None.</p>}
      {launches.map((launch, i) => (
        <div class="launch" key={i}>
          <Bar part={i === 0 ? seconds(launch.age) : 0} all={seconds(launch.longest)} label="its time" />
          <span>{whole(launch.instances)} instances in {whole(launch.lanes)} lanes, {launch.build === "INTERPRETED" ? "interpreted" : `${words(launch.build)} build`}</span>
          <span class="quiet">{i === 0 ? `${lasting(seconds(launch.age))} of` : "behind it,"} at most {lasting(seconds(launch.longest))}</span>
          <span>{(launch.jobs ?? []).map((job) => <a key={job} href={`#/${job}`}>{shortJob(job)} </a>)}
            {num(launch.jobCount) > (launch.jobs ?? []).length && <span class="quiet">{whole(num(launch.jobCount) - (launch.jobs ?? []).length)} other jobs</span>}</span>
        </div>
      ))}
    </div>
  );
}

function One({ device, bursts, readings }: { device: Device; bursts: Burst[]; readings: Reading[] }) {
  const last = bursts.at(-1);
  const t = device.telemetry ?? {};
  const running = (device.jobs ?? []).reduce((sum, job) => sum + num(job.running), 0);
  return (
    <Panel title={device.name.replace("devices/", "")}
      aside={<><span class={`state ${device.state === "bursting" ? "accent" : device.healthy ? "soft" : "bad"}`}>{device.state}</span>
        {device.gate && device.gate !== "open" && <span class="state warm">{device.gate}</span>}</>}>
      <p class="quiet">{device.model}{device.threads ? ` · ${device.threads} threads` : ""} · {bytes(device.memoryBytes)} for instances · policy {device.policy}</p>
      {device.trouble && <p class="trouble">{device.trouble}</p>}
      {device.rest && <p class="quiet">Rests: {device.rest}</p>}
      <Timeline device={device} bursts={bursts} readings={readings} />
      <InFlight launches={device.launchesInFlight ?? []} />
      <dl class="facts">
        {running > 0 && <Fact name="instances under way">{whole(running)}</Fact>}
        <Fact name="launches">{short(device.bursts)}</Fact>
        <Fact name="instances">{short(device.instances)}</Fact>
        <Fact name="instructions">{short(device.fuel)}</Fact>
        <Fact name="busy">{lasting(seconds(device.busy))}</Fact>
        {t.celsius !== undefined && <Fact name="temperature">{t.celsius.toFixed(0)} °C{t.throttled ? ", throttled" : ""}</Fact>}
        {t.watts !== undefined && <Fact name="power">{t.watts.toFixed(0)} W{t.wattsLimit ? ` of ${t.wattsLimit.toFixed(0)}` : ""}</Fact>}
        {t.utilisation !== undefined && <Fact name="used by all">{(100 * t.utilisation).toFixed(0)} %</Fact>}
        {device.joules !== undefined && <Fact name="drawn">{short(device.joules)} J</Fact>}
        {last?.lanesUseful !== undefined && <Fact name="lanes, last burst">{short(Math.round(last.lanesUseful))} of {short(Math.round(last.lanesResident ?? 0))}</Fact>}
      </dl>
      {bursts.length > 0 && (
        <details><summary>Last bursts</summary>
          <Table name={`Last bursts of ${device.name}`} head={["at", "lasted", "launches", "instances", "instructions", "ended", "rest before"]}>
            {bursts.slice(-12).reverse().map((burst) => (
              <tr key={burst.number}>
                <td>{clock(burst.startTime)}</td><td>{lasting(seconds(burst.duration))}</td><td>{whole(burst.launches)}</td>
                <td>{short(burst.instances)}</td><td>{short(burst.fuel)}</td><td>{burst.end}</td>
                <td>{burst.restBefore ? `${lasting(seconds(burst.restBefore))}, ${words(burst.restBeforeCause)}` : ""}</td>
              </tr>
            ))}
          </Table>
        </details>
      )}
      {(device.jobs ?? []).length > 0 && (
        <p class="quiet">Jobs: {device.jobs!.map((job) => <span key={job.job}><a href={`#/${job.job}`}>{shortJob(job.job)}</a>{job.waitingFor ? ` (${job.waitingFor})` : ""} </span>)}</p>
      )}
    </Panel>
  );
}

export function Devices() {
  const list = usePoll<{ devices?: Device[]; missing?: string[] }>("Admin/ListDevices", {});
  const bursts = useRef(new Map<string, Burst[]>());
  const readings = useRef(new Map<string, Reading[]>());
  const redraw = useRedraw(1000);
  const token = useRef("");
  useStream(async (signal) => {
    const request = { follow: true, resumeToken: token.current };
    for await (const event of stream<{ bursts?: Burst[]; resumeToken: string; restarted?: boolean }>("Admin/WatchBursts", request, signal, 500)) {
      if (event.restarted) bursts.current.clear();
      token.current = event.resumeToken || token.current;
      for (const burst of event.bursts ?? []) {
        const kept = bursts.current.get(burst.device) ?? [];
        kept.push(burst);
        if (kept.length > MOST_BURSTS) kept.shift();
        bursts.current.set(burst.device, kept);
      }
      redraw();
    }
  }, []);
  const last = useRef(list);
  if (list && list !== last.current) {
    last.current = list;
    for (const device of list.devices ?? []) {
      const kept = readings.current.get(device.name) ?? [];
      kept.push({ at: Date.now() / 1000, celsius: device.telemetry?.celsius, watts: device.telemetry?.watts });
      if (kept.length > WINDOW_S) kept.shift();
      readings.current.set(device.name, kept);
    }
  }
  if (!list) return <p class="quiet">Asking…</p>;
  return (
    <>
      <div class="columns">
        {(list.devices ?? []).map((device) => (
          <One key={device.name} device={device} bursts={bursts.current.get(device.name) ?? []} readings={readings.current.get(device.name) ?? []} />
        ))}
      </div>
      {(list.missing ?? []).map((sentence) => <p key={sentence} class="quiet">{sentence}</p>)}
    </>
  );
}
