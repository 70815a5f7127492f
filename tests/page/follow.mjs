// Follows a job in a browser until it is told to end (bench/page.sh): node follow.mjs URL JOB
// Prints a line when the page shows the job, then each second "PRIVATE_KIB HEAP_KIB": memory of the
// browser's process of the page that it shares with no other, and of it what scripts use.
import { readdirSync, readFileSync } from "node:fs";
import { launch, watch } from "./browser.mjs";

const [url, job] = process.argv.slice(2);
const browser = await launch();
const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
const said = [];
watch(page, said);
const session = await page.context().newCDPSession(page);
await session.send("Performance.enable");
await page.goto(`${url}/#/${job}`);
await page.locator("canvas.heat").waitFor({ timeout: 60_000 });
console.log("shown");

// The renderer with the most: a browser keeps spare ones.
function privateKib() {
  let most = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer")) continue;
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      const kib = [...rollup.matchAll(/^Private_(?:Clean|Dirty): +(\d+)/gm)].reduce((sum, match) => sum + Number(match[1]), 0);
      most = Math.max(most, kib);
    } catch {
      // it has ended
    }
  }
  return most;
}

let over = false;
process.on("SIGTERM", () => { over = true; });
while (!over) {
  const { metrics } = await session.send("Performance.getMetrics");
  const heap = metrics.find((one) => one.name === "JSHeapUsedSize").value;
  console.log(`${privateKib()} ${Math.round(heap / 1024)}`);
  await new Promise((done) => setTimeout(done, 1000));
}
await browser.close();
if (said.length) {
  console.error(said.join("\n"));
  process.exit(1);
}
