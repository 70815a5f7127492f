// Builds the page and makes a C++ file of it.
//   node build.mjs SOURCES WORK OUTPUT.cc NPM AUTO|ON
// Packages and the bundle lie in WORK. With AUTO a page that cannot be built is left out, and why is said:
// a machine without a network still builds the daemon.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

const [sources, work, output, npm, mode] = process.argv.slice(2);
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

function run(program, ...args) {
  const { status, error } = spawnSync(program, args, { cwd: work, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error(`${path.basename(program)} ${args[0]} ended with ${error ?? status}`);
}

// Packages are installed when the lock file is another one.
function install() {
  const stamp = path.join(work, "node_modules", ".wasmburst-lock");
  const lock = createHash("sha256").update(readFileSync(path.join(work, "package-lock.json"))).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  run(npm, "ci", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts");
  writeFileSync(stamp, lock);
}

function copySources() {
  mkdirSync(work, { recursive: true });
  rmSync(path.join(work, "src"), { recursive: true, force: true });
  for (const name of [".npmrc", "package.json", "package-lock.json", "vite.config.mjs", "tsconfig.json", "index.html", "src"]) {
    cpSync(path.join(sources, name), path.join(work, name), { recursive: true });
  }
}

function filesOf(folder, prefix = "") {
  return readdirSync(path.join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(prefix, entry.name);
    return entry.isDirectory() ? filesOf(folder, name) : [name];
  });
}

function cppOf(dist) {
  let arrays = "";
  let rows = "";
  let total = 0;
  filesOf(dist).sort().forEach((name, index) => {
    const bytes = gzipSync(readFileSync(path.join(dist, name)), { level: 9 });
    const tag = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
    total += bytes.length;
    arrays += `constexpr uint8_t kFile${index}[] = {${[...bytes].join(",")}};\n`;
    const at = name === "index.html" ? "/" : `/${name}`;
    rows += `    {"${at}", "${TYPES[path.extname(name)]}", "\\"${tag}\\"", kFile${index}},\n`;
  });
  if (total > 150 * 1024) throw new Error(`the page has ${total} bytes, and may have 153,600`);
  console.log(`page: ${total} bytes`);
  return `#include "daemon/page/page_files.h"

namespace wb {
namespace {

${arrays}
constexpr PageFile kFiles[] = {
${rows}};

}  // namespace

std::span<const PageFile> PageFiles() { return kFiles; }

}  // namespace wb
`;
}

try {
  copySources();
  install();
  run(process.execPath, "node_modules/vite/bin/vite.js", "build", "--logLevel", "warn");
  writeFileSync(output, cppOf(path.join(work, "dist")));
} catch (error) {
  console.log(`page: left out of the daemon: ${error.message}`);
  if (mode === "ON") process.exit(1);
  cpSync(path.join(sources, "../no_page_files.cc"), output);
}
