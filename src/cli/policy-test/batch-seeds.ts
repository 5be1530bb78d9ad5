import { type KubeObject, nameOf, namespaceOf, ownString } from '../../meta/index.ts';
import type { LoadedObject } from '../../manifests/index.ts';
import { objectKey } from './batches.ts';
import { type PolicyCase, subjectOf } from './policy-case.ts';

interface BatchSeeds {
  readonly old: readonly LoadedObject[];
  readonly policies: readonly LoadedObject[];
  readonly inputs: readonly LoadedObject[];
}

/**
 * The objects of a server before the cases of a batch: their old objects, their namespaces with the given labels, and
 * the objects beside the cases.
 */
export function batchSeeds(cases: readonly PolicyCase[], beside: readonly LoadedObject[]): BatchSeeds {
  const old = new Map<string, LoadedObject>();
  const namespaces = new Map<string, LoadedObject>();
  for (const one of cases) {
    const { oldObject, namespaceLabels: labels } = one;
    if (oldObject !== undefined) old.set(objectKey(oldObject), loadedFrom(one, oldObject));
    const name = namespaceOf(subjectOf(one)) || 'default';
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: labels ?? {} } };
    if (labels !== undefined) namespaces.set(name, loadedFrom(one, namespace));
  }
  const isReplaced = ({ object }: LoadedObject) =>
    ownString(object, 'kind') === 'Namespace' && namespaces.has(nameOf(object));
  return {
    old: [...old.values()],
    policies: [...beside.filter((one) => !isReplaced(one)), ...namespaces.values()],
    inputs: cases.map((one) => loadedFrom(one, subjectOf(one))),
  };
}

function loadedFrom({ file, line }: PolicyCase, object: KubeObject): LoadedObject {
  return { file, line, object, duplicates: [], lineAt: () => line };
}
