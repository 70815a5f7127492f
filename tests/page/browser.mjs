// Debian's Chromium by Playwright, and what a browser said that it should not.
import { pathToFileURL } from "node:url";
import path from "node:path";

const packages = process.env.WASMBURST_PAGE_PACKAGES;
export const { chromium } = await import(pathToFileURL(path.join(packages, "playwright-core/index.mjs")).href);

export const launch = () =>
  chromium.launch({
    executablePath: process.env.WASMBURST_CHROMIUM,
    // Within a container of root there is no sandbox of namespaces; the pages are our own.
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });

// Lines of the console and errors of scripts, but those that `expected` says of a time without a daemon.
export function watch(page, said, expected = () => false) {
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !expected()) said.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => said.push(`error: ${error.message}`));
}
