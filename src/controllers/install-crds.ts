import { setMaxListeners } from 'node:events';
import { apiApprovalCondition, hasItsNames, setCondition } from '../crd/index.ts';
import {
  type Clock,
  type KubeObject,
  metadataString,
  nameOf,
  own,
  ownList,
  ownObject,
  isObject,
  timeoutError,
} from '../meta/index.ts';
import type { Registry, Resource, Target } from '../registry/index.ts';
import {
  bodyOf,
  controllerContext,
  isAlreadyExists,
  isConflict,
  objectTargetOf,
  servedTarget,
} from './client.ts';
import { groupOf, namesPart, settle } from './crd-names.ts';

const options = { dryRun: false, fieldManager: 'ilk', fieldValidation: 'Strict' } as const;
const crdResource = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };

/** How CRDs are installed. */
interface InstallCrdsOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** True where no other server writes to the store: then the names that are free here are free. */
  readonly alone: boolean;
}

/**
 * Creates or updates CRDs, and waits until all of them are established. On storage of one server,
 * a new CRD whose names are accepted is stored with names and conditions, which its controllers would write one by one.
 *
 * @throws {StatusError} the refusal of an invalid CRD, 504 if one is not established in time
 */
export async function installCrds(
  registry: Registry,
  crds: readonly KubeObject[],
  { signal, timeoutMs, clock, alone }: InstallCrdsOptions,
): Promise<void> {
  const target = await servedTarget(registry, crdResource);
  const known = await takenNames(registry);
  const settle = (crd: KubeObject) => (alone ? settleNew(crd, known, clock.now()) : undefined);
  for (const crd of crds) await installCrd({ registry, target, settle, signal }, crd);
  const late = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  setMaxListeners(0, late);
  const { resources } = await registry.freshCatalog();
  const served = new Set(resources.filter(({ type }) => type.served).map(nameOfType));
  const waiting = crds.filter((crd) => !served.has(nameOf(crd)));
  await Promise.all(waiting.map((crd) => established(registry, target, nameOf(crd), late)));
}

function nameOfType({ type }: Resource): string {
  return `${type.resource}.${type.group}`;
}

/** The accepted names of CRDs, for {@link settle}; those that wait for a name have none. */
async function takenNames(registry: Registry): Promise<KubeObject[]> {
  const { resources } = await registry.freshCatalog();
  return resources.flatMap(({ type }) => {
    if (type.isBuiltIn || !type.served) return [];
    const { group, resource, singular, kind, listKind, shortNames } = type;
    const acceptedNames = { plural: resource, singular, kind, listKind, shortNames: [...shortNames] };
    return [{ spec: { group }, status: { acceptedNames } }];
  });
}

/** One whose names are not accepted is left to its controllers, which report the reason and retry. */
function settleNew(crd: KubeObject, known: KubeObject[], nowMs: number): void {
  const others = known.filter((other) => groupOf(other) === groupOf(crd));
  const settled = settle(crd, others, nowMs);
  if (settled !== undefined && hasItsNames(settled)) {
    crd['status'] = own(settled, 'status') ?? {};
    const approval = apiApprovalCondition(crd);
    if (approval !== undefined) setCondition(crd, approval, nowMs);
  }
  known.push(namesPart(crd));
}

interface Installing {
  readonly registry: Registry;
  readonly target: Target;
  readonly settle: (crd: KubeObject) => void;
  readonly signal: AbortSignal;
}

async function installCrd({ registry, target, settle, signal }: Installing, crd: KubeObject): Promise<void> {
  const context = controllerContext('ilk', signal);
  try {
    await registry.create({ target, body: bodyOf(withoutVersion(crd)), options, context, settle });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await replaceCrd(registry, target, crd, signal);
  }
}

/** CRDs that were read from a cluster have a resourceVersion of that cluster. */
function withoutVersion(crd: KubeObject): KubeObject {
  const { resourceVersion, ...metadata } = ownObject(crd, 'metadata') ?? {};
  return resourceVersion === undefined ? crd : { ...crd, metadata };
}

/** The maximum number of conflicts with another server that starts with the same CRDs. */
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

/** Follows one CRD until it is established. */
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
        if ('responseObject' in notice && isEstablished(notice.responseObject.object())) return;
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
