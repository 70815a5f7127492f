// Whether the objects of an installation fit Kubernetes, each other, and the daemon.
import { problemsOf } from './schema.mjs';
import { bytesOf, secondsOf, settingsOf } from './settings.mjs';

const last = 12;  // seconds for the last results, and for clients to read the ends of their jobs (daemon/daemon.cc)

// The parts that the checks are about.
export function partsOf(objects, defaults) {
  const of = (kind) => objects.filter((object) => object.kind === kind);
  const deployment = of('Deployment')[0];
  const pod = deployment.spec.template.spec;
  const map = of('ConfigMap')[0];
  const text = map.data['daemon.toml'] + map.data['devices.toml'];
  const settings = { ...settingsOf(defaults), ...settingsOf(text) };
  const setting = (name) => settings[name]?.[0] ?? '';
  return {
    of, deployment, pod, map, settings, setting,
    daemon: pod.containers.find(({ name }) => name === 'wasmburstd'),
    proxy: pod.containers.find(({ name }) => name === 'metrics'),
    containers: [...pod.initContainers, ...pod.containers],
  };
}
const portOf = (address) => Number(address.match(/:(\d+)(?:[/?].*)?$/)?.[1]);
const listens = ({ settings }, scheme) => settings['listen.address'].find((address) => address.startsWith(scheme)) ?? '';

