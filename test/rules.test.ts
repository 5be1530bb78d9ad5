import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { crdOf, versionOf } from './fixtures/crd.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ranges = '/apis/example.com/v1/namespaces/default/ranges';
const integer = { type: 'integer' };

/** Ranges whose ends are in order and whose name says what they are; the unit stays what it was. */
function rangeCrd(rules: JsonObject[]): KubeObject {
  const unit = {
    type: 'string',
    'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }],
  };
  const spec = {
    type: 'object',
    properties: { min: integer, max: integer, unit },
    'x-kubernetes-validations': rules,
  };
  return crdOf('Range', { versions: [versionOf({ spec })] });
}

const ordered = {
  rule: 'self.min <= self.max',
  messageExpression: "'%d is above %d'.format([self.min, self.max])",
  fieldPath: '.min',
};

let server: IlkServer;
beforeAll(async () => {
  server = await startServer({ crds: [rangeCrd([])], listen: false });
});
afterAll(() => server.close());

async function call(method: string, path: string, body?: unknown, type = 'application/json') {
  const init =
    body === undefined
      ? { method }
      : { method, headers: { 'content-type': type }, body: JSON.stringify(body) };
  const response = await server.fetch(path, init);
  const answer = JSON.parse(await response.text());
  return { code: response.status, answer, warning: response.headers.get('warning') };
}
const range = (name: string, spec: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Range',
  metadata: { name },
  spec,
});
const merge = (name: string, spec: object) =>
  call('PATCH', `${ranges}/${name}`, { spec }, 'application/merge-patch+json');

test('rules are checked with the definition, and hold for objects from then on', async () => {
  expect((await call('POST', ranges, range('old', { min: 2, max: 1, unit: 'm' }))).code).toBe(201);
  const schema = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/x-kubernetes-validations';
  const setRules = (rules: JsonObject[]) =>
    call(
      'PATCH',
      `${crds}/ranges.example.com`,
      [{ op: 'add', path: schema, value: rules }],
      'application/json-patch+json',
    );

  const wrong = await setRules([{ rule: 'self.min <= self.maximum' }]);
  expect(wrong.code).toBe(422);
  expect(wrong.answer.details.causes).toEqual([
    {
      reason: 'FieldValueInvalid',
      message:
        'Invalid value: {"Rule":"self.min \\u003c= self.maximum","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:17: undefined field \'maximum\'\n | self.min <= self.maximum\n | ................^',
      field: 'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule',
    },
  ]);
  expect((await setRules([ordered])).code).toBe(200);

  const refused = await call('POST', ranges, range('new', { min: 5, max: 3 }));
  expect(refused.code).toBe(422);
  expect(refused.answer.message).toBe(
    'Range.example.com "new" is invalid: spec.min: Invalid value: 5 is above 3',
  );
  expect((await call('POST', ranges, range('new', { min: 1, max: 3, unit: 'm' }))).code).toBe(201);
});

test('an object that was wrong before may stay so, with a warning', async () => {
  const kept = await call(
    'PATCH',
    `${ranges}/old`,
    { metadata: { labels: { a: 'b' } } },
    'application/merge-patch+json',
  );
  expect(kept.code).toBe(200);
  expect(kept.warning).toBe('299 - "spec.min: Invalid value: 2 is above 1"');
  expect((await merge('old', { max: 0 })).answer.message).toContain('spec.min: Invalid value: 2 is above 0');
});

test('a transition rule compares with the stored object', async () => {
  expect((await merge('new', { max: 4 })).code).toBe(200);
  expect((await merge('new', { unit: 'km' })).answer.message).toBe(
    'Range.example.com "new" is invalid: spec.unit: Invalid value: "km": is immutable',
  );
});
