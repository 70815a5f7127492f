import { ago, bytes, num, percent, short, shortModule, whole } from "../format";
import { usePoll } from "../hooks";
import { Bar, Fact, Panel, Table } from "../parts";
import type { CacheList } from "../types";

export function Cache() {
  const list = usePoll<CacheList>("Admin/ListCache", {}, 2000);
  if (!list) return <p class="quiet">Asking…</p>;
  const entries = [...(list.entries ?? [])].sort((a, b) => (b.lastUsed ?? "").localeCompare(a.lastUsed ?? ""));
  const asked = num(list.hits) + num(list.misses);
  return (
    <Panel title="Compiled kernels" aside={<span class="quiet">{bytes(list.bytes)} of {bytes(list.maxBytes)}</span>}>
      <Bar part={num(list.bytes)} all={num(list.maxBytes)} label="of the cache's room" />
      <dl class="facts">
        <Fact name="entries">{whole(entries.length)}</Fact>
        <Fact name="found">{whole(list.hits)}{asked ? `, ${percent(num(list.hits), asked)}` : ""}</Fact>
        <Fact name="not found">{whole(list.misses)}</Fact>
        <Fact name="made room">{short(list.evictions)}</Fact>
        <Fact name="damaged">{whole(list.corrupt)}</Fact>
        <Fact name="of other daemons">{whole(list.foreign)}</Fact>
      </dl>
      {entries.length > 0 ? (
        <Table name="Entries, those used last first" head={["module", "for", "bytes", "used", "key"]}>
          {entries.slice(0, 200).map((entry) => (
            <tr key={entry.key}>
              <td><a class="row" href={`#/${entry.module}`}><code>{shortModule(entry.module)}</code></a></td>
              <td>{entry.target}</td><td class="right">{bytes(entry.bytes)}</td><td class="right">{ago(entry.lastUsed)}</td>
              <td><code>{entry.key.slice(0, 16)}</code></td>
            </tr>
          ))}
        </Table>) : <p class="quiet">It is empty.</p>}
    </Panel>
  );
}
