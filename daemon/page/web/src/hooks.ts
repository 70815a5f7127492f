import { useEffect, useRef, useState } from "preact/hooks";
import { call, CallError } from "./api";

// Messages of calls that fail go to the line at the top; the newest stays.
export const problems = {
  text: "",
  listeners: new Set<(text: string) => void>(),
  say(text: string) {
    if (text === this.text) return;
    this.text = text;
    for (const listener of this.listeners) listener(text);
  },
};
export const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

// Asked again each `ms`, not while nobody sees the page. 0: once.
export function usePoll<T>(method: string, request: object, ms = 1000, enabled = true): T | null {
  const [value, setValue] = useState<T | null>(null);
  const key = JSON.stringify(request);
  useEffect(() => {
    if (!enabled) return;
    const stop = new AbortController();
    let timer = 0;
    const ask = async () => {
      try {
        if (!document.hidden) {
          setValue(await call<T>(method, JSON.parse(key), stop.signal));
          problems.say("");
        }
      } catch (error) {
        if (stop.signal.aborted) return;
        problems.say(textOf(error));
        if (error instanceof CallError && error.isIdentity) return;
      }
      if (ms && !stop.signal.aborted) timer = window.setTimeout(ask, ms);
    };
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [method, key, ms, enabled]);
  return value;
}

// Runs while the view is there; begins again a second after a stream was lost with the daemon.
export function useStream(run: (signal: AbortSignal) => Promise<void>, inputs: unknown[]) {
  useEffect(() => {
    const stop = new AbortController();
    const go = async () => {
      while (!stop.signal.aborted) {
        try {
          await run(stop.signal);
          return;
        } catch (error) {
          if (stop.signal.aborted) return;
          problems.say(textOf(error));
          if (!(error instanceof CallError) || error.code !== 14) return;
          await new Promise((done) => setTimeout(done, 1000));
        }
      }
    };
    void go();
    return () => stop.abort();
  }, inputs);
}

// What changes more often than it is worth drawing.
export function useRedraw(ms: number) {
  const [, set] = useState(0);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    timer.current ||= window.setTimeout(() => {
      timer.current = 0;
      set((n) => n + 1);
    }, ms);
  };
}

export function useRoute() {
  const read = () => location.hash.slice(2) || "devices";
  const [route, setRoute] = useState(read());
  useEffect(() => {
    const change = () => setRoute(read());
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  return route;
}

// "light", "dark"; "": as the system has it.
export const theme = {
  get: () => localStorage.getItem("wasmburst.theme") ?? "",
  set(name: string) {
    localStorage.setItem("wasmburst.theme", name);
    theme.apply();
  },
  apply() {
    if (theme.get()) document.documentElement.dataset.theme = theme.get();
    else delete document.documentElement.dataset.theme;
    dispatchEvent(new Event("themechange"));
  },
  isDark: () => (theme.get() ? theme.get() === "dark" : matchMedia("(prefers-color-scheme: dark)").matches),
};
