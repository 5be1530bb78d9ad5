import { computed, signal } from '@preact/signals';
import { type Liveness, follow } from '../api/follow.ts';
import { discoverKinds, type Kind } from '../api/kinds.ts';
import type { KubeList, KubeObject } from '../api/kube-object.ts';
import { getJson } from '../api/request.ts';
import { isAborted } from '../api/api-error.ts';
import { signedIn } from '../app/session.ts';
import { type Definition, definitionOf } from './definition.ts';

/** All kinds of the server; undefined until they are known. */
export const kinds = signal<readonly Kind[] | undefined>(undefined);
/** Their CRDs by `plural.group`; empty for users who may not list CRDs. */
export const definitions = signal<ReadonlyMap<string, Definition>>(new Map());
export const kindsError = signal<unknown>(undefined);
const definitionsLiveness = signal<Liveness>({ state: 'loading' });

/** The state of the watch. */
export const kindsLiveness = computed<Liveness>(() => definitionsLiveness.value);

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** CRDs can be large. */
const pageObjects = 50;
/** The poll interval for users who may not watch CRDs. */
const pollMs = 10_000;
/** CRDs are often created in batches. */
const settleMs = 300;

/** Keeps the lists current until `signal` is aborted. */
export function followKinds(abort: AbortSignal): void {
  void loadKinds(abort);
  void follow<KubeObject>({
    path: definitionsPath,
    list: listDefinitions,
    onEvents: (events) => {
      const next = new Map(definitions.value);
      for (const { type, object } of events) {
        if (type === 'DELETED') next.delete(object.metadata.name);
        else next.set(object.metadata.name, definitionOf(object));
      }
      definitions.value = next;
      loadSoon(abort);
    },
    onLiveness: (liveness) => {
      definitionsLiveness.value = liveness;
      if (liveness.state === 'live') void loadKinds(abort);
    },
    revisionOf: ({ metadata }) => metadata.resourceVersion,
    signedIn,
    signal: abort,
  }).then(() => pollKinds(abort));
}

async function listDefinitions(abort: AbortSignal): Promise<string> {
  const next = new Map<string, Definition>();
  let token = '';
  let revision = '';
  do {
    const path = `${definitionsPath}?limit=${pageObjects}&continue=${encodeURIComponent(token)}`;
    const { metadata, items } = await getJson<KubeList<KubeObject>>(path, { signal: abort });
    for (const item of items) next.set(item.metadata.name, definitionOf(item));
    token = metadata.continue ?? '';
    revision = metadata.resourceVersion ?? '';
  } while (token !== '');
  definitions.value = next;
  return revision;
}

async function loadKinds(abort: AbortSignal): Promise<void> {
  try {
    kinds.value = await discoverKinds(abort);
    kindsError.value = undefined;
  } catch (error) {
    if (!isAborted(error)) kindsError.value = error;
  }
}

let soon: ReturnType<typeof setTimeout> | undefined;

function loadSoon(abort: AbortSignal): void {
  clearTimeout(soon);
  soon = setTimeout(() => void loadKinds(abort), settleMs);
}

async function pollKinds(abort: AbortSignal): Promise<void> {
  while (!abort.aborted) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    if (!abort.aborted && !document.hidden) await loadKinds(abort);
  }
}

/** The kind of a path; undefined until it is known. */
export function findKind(group: string, plural: string): Kind | undefined {
  return kinds.value?.find((kind) => kind.group === group && kind.plural === plural);
}

/** The CRD of a kind, if it has a visible one. */
export function definitionFor({ group, plural }: Pick<Kind, 'group' | 'plural'>): Definition | undefined {
  return definitions.value.get(`${plural}.${group}`);
}

/** Built-in groups are those of upstream's server without CRDs. */
export function isBuiltIn(kind: Pick<Kind, 'group' | 'plural'>): boolean {
  if (definitionFor(kind) !== undefined) return false;
  return kind.group === '' || !kind.group.includes('.') || kind.group.endsWith('.k8s.io');
}
