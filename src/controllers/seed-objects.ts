import { type KubeObject, namespaceOf, ownString, parseGroupVersion, StatusError } from '../meta/index.ts';
import { type Registry, type RequestContext, type Target, targetOf } from '../registry/index.ts';
import { bodyOf, controllerContext, isAlreadyExists, servedTarget } from './client.ts';
import { restoreObject } from './restore-object.ts';
import { RestoredUids } from './restored-uids.ts';

const options = { dryRun: false, fieldManager: 'ilk', fieldValidation: 'Strict' } as const;

/**
 * Creates objects with their status: fields of `/status` are written there. An object that
 * exists already is replaced; a missing namespace is created; the default namespace is `default`.
 *
 * @throws {StatusError} 404 for a kind that is not served, and the refusal of an invalid object
 */
export async function seedObjects(
  registry: Registry,
  objects: readonly KubeObject[],
  signal: AbortSignal,
): Promise<void> {
  const context = controllerContext(options.fieldManager, signal);
  const uids = await RestoredUids.read(registry, objects, context);
  for (const object of objects) {
    const target = await targetOfObject(registry, object);
    await ensureNamespace(registry, target.namespace, context);
    await restoreObject(registry, target, object, {
      context,
      fieldValidation: 'Strict',
      withStatus: true,
      uid: uids.claim(object),
    });
  }
}

/** Where an object is, or would be; one that names no namespace is in `default`. @throws {StatusError} 404 for a kind that is not served */
export async function targetOfObject(registry: Registry, object: KubeObject): Promise<Target> {
  const apiVersion = ownString(object, 'apiVersion') ?? '';
  const kind = ownString(object, 'kind') ?? '';
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  const catalog = await registry.freshCatalog();
  const resource = catalog.resources.find(({ type }) => type.group === group && type.kind === kind);
  const served = resource && catalog.find(group, version, resource.type.resource);
  if (served === undefined) {
    const message = `no matches for kind "${kind}" in version "${apiVersion}"`;
    throw new StatusError({ code: 404, reason: 'NotFound', message });
  }
  return targetOf(served, served.type.namespaced ? namespaceOf(object) || 'default' : '');
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
