// The Node package's part of bench/clients.sh: what map_rows.cc does, and says.
//   node map_rows.mjs FILE.wasm FUNCTION ROWS range|list|iterate ROUNDS
// "iterate" takes the values one by one; the others as an array.

import { Client, range } from "../build/clients/node/src/index.js";

const [file, name, rows, form, rounds] = process.argv.slice(2);
const count = Number(rows);
const client = new Client();
const module = await client.module(file);
for (let round = 0; round < Number(rounds); ++round) {
  const start = performance.now();
  const used = process.cpuUsage();
  const numbers = form === "list" ? new BigInt64Array(count) : range(1, count + 1);
  if (form === "list") for (let i = 0; i < count; ++i) numbers[i] = BigInt(i + 1);
  const job = await client.map(module, name, [numbers]);
  let sum = 0;
  if (form === "iterate") for await (const value of job) sum += value;
  else for (const value of await job.result()) sum += value;
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(used);
  console.log(seconds, sum, (user + system) / 1e6);
}
client.close();
