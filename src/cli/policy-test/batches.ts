import { type KubeObject, nameOf, namespaceOf, ownString } from '../../meta/index.ts';
import { type PolicyCase, subjectOf } from './policy-case.ts';

/** The required state of an object or namespace for a case, by its identity. */
type Needs = ReadonlyMap<string, string>;

/**
 * Divides cases into batches for one server each: no two cases of a batch need different states of the same object or
 * namespace. Every case is a dry run, so cases do not affect each other.
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

/** The identity of an object, without its version. */
export function objectKey(object: KubeObject): string {
  const group = (ownString(object, 'apiVersion') ?? '').replace(/\/?[^/]*$/, '');
  const kind = ownString(object, 'kind') ?? '';
  return JSON.stringify([group, kind, namespaceOf(object) || 'default', nameOf(object)]);
}

/** Empty for an absent object. */
function textOf(value: KubeObject | undefined): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item)) ?? '';
}
