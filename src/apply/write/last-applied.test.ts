import { describe, expect, test } from 'vitest';
import { type JsonObject, type KubeObject, metadataOf, ownObject, ownString } from '../../meta/index.ts';
import { apply, typeFromStructuralSchema, update } from '../index.ts';
import { ApplyConflictError } from '../managers/conflict.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const type = typeFromStructuralSchema({
  type: 'object',
  properties: { spec: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } } },
});
const optionsOf = (manager: string) => ({
  manager,
  apiVersion: 'g/v1',
  kind: 'Thing',
  force: false,
  nowMs: 0,
  typeOf: () => type,
  convert: (object: KubeObject) => object,
});
const thing = (spec: JsonObject, annotations?: JsonObject): KubeObject => ({
  apiVersion: 'g/v1',
  kind: 'Thing',
  metadata: { name: 'x', ...(annotations === undefined ? {} : { annotations }) },
  spec,
});
/** As written by `kubectl apply` without `--server-side`. */
function clientApplied(spec: JsonObject): KubeObject {
  const annotations = { [annotation]: JSON.stringify(thing(spec)) };
  return update(undefined, thing(spec, annotations), optionsOf('kubectl-client-side-apply'));
}
const lastAppliedOf = (object: KubeObject) =>
  ownString(ownObject(metadataOf(object), 'annotations') ?? {}, annotation);

describe('an object that kubectl applied on the client side', () => {
  test('may be taken over by kubectl without force', () => {
    const { object } = apply(clientApplied({ a: '1' }), thing({ a: '2' }), optionsOf('kubectl'));
    expect(object['spec']).toEqual({ a: '2' });
    expect(lastAppliedOf(object)).toBe(
      '{"apiVersion":"g/v1","kind":"Thing","metadata":{"name":"x"},"spec":{"a":"2"}}\n',
    );
  });

  test('conflicts for everybody else', () => {
    const live = clientApplied({ a: '1' });
    expect(() => apply(live, thing({ a: '2' }), optionsOf('other'))).toThrow(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using g/v1: .spec.a',
    );
  });

  test('conflicts only in fields that were changed since', () => {
    const live = clientApplied({ a: '1', b: '1' });
    const changed = update(live, { ...live, spec: { a: '1', b: 'c' } }, optionsOf('c'));
    expect(() => apply(changed, thing({ a: '2', b: '2' }), optionsOf('kubectl'))).toThrow(
      'Apply failed with 1 conflict: conflict with "c" using g/v1: .spec.b',
    );
  });

  test.each(['not json', '5', '{"apiVersion":"g/v2","kind":"Thing"}', '{"apiVersion":"g/v1","x":1}'])(
    'conflicts where the annotation is %s',
    (text) => {
      const live = clientApplied({ a: '1' });
      const object = { ...live, metadata: { ...metadataOf(live), annotations: { [annotation]: text } } };
      expect(() => apply(object, thing({ a: '2' }), optionsOf('kubectl'))).toThrow(ApplyConflictError);
    },
  );

  test('loses the annotation where it would become too large', () => {
    const live = clientApplied({ a: '1' });
    const { object } = apply(live, thing({ a: 'x'.repeat(256 * 1024) }), optionsOf('kubectl'));
    expect(lastAppliedOf(object)).toBeUndefined();
  });

  test('gets the annotation of an apply that changes nothing else, and stays as it is when that is the same', () => {
    const live = clientApplied({ a: '1' });
    const first = apply(live, thing({ a: '1' }, { note: '<b>' }), optionsOf('kubectl'));
    expect(lastAppliedOf(first.object)).toBe(
      '{"apiVersion":"g/v1","kind":"Thing","metadata":{"annotations":{"note":"\\u003cb\\u003e"},"name":"x"},"spec":{"a":"1"}}\n',
    );
    const second = apply(first.object, thing({ a: '1' }, { note: '<b>' }), optionsOf('kubectl'));
    expect(second).toEqual({ object: first.object, changed: false });
  });
});
