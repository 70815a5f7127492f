// The live page in a browser, over a daemon of its own (deploy/page_test.sh starts this).
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { launch, watch } from "./browser.mjs";

const env = process.env;
const { WASMBURST_BUILD: build, WASMBURST_WORK: work, WASMBURST_SHOTS: shots, WASMBURST_GUEST: guest } = env;
const ctl = (...args) => execFileSync(path.join(build, "client/wasmburstctl"), args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
let checks = 0;
const check = (what, words) => { ++checks; assert.ok(what, words); };

const freePort = () => new Promise((done) => {
  const server = createServer().listen(0, "127.0.0.1", () => { const { port } = server.address(); server.close(() => done(port)); });
});
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
writeFileSync(path.join(work, "config.toml"), `version = 1
[metrics]
address = "127.0.0.1:${port}"
[[listen]]
address = "${env.WASMBURST_ADDR}"
`);
let daemon;
async function startDaemon() {
  daemon = spawn(path.join(build, "daemon/wasmburstd"), ["--config", path.join(work, "config.toml")], { stdio: ["ignore", "ignore", "inherit"] });
  for (let tries = 0; tries < 300; ++tries) {
    if (await fetch(`${base}/readyz`).then((answer) => answer.ok, () => false)) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("the daemon did not start");
}
const stopDaemon = (signal) => new Promise((done) => {
  if (daemon.exitCode !== null || daemon.signalCode !== null) {
    console.error(`the daemon had ended by itself: ${daemon.signalCode ?? daemon.exitCode}`);
    return done();
  }
  daemon.once("exit", done);
  daemon.kill(signal);
});

await startDaemon();
let browser;
try {
  ctl("-q", "job", "run", guest, "--call", "mixed", "--arg", "0..2000", "--fuel", "100000", "-o", "jsonl");
  const job = JSON.parse(ctl("-o", "json", "job", "list"));
  const { name: jobName, module } = (Array.isArray(job) ? job : job.jobs)[0];
  const token = (role) => ctl("token", "create", "--tenant", "ops", "--role", role).match(/wbt_[0-9a-f_]+/)[0];
  browser = await launch();
  const said = [];
  let away = false;
  const visit = async (options, who) => {
    const context = await browser.newContext(options);
    if (who) await context.addInitScript((text) => sessionStorage.setItem("wasmburst.token", text), who);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    watch(page, said, () => away);
    return page;
  };
  const admin = token("admin");

  // Without a token there is nothing but a question for one.
  {
    const page = await visit({ viewport: { width: 1280, height: 800 } });
    await page.goto(base);
    await page.getByText("A token, please").waitFor();
    check(!(await page.content()).includes("cpu0"), "a stranger sees a device");
    await page.screenshot({ path: path.join(shots, "signin.png") });
    await page.getByLabel("token").fill(token("viewer"));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "cpu0" }).waitFor();
    check((await page.getByRole("link", { name: "Cache" }).count()) === 0, "a viewer is shown the cache");
    await page.context().close();
  }

  // Each view in both themes and on a narrow screen.
  const views = [
    ["devices", "devices", "cpu0"], ["jobs", "jobs", "succeeded"], ["job", jobName, "First failures"], ["modules", "modules", "mixed"],
    ["module", `${module}?${jobName}`, "its own fuel"], ["cache", "cache", "Compiled kernels"], ["tenants", "tenants", "without a name"],
    ["submit", `submit?${module}`, "argument 1"],
  ];
  const shown = await visit({ viewport: { width: 1280, height: 840 } }, admin);
  await shown.goto(base);
  for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [390, "dark"]]) {
    const page = shown;
    await page.setViewportSize({ width, height: 840 });
    await page.emulateMedia({ colorScheme });
    for (const [name, route, text] of views) {
      await page.evaluate((hash) => { location.hash = hash; }, `#/${route}`);
      await page.locator("main").getByText(text, { exact: false }).first().waitFor();
      if (name === "module") {
        await page.getByRole("button", { name: "CPU" }).click();
        await page.locator("pre.text").getByText("kernel", { exact: false }).first().waitFor();
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(wide <= 0, `${name} is ${wide} pixels wider than a screen of ${width}`);
      await page.screenshot({ path: path.join(shots, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
  await shown.context().close();

  const page = await visit({ viewport: { width: 1280, height: 900 }, colorScheme: "light" }, admin);
  await page.goto(base);
  await page.getByRole("heading", { name: "cpu0" }).waitFor();

  // Keys alone.
  await page.keyboard.press("2");
  await page.locator("a.row").first().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: jobName }).waitFor();
  check(page.url().endsWith(`#/${jobName}`), "the keys do not open a job");
  await page.keyboard.press("t");
  check((await page.evaluate(() => document.documentElement.dataset.theme)) === "dark", "t does not turn it dark");
  await page.keyboard.press("t");
  await page.keyboard.press("?");
  check(await page.locator("dialog[open]").isVisible(), "? shows no keys");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  check((await page.evaluate(() => document.activeElement.tagName)) !== "BODY", "Tab goes nowhere");

  // A module is dropped, its form filled in, its results are seen.
  await page.keyboard.press("6");
  await page.locator("[data-drop]").waitFor();
  const drop = await page.evaluateHandle((bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes)], "guest.wasm"));
    return transfer;
  }, [...readFileSync(guest)]);
  await page.dispatchEvent("[data-drop]", "drop", { dataTransfer: drop });
  await page.getByRole("cell", { name: "(i64) → i32" }).waitFor();
  await page.getByLabel("call").selectOption("steps");
  await page.getByLabel("instances").fill("3000");
  await page.getByLabel("argument 1, i64").fill("x7");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("[x7] is no integer.").waitFor();
  await page.getByLabel("argument 1, i64").fill("1..");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("All 3,000 results.").waitFor();
  check((await page.locator("canvas.heat").getAttribute("width")) > 10, "there is no picture");
  await page.getByRole("button", { name: "result 1" }).click();
  await page.getByText("0 (dark) to").waitFor();
  await page.getByText("First rows").click();
  const table = page.getByRole("region", { name: "First results" }).locator("tbody tr");
  await table.nth(2).waitFor();
  const rows = await table.allInnerTexts();
  check(/^2\s+returned\s+[\d,]+\s+7$/.test(rows[2]), `three takes seven steps, not [${rows[2]}]`);
  await page.screenshot({ path: path.join(shots, "submitted.png"), fullPage: true });

  // A job that runs is followed, and cancelled.
  ctl("job", "submit", guest, "--call", "slow", "--arg", "0..1000000");
  await page.goto(`${base}/#/jobs`);
  await page.getByRole("button", { name: "under way" }).click();
  await page.locator("a.row").first().click();
  const progress = async () => Number((await page.locator("main p b").first().innerText()).replaceAll(",", ""));
  await page.getByText("running", { exact: true }).waitFor();
  const seen = new Set();
  for (let tries = 0; tries < 100 && seen.size < 3; ++tries) {
    seen.add(await progress());
    await page.waitForTimeout(100);
  }
  check(seen.size >= 3, "its progress does not change");
  await page.getByLabel("Instructions and ended instances a second").waitFor();
  await page.screenshot({ path: path.join(shots, "running.png"), fullPage: true });
  await page.evaluate(() => { location.hash = "#/devices"; });
  await page.locator(".state").getByText("bursting").first().waitFor();
  const flight = page.getByRole("group", { name: "Launches in flight" });
  const told = flight.getByText(/^[\d,]+ instances in [\d,]+ lanes, ((full|quick) build|interpreted)$/).first();
  await told.waitFor();
  const [instances, lanes] = (await told.innerText()).match(/[\d,]+/g).map((text) => Number(text.replaceAll(",", "")));
  check(instances > 0 && instances <= lanes, `a launch in flight has ${instances} instances in ${lanes} lanes`);
  const shownJob = await flight.getByRole("link").first().getAttribute("href");
  check(page.url().includes("#/devices") && shownJob.startsWith("#/jobs/"), `the launch in flight is of [${shownJob}]`);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: path.join(shots, "bursting.png"), fullPage: true });
  await page.goBack();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("cancelled", { exact: true }).waitFor();

  // The daemon dies and comes back: the page says so, and goes on.
  check(said.length === 0, `the console said: ${said.join("\n")}`);
  away = true;
  await page.goto(`${base}/#/devices`);
  await page.getByRole("heading", { name: "cpu0" }).waitFor();
  await stopDaemon("SIGKILL");
  await page.getByText("The daemon does not answer.").waitFor();
  await page.screenshot({ path: path.join(shots, "away.png") });
  await startDaemon();
  await page.getByText("The daemon does not answer.").waitFor({ state: "detached" });
  away = false;
  await page.keyboard.press("2");
  await page.locator("a.row").nth(2).waitFor();
  await page.context().close();
  check(said.length === 0, `the console said: ${said.join("\n")}`);
  console.log(`page: ${checks} checks, screenshots in ${path.relative(env.WASMBURST_ROOT, shots)}`);
} finally {
  await browser?.close();
  await stopDaemon("SIGTERM");
}
