import { useState } from "preact/hooks";
import { ago, lasting, num, percent, short, shortJob, shortModule, unix } from "../format";
import { usePoll } from "../hooks";
import { Bar, Panel, State, Table } from "../parts";
import type { Job } from "../types";

const FILTERS: [string, string][] = [
  ["all", ""], ["under way", "state = QUEUED OR state = COMPILING OR state = RUNNING OR state = CANCELLING"],
  ["succeeded", "state = SUCCEEDED"], ["failed", "state = FAILED OR state = CANCELLED"],
];
const ENDED = ["SUCCEEDED", "FAILED", "CANCELLED"];

export function failuresOf(job: Job) {
  const c = job.counts ?? {};
  return num(c.finished) - num(c.returned) - num(c.exited);
}

export function Jobs() {
  const [filter, setFilter] = useState("");
  const list = usePoll<{ jobs?: Job[]; nextPageToken?: string }>("Jobs/ListJobs", { pageSize: 50, filter });
  const jobs = list?.jobs ?? [];
  return (
    <Panel title="Jobs" aside={
      <div class="choice" role="group" aria-label="Which jobs">
        {FILTERS.map(([name, text]) => (
          <button key={name} aria-pressed={filter === text} onClick={() => setFilter(text)}>{name}</button>
        ))}
      </div>}>
      {list && jobs.length === 0 && <p class="quiet">There are none. <a href="#/submit">Submit one</a>.</p>}
      {jobs.length > 0 && (
        <Table name="Jobs, the newest first" head={["job", "state", "progress", "instructions/s", "failures", "device", "module", "tenant", "when"]}>
          {jobs.map((job) => {
            const done = num(job.counts?.finished);
            const took = unix(job.endTime) - unix(job.startTime);
            const rate = job.forecast?.instructionsPerSecond ?? (job.endTime && job.startTime && took > 0 ? num(job.usage?.fuel) / took : 0);
            return (
              <tr key={job.name}>
                <td><a class="row" href={`#/${job.name}`}>{shortJob(job.name)}</a></td>
                <td><State state={job.state} /></td>
                <td class="wide"><Bar part={done} all={num(job.instances)} label={`progress of ${job.name}`} />
                  <small>{short(done)} of {short(job.instances)} {percent(done, num(job.instances))}</small>
                  {!ENDED.includes(job.state) && job.waitingFor && <small class="why">{job.waitingFor}</small>}</td>
                <td class="right">{rate ? short(rate) : ""}</td>
                <td class="right">{failuresOf(job) ? <b class="bad">{short(failuresOf(job))}</b> : "0"}</td>
                <td>{(job.device ?? "").replace("devices/", "")}</td>
                <td><a href={`#/${job.module}`}><code>{shortModule(job.module)}</code></a></td>
                <td>{job.labels?.tenant ?? ""}</td>
                <td class="right">{ago(job.createTime)}{took > 0 && job.endTime ? <small>took {lasting(took)}</small> : null}</td>
              </tr>
            );
          })}
        </Table>
      )}
      {list?.nextPageToken && <p class="quiet">The newest 50 are shown.</p>}
    </Panel>
  );
}
