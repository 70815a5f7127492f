// What a pod of an installation does, as files that pod.sh reads.
//   node pod_plan.mjs RENDERED FOLDER
// FOLDER gets: settings/ (the ConfigMap), user ("UID GID FSGROUP"), grace (seconds), CONTAINER.mounts (lines "FOLDER
// VOLUME rw|ro"), and with a zero byte behind each word init, daemon, prestop, startup, liveness, readiness.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { partsOf } from './manifests.mjs';

const { parseAllDocuments } = createRequire(join(process.env.WASMBURST_PACKAGES, 'package.json'))('yaml');
const [rendered, folder] = process.argv.slice(2);
const { pod, map, daemon } = partsOf(parseAllDocuments(readFileSync(rendered, 'utf8')).map((one) => one.toJS()), '');
const init = pod.initContainers[0];
const { runAsUser, runAsGroup, fsGroup } = pod.securityContext;

mkdirSync(join(folder, 'settings'), { recursive: true });
const put = (name, text) => writeFileSync(join(folder, name), text);
const putWords = (name, words) => put(name, words.map((word) => `${word}\0`).join(''));
for (const [name, text] of Object.entries(map.data)) put(join('settings', name), text);
put('user', `${runAsUser} ${runAsGroup} ${fsGroup}\n`);
put('grace', `${pod.terminationGracePeriodSeconds}\n`);
for (const [name, container] of Object.entries({ init, daemon })) {
  put(`${name}.mounts`, container.volumeMounts.map((one) => `${one.mountPath} ${one.name} ${one.readOnly ? 'ro' : 'rw'}\n`).join(''));
}
putWords('init', init.command);
// The kubelet puts the pod's name there.
putWords('daemon', daemon.command.map((word) => word.replace('$(POD_NAME)', 'wasmburst-0')));
putWords('prestop', daemon.lifecycle.preStop.exec.command);
for (const name of ['startup', 'liveness', 'readiness']) putWords(name, daemon[`${name}Probe`].exec.command);
