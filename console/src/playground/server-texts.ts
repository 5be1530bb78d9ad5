import { send, getJson } from '../api/request.ts';
import type { KubeList, KubeObject } from '../api/kube-object.ts';
import { member } from '../api/kube-object.ts';
import { collectionPath, objectPath, type ResourceRef } from '../api/paths.ts';
import { appliedText } from '../object/yaml-text.ts';
import type { PlaygroundCase } from './playground-case.ts';

const group = 'admissionregistration.k8s.io';
export const definitionsRef: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
};
const policyKinds = [
  { plural: 'validatingadmissionpolicies', bindings: 'validatingadmissionpolicybindings' },
  { plural: 'mutatingadmissionpolicies', bindings: 'mutatingadmissionpolicybindings' },
] as const;
/** The limit of lists for selection. */
const choicesMax = 500;

/** A policy of the server. */
export interface PolicyRef {
  readonly plural: string;
  readonly name: string;
}

/** The policies visible to the user. */
export async function listPolicies(abort: AbortSignal): Promise<readonly PolicyRef[]> {
  const lists = policyKinds.map(async ({ plural }) => {
    const path = `${collectionPath({ group, version: 'v1', plural })}?limit=${choicesMax}`;
    try {
      const { items } = await getJson<KubeList<KubeObject>>(path, { signal: abort });
      return items.map(({ metadata }) => ({ plural, name: metadata.name }));
    } catch {
      // Users who may not list policies can still write their own.
      return [];
    }
  });
  return (await Promise.all(lists)).flat();
}

/** A CRD, and the first of its objects, if any. */
export async function loadDefinition(
  name: string,
  objects: ResourceRef | undefined,
): Promise<Partial<PlaygroundCase>> {
  const definition = await textAt(objectPath(definitionsRef, '', name));
  const object = objects === undefined ? '' : await firstOf(objects);
  return { definition, ...(object === '' ? {} : { object, oldObject: '' }) };
}

async function firstOf(ref: ResourceRef): Promise<string> {
  try {
    const { items } = await getJson<KubeList<KubeObject>>(`${collectionPath(ref)}?limit=1`);
    const [first] = items;
    if (first === undefined) return '';
    return await textAt(objectPath(ref, first.metadata.namespace ?? '', first.metadata.name));
  } catch {
    return '';
  }
}

/** An object as the old and the new object, with its CRD if it has one. */
export async function loadObject(
  ref: ResourceRef,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<Partial<PlaygroundCase>> {
  const object = await textAt(objectPath(ref, namespace, name));
  const isDefined = ref.group.includes('.') && !ref.group.endsWith('.k8s.io');
  const definition = isDefined
    ? await textAt(objectPath(definitionsRef, '', `${ref.plural}.${ref.group}`))
    : '';
  return { object, oldObject: object, definition };
}

/** A policy with its bindings. */
export async function loadPolicy({ plural, name }: PolicyRef): Promise<Partial<PlaygroundCase>> {
  const policy = await textAt(objectPath({ group, version: 'v1', plural }, '', name));
  const bindings = policyKinds.find((kind) => kind.plural === plural)?.bindings ?? '';
  const ref = { group, version: 'v1', plural: bindings };
  const { items } = await getJson<KubeList<KubeObject>>(`${collectionPath(ref)}?limit=${choicesMax}`);
  const own = items.filter(({ spec }) => member(spec, 'policyName') === name);
  const texts = await Promise.all(own.map(({ metadata }) => textAt(objectPath(ref, '', metadata.name))));
  return { policies: [policy, ...texts].join('---\n') };
}

async function textAt(path: string): Promise<string> {
  const text = await (await send(path, { accept: 'application/yaml' })).text();
  return appliedText(text);
}
