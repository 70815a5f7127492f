// What blocks of pages may need (<!-- guide: needs WHAT -->), and whether this machine has it.
import fs from 'node:fs';
import { spawnSync } from 'node:child_process';

const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

// Each returns why blocks that need it do not run here, or nothing.
export const kNeeds = {
  gpu: () => (fs.existsSync('/dev/nvidia0') ? '' : 'there is no NVIDIA GPU (/dev/nvidia0)'),
  'no-gpu': () => (kNeeds.gpu() ? '' : 'there is an NVIDIA GPU (/dev/nvidia0)'),
  administrator: () => 'it changes the system: deploy/systemd_test.sh and deploy/packages/root_test.sh do such things in namespaces',
  terminal: () => 'it is for eyes, and takes its time: tests/client/top and tests/client/perf have it',
  curl: () => (has('curl') ? '' : 'curl is not installed'),
};
