// What the tests share: the guests and the daemon that deploy/clients_test.sh has started.

import { execFileSync } from "node:child_process";
import net from "node:net";
import path from "node:path";

export const wasmburst = await import(path.join(process.env.WASMBURST_NODE, "src/index.js"));
export const part = (name) => import(path.join(process.env.WASMBURST_NODE, "src", name));
const guest = (name) => path.join(process.env.WASMBURST_GUESTS, name);
export const GUEST = guest("guest.wasm");
export const CALLER = guest("caller.wasm");
export const PROGRAM = guest("program.wasm");
export const ctl = (...words) => execFileSync(process.env.WASMBURST_CTL, words, { stdio: "pipe" });

export async function all(iterable) {
  const values = [];
  for await (const value of iterable) values.push(value);
  return values;
}

// Passes a Unix socket on, and cuts the connection once after so many bytes of the daemon's.
export function cuttingProxy(file, to, cutAfter) {
  const proxy = { cuts: 0 };
  let left = cutAfter;
  proxy.server = net.createServer((near) => {
    const far = net.connect(to);
    const end = () => (near.destroy(), far.destroy());
    far.on("data", (data) => {
      if (left > 0 && (left -= data.length) <= 0) {
        proxy.cuts += 1;
        end();
      } else {
        near.write(data);
      }
    });
    near.on("data", (data) => far.write(data));
    for (const socket of [near, far]) socket.on("close", end).on("error", end);
  });
  return new Promise((resolve) => proxy.server.listen(file, () => resolve(proxy)));
}
