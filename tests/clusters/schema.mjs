// Whether an object is one that Kubernetes would take, by the models of the package kubernetes-models.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.env.WASMBURST_PACKAGES, 'package.json'));

// The file of a kind's schema: IoK8sApiAppsV1Deployment for a Deployment of apps/v1.
function schemaOf({ apiVersion = '', kind = '' }) {
  const [version, group = 'core'] = apiVersion.split('/').reverse();
  const words = [group.split('.')[0], version].map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const models = require.resolve('kubernetes-models').replace(/index\.\w+$/, '');
  return require(join(models, '_schemas', `IoK8sApi${words.join('')}${kind}.js`));
}

// The models take fields that they do not know, where a cluster refuses them. Their code reads every field that
// it knows, so what it has not read is unknown.
function watched(value, readOf) {
  if (value === null || typeof value !== 'object') return value;
  const read = new Set();
  readOf.set(value, read);
  const children = new Map();
  return new Proxy(value, {
    get(target, key) {
      if (!(key in target) || typeof key === 'symbol') return target[key];
      read.add(key);
      if (!children.has(key)) children.set(key, watched(target[key], readOf));
      return children.get(key);
    },
  });
}

function unknownFields(value, readOf, path) {
  if (value === null || typeof value !== 'object') return [];
  const read = readOf.get(value);
  return Object.keys(value).flatMap((key) =>
    read?.has(key) ? unknownFields(value[key], readOf, `${path}/${key}`) : [`${path}/${key}: there is no such field`]);
}

// What is wrong with an object, a line for each.
export function problemsOf(object) {
  let schema;
  try {
    schema = schemaOf(object);
  } catch {
    return [`${object.apiVersion} ${object.kind}: there is no such kind`];
  }
  const readOf = new Map();
  const name = `${object.kind} ${object.metadata?.name}`;
  if (!schema.validate(watched(object, readOf))) {
    return schema.validate.errors.map((error) => `${name}${error.instancePath}: ${error.keyword} ${JSON.stringify(error.params)}`);
  }
  return unknownFields(object, readOf, name);
}
