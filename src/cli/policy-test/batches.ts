import { type KubeObject, nameOf, namespaceOf, ownString } from '../../meta/index.ts';
import { type PolicyCase, subjectOf } from './policy-case.ts';

/** What a case needs to be there, or not to be there, by what it is about. */
type Needs = ReadonlyMap<string, string>;

/**
 * Cases that one server can be asked: no two of them need another state of the same object or namespace. Every case is a
 * dry run, so that none sees another.
 */
export function batchesOf(cases: readonly PolicyCase[]): readonly (readonly PolicyCase[])[] {
  const batches: { readonly state: Map<string, string>; readonly cases: PolicyCase[] }[] = [];
  for (const one of cases) {
    const needs = needsOf(one);
    let batch = batches.find(({ state }) => agrees(state, needs));
    if (batch === undefined) batches.push((batch = { state: new Map(), cases: [] }));
    for (const [key, value] of needs) batch.state.set(key, value);
    batch.cases.push(one);
  }
  return batches.map((batch) => batch.cases);
}

function agrees(state: ReadonlyMap<string, string>, needs: Needs): boolean {
  for (const [key, value] of needs) if ((state.get(key) ?? value) !== value) return false;
  return true;
}

function needsOf(one: PolicyCase): Needs {
  const { oldObject, namespaceLabels } = one;
  const subject = subjectOf(one);
  return new Map([
    [objectKey(subject), textOf(oldObject)],
    [`namespace ${namespaceOf(subject) || 'default'}`, textOf(namespaceLabels)],
  ]);
}

/** Which object it is, whatever its version. */
export function objectKey(object: KubeObject): string {
  const group = (ownString(object, 'apiVersion') ?? '').replace(/\/?[^/]*$/, '');
  const kind = ownString(object, 'kind') ?? '';
  return JSON.stringify([group, kind, namespaceOf(object) || 'default', nameOf(object)]);
}

/** Empty for what is not there. */
function textOf(value: KubeObject | undefined): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item)) ?? '';
}
