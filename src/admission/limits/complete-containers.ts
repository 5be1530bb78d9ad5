import {
  isObject,
  type JsonObject,
  type KubeObject,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';

const noteKey = 'kubernetes.io/limit-ranger';

/**
 * The pod with the default requests and limits of a LimitRange in its containers: the same one where none was missing.
 * Source: kubernetes, plugin/pkg/admission/limitranger, PodMutateLimitFunc.
 */
export function completeContainers(range: KubeObject, pod: KubeObject): KubeObject {
  const defaults = defaultsOf(range);
  const notes: string[] = [];
  const spec = { ...ownObject(pod, 'spec') };
  for (const [field, what] of lists) {
    const containers = ownList(spec, field);
    if (containers === undefined) continue;
    spec[field] = containers.map((one) => (isObject(one) ? completed(one, { defaults, what, notes }) : one));
  }
  if (notes.length === 0) return pod;
  const metadata = ownObject(pod, 'metadata') ?? {};
  const note = `LimitRanger plugin set: ${notes.join('; ')}`;
  const annotations = { ...ownObject(metadata, 'annotations'), [noteKey]: note };
  return { ...pod, metadata: { ...metadata, annotations }, spec };
}

const lists = [
  ['containers', 'container'],
  ['initContainers', 'init container'],
] as const;

interface Defaults {
  readonly requests: JsonObject;
  readonly limits: JsonObject;
}

function defaultsOf(range: KubeObject): Defaults {
  const limits = (ownList(ownObject(range, 'spec') ?? {}, 'limits') ?? []).filter(isObject);
  const ofContainers = limits.filter((limit) => ownString(limit, 'type') === 'Container');
  const merged = (field: string): JsonObject =>
    Object.assign({}, ...ofContainers.map((limit) => ownObject(limit, field)));
  return { requests: merged('defaultRequest'), limits: merged('default') };
}

function completed(
  container: JsonObject,
  parts: { readonly defaults: Defaults; readonly what: string; readonly notes: string[] },
): JsonObject {
  const { defaults, what, notes } = parts;
  const resources = { ...ownObject(container, 'resources') };
  let isChanged = false;
  for (const field of ['requests', 'limits'] as const) {
    const given = ownObject(resources, field) ?? {};
    const missing = Object.keys(defaults[field]).filter((name) => !Object.hasOwn(given, name));
    if (missing.length === 0) continue;
    isChanged = true;
    resources[field] = { ...defaults[field], ...given };
    const kind = field === 'requests' ? 'request' : 'limit';
    notes.push(`${missing.sort().join(', ')} ${kind} for ${what} ${ownString(container, 'name') ?? ''}`);
  }
  return isChanged ? { ...container, resources } : container;
}
