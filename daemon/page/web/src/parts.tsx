import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { theme } from "./hooks";
import { whole, words } from "./format";
import { endColor } from "./charts";
import type { Counts } from "./types";

export function useStateOfTheme() {
  const [dark, setDark] = useState(theme.isDark());
  useEffect(() => {
    const change = () => setDark(theme.isDark());
    const media = matchMedia("(prefers-color-scheme: dark)");
    addEventListener("themechange", change);
    media.addEventListener("change", change);
    return () => {
      removeEventListener("themechange", change);
      media.removeEventListener("change", change);
    };
  }, []);
  return dark;
}

export const Panel = ({ title, aside, children }: { title: string; aside?: ComponentChildren; children: ComponentChildren }) => (
  <section class="panel">
    <header><h2>{title}</h2>{aside && <div class="aside">{aside}</div>}</header>
    {children}
  </section>
);

export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div class="fact"><dt>{name}</dt><dd>{children}</dd></div>
);

const TONES: Record<string, string> = {
  RUNNING: "accent", QUEUED: "soft", COMPILING: "warm", CANCELLING: "warm", SUCCEEDED: "good", FAILED: "bad",
  CANCELLED: "soft", CHECKPOINTED: "violet",
};
export const State = ({ state }: { state: string }) => (
  <span class={`state ${TONES[state] ?? "soft"}`}>{words(state)}</span>
);

export function Bar({ part, all, label }: { part: number; all: number; label?: string }) {
  const share = all > 0 ? Math.min(100, (100 * part) / all) : 0;
  return (
    <div class="bar" role="progressbar" aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(share)} aria-label={label ?? "progress"}>
      <div style={{ width: `${share}%` }} />
    </div>
  );
}

const KINDS: [string, string][] = [
  ["returned", "RETURNED"], ["exited", "EXITED"], ["trapped", "TRAPPED"], ["outOfFuel", "OUT_OF_FUEL"],
  ["outputLimit", "OUTPUT_LIMIT"], ["deadline", "DEADLINE"], ["failed", "ENGINE_FAILED"],
  ["jobOutOfFuel", "JOB_OUT_OF_FUEL"], ["resultsLimit", "RESULTS_LIMIT"], ["expired", "EXPIRED"],
];
export function Ends({ counts }: { counts?: Counts }) {
  const all = KINDS.map(([field, end]) => ({ end, count: Number(counts?.[field] ?? 0) })).filter((kind) => kind.count > 0);
  const total = all.reduce((sum, kind) => sum + kind.count, 0);
  if (!total) return <p class="quiet">No instance has ended yet.</p>;
  return (
    <>
      <div class="ends" role="img" aria-label={all.map((kind) => `${words(kind.end)} ${kind.count}`).join(", ")}>
        {all.map((kind) => <div key={kind.end} class={`bg-${endColor(kind.end)}`} style={{ flexGrow: kind.count }} />)}
      </div>
      <ul class="key">
        {all.map((kind) => <li key={kind.end}><i class={`bg-${endColor(kind.end)}`} />{words(kind.end)} <b>{whole(kind.count)}</b></li>)}
      </ul>
    </>
  );
}

// Its rows are links, which the keys j and k go through.
export const Table = ({ head, children, name }: { head: ComponentChildren[]; children: ComponentChildren; name: string }) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={name}>
    <table>
      <thead><tr>{head.map((cell, i) => <th key={i} scope="col">{cell}</th>)}</tr></thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
