import { setMaxListeners } from 'node:events';
import {
  type KubeObject,
  metadataString,
  nameOf,
  own,
  ownList,
  ownObject,
  isObject,
  timeoutError,
} from '../meta/index.ts';
import type { Registry, Target } from '../registry/index.ts';
import {
  bodyOf,
  controllerContext,
  isAlreadyExists,
  isConflict,
  objectTargetOf,
  targetOf,
} from './client.ts';

const options = { dryRun: false, fieldManager: 'ilk', fieldValidation: 'Strict' } as const;
const crdResource = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };

/**
 * Creates CRDs, or updates those that are there, and waits until every one of them is established.
 *
 * @throws {StatusError} the refusal of a CRD that is wrong, 504 where one is not established in time
 */
export async function installCrds(
  registry: Registry,
  crds: readonly KubeObject[],
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<void> {
  const target = await targetOf(registry, crdResource);
  for (const crd of crds) await installCrd(registry, target, crd, signal);
  const late = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  setMaxListeners(0, late);
  await Promise.all(crds.map((crd) => established(registry, target, nameOf(crd), late)));
}

async function installCrd(
  registry: Registry,
  target: Target,
  crd: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const context = controllerContext('ilk', signal);
  try {
    await registry.create({ target, body: bodyOf(crd), options, context });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await replaceCrd(registry, target, crd, signal);
  }
}

/** So often another server that starts with the same CRDs may come between. */
const replaceAttemptsMax = 10;

async function replaceCrd(
  registry: Registry,
  target: Target,
  crd: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await replaceOnce(registry, target, crd, signal);
    } catch (error) {
      if (!isConflict(error) || attempt === replaceAttemptsMax) throw error;
    }
  }
}

async function replaceOnce(
  registry: Registry,
  target: Target,
  crd: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const context = controllerContext('ilk', signal);
  const one = objectTargetOf(target, nameOf(crd));
  const present = (await registry.get({ target: one, resourceVersion: '', context })).object();
  const metadata = ownObject(crd, 'metadata') ?? {};
  const resourceVersion = metadataString(present, 'resourceVersion');
  const body = bodyOf({ ...crd, metadata: { ...metadata, resourceVersion } });
  await registry.update({ target: one, body, options, context });
}

/** Follows one CRD until it says that it is established. */
async function established(
  registry: Registry,
  target: Target,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const context = controllerContext('ilk', signal);
  const watch = await registry.watchOne(target, name, context);
  try {
    for await (const notices of watch) {
      for (const notice of notices) {
        if ('rendered' in notice && isEstablished(notice.rendered.object())) return;
      }
    }
  } finally {
    watch.close();
  }
  throw timeoutError(`CustomResourceDefinition ${name} was not established`);
}

function isEstablished(crd: KubeObject): boolean {
  const conditions = ownList(ownObject(crd, 'status') ?? {}, 'conditions') ?? [];
  return conditions.some(
    (one) => isObject(one) && own(one, 'type') === 'Established' && own(one, 'status') === 'True',
  );
}
