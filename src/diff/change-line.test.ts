import { expect, test } from 'vitest';
import { changeLine } from './change-line.ts';

const text = { type: 'string' };
const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        ports: { type: 'array', items: { type: 'object', properties: { name: text } } },
        labels: { type: 'object', additionalProperties: text },
        a: text,
        'a.b': text,
        constructor: text,
      },
    },
  },
};
const object = {
  spec: { versions: [{ name: 'v1beta1' }, { name: 'v1', schema: { openAPIV3Schema: schema } }] },
};

const v1 = 'spec/versions/1';
const root = `${v1}/schema/openAPIV3Schema`;

test.each([
  ['v1', '.spec', `${root}/properties/spec`],
  ['v1', '.spec.ports[].name', `${root}/properties/spec/properties/ports/items/properties/name`],
  ['v1', '.spec.labels.*', `${root}/properties/spec/properties/labels/additionalProperties`],
  // The longest existing name is used.
  ['v1', '.spec.a.b', `${root}/properties/spec/properties/a.b`],
  ['v1', '.spec.constructor', `${root}/properties/spec/properties/constructor`],
  // A removed field is reported at its parent.
  ['v1', '.spec.ports[].gone', `${root}/properties/spec/properties/ports/items`],
  ['v1', '.__proto__.x', root],
  ['v1', '', v1],
  ['v1beta1', '.spec', 'spec/versions/0'],
  // About the CRD.
  ['', '', undefined],
  ['v2', '.spec', undefined],
])('version "%s", %s: the line of %s', (version, path, expected) => {
  let asked: string | undefined;
  const lineAt = (steps: readonly string[]) => {
    asked = steps.join('/');
    return 7;
  };
  const line = changeLine({ object, line: 3, lineAt }, { version, path });
  expect([asked, line]).toEqual([expected, expected === undefined ? 3 : 7]);
  expect(changeLine({ object, line: 3 }, { version, path })).toBe(3);
});
