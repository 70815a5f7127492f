// The program of --host: node host_child.mjs HOST.mjs LOG. Answers calls as HOST does, whose lines
// go to LOG.
import {appendFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {pathToFileURL} from 'node:url';

const [hostPath, log] = process.argv.slice(2);
const host = await import(pathToFileURL(hostPath));
for await (const text of createInterface({input: process.stdin})) {
  const {instance, call, import: name, args, bytes} = JSON.parse(text);
  const {results, line} = host.answer(
    {import: name, args, bytes: bytes.map((part) => Buffer.from(part, 'base64'))});
  appendFileSync(log, `${line}\n`);
  process.stdout.write(`${JSON.stringify({instance, call, results})}\n`);
}
