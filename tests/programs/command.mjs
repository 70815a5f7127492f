// Runs a command to its end; what went wrong is one line.
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';

const execute = promisify(execFile);

// The line of a compiler's or a registry's output that says most.
function lineOf(said) {
  const lines = said.split('\n').map((line) => line.trim()).filter(Boolean);
  return lines.find((line) => /error|undefined symbol|^E:/i.test(line)) ?? lines.at(-1) ?? '';
}

// {stdout, stderr}. Throws the command and the line that says why it failed.
export async function command(program, args, {cwd, env = {}, timeout}) {
  try {
    return await execute(program, args,
      {cwd, timeout, maxBuffer: 1 << 28, env: {...process.env, ...env}});
  } catch (error) {
    const why = error.killed ? `not done in ${timeout / 1000} s`
      : lineOf(`${error.stderr ?? ''}\n${error.stdout ?? ''}`) || error.message;
    throw new Error(`${program} ${args[0]}: ${why}`);
  }
}
