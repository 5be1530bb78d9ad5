import { expect, test } from 'vitest';
import { KindSchema, type Schema } from '../src/api/kind-schema.ts';
import { typedValue, withField, withoutField } from '../src/form/edit-text.ts';
import { requiredText } from '../src/form/skeleton.ts';

const text = 'kind: Boat # a boat\nspec:\n  color: red\n';

test.each<[string, readonly (string | number)[], unknown, string]>([
  [text, ['spec', 'color'], 'true', 'kind: Boat # a boat\nspec:\n  color: "true"\n'],
  [text, ['spec', 'size'], 12345678901234567890n, `${text}  size: 12345678901234567890\n`],
  ['kind: Boat\nspec:\n', ['spec', 'color'], 'red', 'kind: Boat\nspec:\n  color: red\n'],
  ['spec: {}\n', ['spec', 'ports', 0], { a: 1 }, 'spec:\n  ports:\n    - a: 1\n'],
  ['spec: {}\n', ['spec', '__proto__'], 'x', 'spec:\n  __proto__: x\n'],
  ['', ['metadata', 'name'], 'a', 'metadata:\n  name: a\n'],
])('%j with %j', (before, path, value, after) => expect(withField(before, path, value)).toBe(after));

test('a field is taken away, and what is around it stays', () => {
  expect(withoutField(text, ['spec', 'color'])).toBe('kind: Boat # a boat\nspec: {}\n');
});

test.each<[string, string | undefined, unknown]>([
  ['12', 'integer', 12n],
  ['12a', 'integer', '12a'],
  ['1.5', 'number', 1.5],
  ['1.5', 'integer', '1.5'],
  ['', 'number', ''],
  ['true', 'boolean', true],
  ['true', 'string', 'true'],
])('%j typed into a field of type %s', (typed, type, value) => expect(typedValue(typed, type)).toBe(value));

test('a skeleton has what must be there', () => {
  const spec: Schema = {
    type: 'object',
    required: ['color', 'port', 'owner', 'size', 'tags', '__proto__', 'mast'],
    properties: JSON.parse(`{
      "color": {"enum": ["blue", "red"]}, "port": {"type": "string"}, "size": {"type": "integer", "minimum": 3},
      "owner": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "mail": {"type": "string"}}},
      "tags": {"type": "array"}, "mast": {"type": "integer", "default": 1}, "other": {"type": "string"}}`),
  };
  const schema = new KindSchema({}, { type: 'object', properties: { metadata: {}, spec, status: {} } });
  expect(requiredText(schema)).toBe(
    'spec:\n  color: "blue"\n  port: ""\n  size: 3\n  owner:\n    name: ""\n  tags: []\n',
  );
});
