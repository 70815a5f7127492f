// Checks installations, and that the checks find what is wrong with one.
//   node manifests_test.mjs DEFAULTS NAME=FILE...   what `kubectl kustomize` printed; DEFAULTS: the daemon's settings
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { check } from './manifests.mjs';

const { parseAllDocuments } = createRequire(join(process.env.WASMBURST_PACKAGES, 'package.json'))('yaml');
const [defaultsFile, ...files] = process.argv.slice(2);
const defaults = readFileSync(defaultsFile, 'utf8');
let checks = 0, failures = 0;
const fail = (words) => {
  console.log(`failed: ${words}`);
  failures++;
};

function read(file) {
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS());
}

// What each of these changes must be found; what is between bars is in the words that say so.
const changes = {
  'a field that there is not |no such field|': ({ pod }) => { pod.terminationGracePeriodSecond = 5; },
  'a field of the wrong type |type|': ({ deployment }) => { deployment.spec.minReadySeconds = 'soon'; },
  'a field that is missing |required|': ({ daemon }) => { delete daemon.readinessProbe.exec.command; daemon.readinessProbe.httpGet = { path: '/' }; },
  'a kind that there is not |no such kind|': ({ deployment }) => { deployment.apiVersion = 'apps/v7'; },
  'another port |name one port|': ({ daemon }) => { daemon.ports[0].containerPort = 7444; },
  'too little time |has time|': ({ pod }) => { pod.terminationGracePeriodSeconds = 47; },
  'a longer drain |has time|': ({ map }) => { map.data['daemon.toml'] = map.data['daemon.toml'].replace('"30s"', '"5m"'); },
  'one name for all hosts |its pod\'s name|': ({ daemon }) => { daemon.command[4] = 'wasmburst'; },
  'another page |probes ask|': ({ daemon }) => { daemon.livenessProbe.exec.command[2] = '/healthz'; },
  'liveness for readiness |readiness asks|': ({ daemon }) => { daemon.readinessProbe.exec.command[2] = '/livez'; },
  'a mount of nothing |what is mounted|': ({ pod }) => { pod.volumes.pop(); },
  'a folder that is no volume |may write|': ({ daemon }) => { daemon.volumeMounts = daemon.volumeMounts.filter(({ name }) => name !== 'state'); },
  'a root that may be written |confined|': ({ daemon }) => { daemon.securityContext.readOnlyRootFilesystem = false; },
  'a container with capabilities |confined|': ({ pod }) => { pod.initContainers[0].securityContext.capabilities.drop = []; },
  'settings of another name |those of this installation|': ({ map }) => { map.metadata.name = 'other'; },
  'a secret |no secret|': ({ objects }) => { objects.push({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } }); },
  'too little memory |memory holds|': ({ daemon }) => { daemon.resources.limits.memory = '3Gi'; },
  'a token for all |and nowhere else|': ({ pod }) => { pod.automountServiceAccountToken = true; },
  'another selector |selects these|': ({ of }) => { of('Service')[0].spec.selector = { app: 'other' }; },
};

function findsChanges(name, file) {
  for (const [text, change] of Object.entries(changes)) {
    const [words, said] = text.split('|');
    const objects = read(file);
    const of = (kind) => objects.filter((object) => object.kind === kind);
    const deployment = of('Deployment')[0], pod = deployment.spec.template.spec;
    change({ objects, of, deployment, pod, map: of('ConfigMap')[0], daemon: pod.containers.find((one) => one.name === 'wasmburstd') });
    const { problems } = check(objects, defaults);
    checks++;
    if (!problems.some((problem) => problem.includes(said))) fail(`${name}: ${words.trim()} is not found: ${problems.join('; ')}`);
  }
}

for (const argument of files) {
  const [name, file] = argument.split('=');
  const found = check(read(file), defaults);
  checks += found.checks;
  for (const problem of found.problems) fail(`${name}: ${problem}`);
  findsChanges(name, file);
}
console.log(`${checks} checks of manifests`);
process.exit(failures === 0 ? 0 : 1);