// Each: what must hold, and whether it does.
const rules = {
  'the daemon, its port, its service and its policy name one port': (parts) => {
    const port = portOf(listens(parts, 'tls://'));
    const named = parts.daemon.ports.find(({ containerPort }) => containerPort === port);
    const service = parts.of('Service')[0].spec;
    const allowed = parts.of('NetworkPolicy').flatMap(({ spec }) => spec.ingress).flatMap(({ ports }) => ports);
    return named && service.ports[0].targetPort === named.name && service.ports[0].port === port &&
      allowed.some((rule) => rule.port === port);
  },
  'the policy lets the daemon out to its database': (parts) =>
    parts.of('NetworkPolicy').flatMap(({ spec }) => spec.egress).flatMap(({ ports }) => ports)
      .some(({ port }) => port === portOf(parts.setting('store.postgres'))),
  'the service is headless': (parts) => parts.of('Service')[0].spec.clusterIP === 'None',
  'a pod has time for preStop, the drain and what comes behind it': (parts) => {
    const before = Number(parts.daemon.lifecycle.preStop.exec.command[1]);
    return parts.pod.terminationGracePeriodSeconds > before + secondsOf(parts.setting('server.drain_timeout')) + last;
  },
  'probes ask the pages of metrics.address, and wait longer than these': (parts) => {
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((name) => parts.daemon[name]);
    const [host, port] = parts.setting('metrics.address').split(':');
    return parts.map.data.probe.includes(`/dev/tcp/${host}/${port} `) &&
      probes.every((probe) => probe.timeoutSeconds > 5 && /^\/(livez|readyz)$/.test(probe.exec.command.at(-1)));
  },
  'readiness asks /readyz, the others /livez': ({ daemon }) =>
    ['readinessProbe:/readyz', 'livenessProbe:/livez', 'startupProbe:/livez'].every((pair) => {
      const [name, path] = pair.split(':');
      return daemon[name].exec.command.at(-1) === path;
    }),
  'what is mounted is there': ({ pod, containers }) => {
    const volumes = pod.volumes.map(({ name }) => name);
    const mounted = containers.flatMap(({ volumeMounts }) => volumeMounts).map(({ name }) => name);
    return mounted.every((name) => volumes.includes(name)) && volumes.every((name) => mounted.includes(name));
  },
  'folders of the daemon are volumes that it may write': (parts) => {
    const written = parts.daemon.volumeMounts.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => `${mountPath}/`);
    const socket = listens(parts, 'unix://').slice('unix://'.length);
    const files = [socket, `${parts.setting('server.state_directory')}/`, `${parts.setting('cache.directory')}/`, '/tmp/'];
    return files.every((file) => written.some((folder) => file.startsWith(folder)));
  },
  'its memory holds what its devices and buffers may take': (parts) => {
    const limit = bytesOf(parts.daemon.resources.limits.memory);
    const has = (name) => parts.setting(name) !== 'false';
    const device = bytesOf(parts.setting('engine.memory_bytes'));
    const buffers = 1.25 * bytesOf(parts.setting('results.max_memory_bytes')) + bytesOf(parts.setting('grpc.memory_bytes')) +
      bytesOf(parts.setting('modules.max_total_bytes')) + bytesOf(parts.setting('jobs.max_request_bytes'));
    const compilers = has('cpu.enabled') ? parts.setting('compile.parallel') * bytesOf(parts.setting('compile.max_memory_bytes')) : 0;
    return buffers + compilers + (has('cpu.enabled') ? 2 * Math.max(device, 1) : 0) <= limit && (!has('cpu.enabled') || device > 0);
  },
  'a GPU is asked for where the daemon needs one': (parts) =>
    (parts.setting('cuda.enabled') === 'on') === ('nvidia.com/gpu' in parts.daemon.resources.limits),
  'a host has its pod\'s name': ({ daemon }) =>
    daemon.command.join(' ').endsWith(' --cluster-host $(POD_NAME)') &&
    daemon.env.some(({ name, valueFrom }) => name === 'POD_NAME' && valueFrom?.fieldRef.fieldPath === 'metadata.name'),
  'every container is confined, as the namespace demands': ({ pod, containers, of }) =>
    of('Namespace')[0].metadata.labels['pod-security.kubernetes.io/enforce'] === 'restricted' &&
    pod.securityContext.runAsNonRoot && pod.securityContext.runAsUser > 0 &&
    pod.securityContext.seccompProfile.type === 'RuntimeDefault' &&
    containers.every(({ securityContext }) => securityContext.allowPrivilegeEscalation === false &&
      securityContext.readOnlyRootFilesystem && securityContext.capabilities.drop.includes('ALL')),
  'whoever selects pods selects these': ({ deployment, of }) => {
    const labels = JSON.stringify(deployment.spec.template.metadata.labels);
    return [deployment.spec.selector.matchLabels, of('Service')[0].spec.selector, of('PodDisruptionBudget')[0].spec.selector.matchLabels]
      .every((selector) => JSON.stringify(selector) === labels);
  },
  'the settings are those of this installation': ({ pod, map }) =>
    pod.volumes.some(({ configMap }) => configMap?.name === map.metadata.name),
  'no secret is made': ({ of }) => of('Secret').length === 0,
  'the scaler scales this deployment, whose number it alone sets': ({ of, deployment }) =>
    of('HorizontalPodAutoscaler').every(({ spec }) =>
      spec.scaleTargetRef.name === deployment.metadata.name && deployment.spec.replicas === undefined),
  'the proxy reads the daemon\'s metrics alone': ({ proxy, setting }) =>
    !proxy || (proxy.args.includes(`--upstream=http://${setting('metrics.address')}/`) && proxy.args.includes('--allow-paths=/metrics')),
  'a token of the cluster\'s API is where the proxy is, and nowhere else': ({ pod, proxy }) => {
    const tokens = pod.volumes.filter(({ projected }) => projected?.sources.some((source) => source.serviceAccountToken));
    const uses = pod.containers.filter(({ volumeMounts }) => volumeMounts.some(({ name }) => tokens.some((token) => token.name === name)));
    return pod.automountServiceAccountToken === false && tokens.length === (proxy ? 1 : 0) && uses.every((container) => container === proxy);
  },
};

// What is wrong with an installation, a line for each; and how many checks were made.
export function check(objects, defaults) {
  const problems = objects.flatMap(problemsOf);
  if (problems.length > 0) return { problems, checks: objects.length };
  const parts = partsOf(objects, defaults);
  for (const [words, holds] of Object.entries(rules)) {
    let is = false;
    try {
      is = Boolean(holds(parts));
    } catch (error) {
      problems.push(`not so (${error.message}): ${words}`);
      continue;
    }
    if (!is) problems.push(`not so: ${words}`);
  }
  return { problems, checks: objects.length + Object.keys(rules).length };
}
