import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { call, CallError, token } from "./api";
import { problems, textOf, theme, usePoll, useRoute } from "./hooks";
import { ago, words } from "./format";
import { useStateOfTheme } from "./parts";
import type { Caller, ServerInfo } from "./types";
import { Cache } from "./views/cache";
import { Devices } from "./views/devices";
import { Job } from "./views/job";
import { Jobs } from "./views/jobs";
import { Module, Modules } from "./views/module";
import { Submit } from "./views/submit";
import { Tenants } from "./views/tenants";
import "./style.css";

const ROLES = ["", "VIEWER", "SUBMITTER", "OPERATOR", "ADMIN"];
// Name, route, the least role that its calls need (access.def).
const VIEWS: [string, string, string][] = [
  ["Devices", "devices", "VIEWER"], ["Jobs", "jobs", "VIEWER"], ["Modules", "modules", "VIEWER"], ["Cache", "cache", "OPERATOR"],
  ["Tenants", "tenants", "OPERATOR"], ["Submit", "submit", "SUBMITTER"],
];
const may = (caller: Caller | null, role: string) => ROLES.indexOf(caller?.role ?? "") >= ROLES.indexOf(role);

function View({ route, caller }: { route: string; caller: Caller }) {
  const [path, query = ""] = route.split("?");
  if (path.startsWith("jobs/")) return <Job key={path} name={path} />;
  if (path.startsWith("modules/")) return <Module key={path} name={path} job={query} mayList={may(caller, "OPERATOR")} maySubmit={may(caller, "SUBMITTER")} />;
  const view = VIEWS.find((one) => one[1] === path) ?? VIEWS[0];
  if (!may(caller, view[2])) return <p class="quiet">This needs the role {words(view[2])}; yours is {words(caller.role) || "none"}.</p>;
  switch (view[1]) {
    case "jobs": return <Jobs />;
    case "modules": return <Modules />;
    case "cache": return <Cache />;
    case "tenants": return <Tenants />;
    case "submit": return <Submit chosen={query} />;
    default: return <Devices />;
  }
}

function SignIn({ why, done }: { why: string; done: () => void }) {
  const [text, setText] = useState("");
  return (
    <form class="panel signin" onSubmit={(e) => { e.preventDefault(); token.set(text.trim()); done(); }}>
      <h2>A token, please</h2>
      <p class="quiet">{why}</p>
      <label>token<input type="password" autocomplete="off" autofocus placeholder="wbt_…" value={text} onInput={(e) => setText(e.currentTarget.value)} /></label>
      <button class="main" disabled={!text.trim()}>Go on</button>
      <p class="quiet">An admin makes one: <code>wasmburstctl token create --tenant NAME --role operator</code>. It is kept until this tab closes.</p>
    </form>
  );
}

function useCaller(attempt: number): [Caller | null, string] {
  const [caller, setCaller] = useState<Caller | null>(null);
  const [why, setWhy] = useState("");
  useEffect(() => {
    let timer = 0;
    const stop = new AbortController();
    const ask = () => call<Caller>("Tenants/GetCaller", {}, stop.signal).then(
      (one) => { setCaller(one); setWhy(""); problems.say(""); },
      (error) => {
        if (stop.signal.aborted) return;
        if (error instanceof CallError && (error.isIdentity || error.code === 7)) { token.set(""); setCaller(null); setWhy(textOf(error)); return; }
        problems.say(textOf(error));
        timer = window.setTimeout(ask, 1000);
      });
    void ask();
    return () => { stop.abort(); clearTimeout(timer); };
  }, [attempt]);
  return [caller, why];
}

function useKeys(help: () => void) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const at = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)) return;
      const view = VIEWS[Number(event.key) - 1];
      if (view) location.hash = `#/${view[1]}`;
      else if (event.key === "t") theme.set(theme.isDark() ? "light" : "dark");
      else if (event.key === "?") help();
      else if (event.key === "j" || event.key === "k") {
        const rows = [...document.querySelectorAll<HTMLElement>("a.row")];
        const now = rows.indexOf(document.activeElement as HTMLElement);
        rows[Math.min(rows.length - 1, Math.max(0, now + (event.key === "j" ? 1 : -1)))]?.focus();
      } else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

function App() {
  const route = useRoute();
  const dark = useStateOfTheme();
  const [attempt, setAttempt] = useState(0);
  const [caller, why] = useCaller(attempt);
  const [problem, setProblem] = useState("");
  const keys = useRef<HTMLDialogElement>(null);
  const info = usePoll<ServerInfo>("Admin/GetServerInfo", {}, 5000, caller !== null);
  useEffect(() => {
    problems.listeners.add(setProblem);
    return () => void problems.listeners.delete(setProblem);
  }, []);
  useEffect(() => problems.say(""), [route]);
  useKeys(() => keys.current!.showModal());
  const now = route.split(/[?/]/)[0];
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); document.getElementById("main")!.focus(); }}>To the content</a>
      <header class="top">
        <a class="brand" href="#/devices">WasmBurst</a>
        <nav aria-label="Views">
          {VIEWS.filter((view) => !caller || may(caller, view[2])).map((view) => (
            <a key={view[1]} href={`#/${view[1]}`} aria-current={now === view[1] ? "page" : undefined}>{view[0]}</a>
          ))}
        </nav>
        <div class="tools">
          <button aria-label={`Turn ${dark ? "light" : "dark"} (t)`} onClick={() => theme.set(dark ? "light" : "dark")}>{dark ? "☀" : "☾"}</button>
          <button aria-label="Keys (?)" onClick={() => keys.current!.showModal()}>?</button>
        </div>
      </header>
      {problem && <p class="problem" role="alert">{problem}</p>}
      {(info?.alarms ?? []).map((alarm) => <p key={alarm.name} class="problem" role="alert">{alarm.reason} {alarm.advice}</p>)}
      <main id="main" tabIndex={-1}>
        {why ? <SignIn why={why} done={() => setAttempt(attempt + 1)} /> : caller ? <View route={route} caller={caller} /> : <p class="quiet">Asking…</p>}
      </main>
      <footer>
        {info && <>wasmburstd {info.version}, started {ago(info.startTime)}{info.draining ? ", draining" : ""} · </>}
        {caller && <>{caller.name || "without a name"}, {words(caller.role)}{caller.tenant ? ` of ${caller.tenant}` : ""}</>}
        {token.get() && <> · <button class="link" onClick={() => { token.set(""); setAttempt(attempt + 1); }}>forget the token</button></>}
      </footer>
      <dialog ref={keys} aria-label="Keys">
        <h2>Keys</h2>
        <ul class="plain">
          <li><kbd>1</kbd> to <kbd>6</kbd> the views</li><li><kbd>j</kbd> <kbd>k</kbd> the next row, the one before; <kbd>Enter</kbd> opens it</li>
          <li><kbd>t</kbd> light or dark</li><li><kbd>?</kbd> this</li>
        </ul>
        <form method="dialog"><button>Close</button></form>
      </dialog>
    </>
  );
}

theme.apply();
render(<App />, document.getElementById("app")!);
