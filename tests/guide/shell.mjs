// Blocks of commands, run one after another in one shell, as a reader types them.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

// A reader waits until the daemon that was started is there. (5: it cannot be reached.)
const kWait = (address) => `for _ in $(seq 100); do wasmburstctl${address ? ` --addr "${address}"` : ''} server info ` +
  '>/dev/null 2>&1 && break || [ $? = 5 ] || break; sleep 0.1; done';

export function startsDaemon(line) {
  return /^\s*wasmburstd\b.*&$/.test(line);
}

function waiting(line) {
  if (!startsDaemon(line)) return line;
  return `${line} ${kWait(/--listen[ =](\S+)/.exec(line)?.[1])}`;
}

// Each block is a file of its own whose commands stand in the page's lines, so that a shell's own complaint, and
// the line of what failed, are the page's. `exit` null: its commands may end as they like.
function master(blocks, files) {
  const script = ["trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT", "trap 'exit 143' TERM"];
  blocks.forEach((block, index) => {
    const file = files(index);
    // Line 1 of a page is no command's.
    const first = block.exit === 0 ? `trap 'echo $LINENO >>"${file}.failed"' ERR; set -e` : '';
    const lines = [first, ...new Array(block.line - 2).fill(''), ...block.commands.map(waiting)];
    fs.writeFileSync(`${file}.sh`, lines.join('\n') + '\n');
    script.push(`. "${file}.sh" >"${file}.out" 2>&1; echo $? >"${file}.status"; set +e; trap - ERR`);
  });
  return script.join('\n') + '\n';
}

const read = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null);

// Runs them in `folder`; `scratch` is another one, which is empty. Returns of each block {status, output, failed}:
// status null: it did not come to its end, with the line at which it failed where it did; output null: it never began.
export async function runBlocks(blocks, { folder, scratch, env, seconds }) {
  const files = (index) => path.join(scratch, String(index));
  fs.writeFileSync(path.join(scratch, 'all.sh'), master(blocks, files));
  const shell = spawn('bash', [path.join(scratch, 'all.sh')], { cwd: folder, env, stdio: 'ignore', detached: true });
  const ended = new Promise((resolve) => { shell.on('exit', resolve); });
  // The shell and what it started; those that do not hear the first word hear the second.
  const signal = (name) => { try { process.kill(-shell.pid, name); } catch { /* all have ended */ } };
  const bound = [setTimeout(() => signal('SIGTERM'), seconds * 1000), setTimeout(() => signal('SIGKILL'), (seconds + 10) * 1000)];
  await ended;
  bound.forEach(clearTimeout);
  signal('SIGKILL');
  return blocks.map((_, index) => {
    const status = read(`${files(index)}.status`);
    const failed = read(`${files(index)}.failed`);
    return { status: status === null ? null : Number(status), output: read(`${files(index)}.out`), failed: failed && Number(failed.split('\n')[0]) };
  });
}
