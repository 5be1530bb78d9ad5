import {
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  namespaceOf,
  own,
  ownString,
  parseGroupVersion,
  StatusError,
} from '../meta/index.ts';
import { type Registry, type RequestContext, type Served, type Target, targetOf } from '../registry/index.ts';
import { bodyOf, controllerContext, isAlreadyExists, objectTargetOf, servedTarget } from './client.ts';

const options = { dryRun: false, fieldManager: 'ilk', fieldValidation: 'Strict' } as const;

/**
 * Creates objects as a test wants to find them, status and all: what `/status` keeps is written there. An object that
 * is there already is replaced; a namespace that is missing is made; one that is not named is `default`.
 *
 * @throws {StatusError} 404 for a kind that nobody serves, and the refusal of an object that is wrong
 */
export async function seedObjects(
  registry: Registry,
  objects: readonly KubeObject[],
  signal: AbortSignal,
): Promise<void> {
  const context = controllerContext('ilk', signal);
  for (const object of objects) {
    const target = await targetOfObject(registry, object);
    await ensureNamespace(registry, target.namespace, context);
    await seedObject(registry, target, { object, context });
  }
}

async function targetOfObject(registry: Registry, object: KubeObject): Promise<Target> {
  const served = await servedKind(registry, object);
  const namespace = served.type.namespaced ? namespaceOf(object) || 'default' : '';
  return targetOf(served, namespace);
}

async function servedKind(registry: Registry, object: KubeObject): Promise<Served> {
  const apiVersion = ownString(object, 'apiVersion') ?? '';
  const kind = ownString(object, 'kind') ?? '';
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  const catalog = await registry.freshCatalog();
  const resource = catalog.resources.find(({ type }) => type.group === group && type.kind === kind);
  const served = resource && catalog.find(group, version, resource.type.resource);
  if (served !== undefined) return served;
  const message = `no matches for kind "${kind}" in version "${apiVersion}"`;
  throw new StatusError({ code: 404, reason: 'NotFound', message });
}

async function ensureNamespace(registry: Registry, name: string, context: RequestContext): Promise<void> {
  if (name === '') return;
  const target = await servedTarget(registry, { group: '', version: 'v1', resource: 'namespaces' });
  if ((await registry.readStored(target, name)) !== undefined) return;
  const body = bodyOf({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  try {
    await registry.create({ target, body, options, context });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

interface Seed {
  readonly object: KubeObject;
  readonly context: RequestContext;
}

async function seedObject(registry: Registry, target: Target, seed: Seed): Promise<void> {
  const written = await createOrReplace(registry, target, seed);
  const status = own(seed.object, 'status');
  if (status === undefined || !target.version.subresources.status) return;
  const one = objectTargetOf(target, nameOf(written), 'status');
  await registry.update({
    target: one,
    body: bodyOf({ ...written, status }),
    options,
    context: seed.context,
  });
}

async function createOrReplace(
  registry: Registry,
  target: Target,
  { object, context }: Seed,
): Promise<KubeObject> {
  try {
    return (await registry.create({ target, body: bodyOf(object), options, context })).object();
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const one = objectTargetOf(target, nameOf(object));
  const present = (await registry.get({ target: one, resourceVersion: '', context })).object();
  const resourceVersion = metadataString(present, 'resourceVersion');
  const body = bodyOf({ ...object, metadata: { ...metadataOf(object), resourceVersion } });
  return (await registry.update({ target: one, body, options, context })).rendered.object();
}
