import { describe, expect, test } from 'vitest';
import { exactText, parseExactly } from '../src/api/exact-json.ts';
import { KindSchema, type Schema } from '../src/api/kind-schema.ts';
import { type Field, SchemaTree } from '../src/definition/schema-tree.ts';
import { behaviourWords, keyWords, ruleTexts, validationWords } from '../src/definition/schema-words.ts';
import { keyToAction } from '../src/definition/tree-keys.ts';

const text: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});
const treeOf = (root: Schema, schemas: Record<string, Schema> = {}) =>
  new SchemaTree(new KindSchema(schemas, root));
const paths = (fields: readonly Field[]) => fields.map(({ path }) => path);
const all = () => true;

describe('a schema as a tree', () => {
  const tree = treeOf(
    object({
      spec: object(
        {
          ports: { type: 'array', items: object({ name: text, number: { type: 'integer' } }) },
          limits: { type: 'object', additionalProperties: { type: 'integer' } },
          pools: { type: 'object', additionalProperties: object({ size: { type: 'integer' } }) },
          matrix: { type: 'array', items: { type: 'array', items: object({ cell: text }) } },
        },
        { required: ['ports'] },
      ),
    }),
  );

  test('fields of items and entries stand below the list and the map', () => {
    expect(paths(tree.rows(all))).toEqual([
      '.spec',
      '.spec.ports',
      '.spec.ports[].name',
      '.spec.ports[].number',
      '.spec.limits',
      '.spec.pools',
      '.spec.pools.*.size',
      '.spec.matrix',
      '.spec.matrix[]',
      '.spec.matrix[][].cell',
    ]);
  });

  test('only what is open is there', () => {
    expect(paths(tree.rows(({ name }) => name === 'spec'))).toEqual([
      '.spec',
      '.spec.ports',
      '.spec.limits',
      '.spec.pools',
      '.spec.matrix',
    ]);
    const [, ports] = tree.rows(all);
    expect(ports).toMatchObject({ isRequired: true, position: 1, siblings: 4, level: 3, hasChildren: true });
  });

  test('a search keeps what is above a match', () => {
    const { shown, matches, isComplete } = tree.search('ports NAME');
    expect([paths(matches), isComplete]).toEqual([['.spec.ports[].name'], true]);
    expect(paths(tree.rows(all, ({ key }) => shown.has(key)))).toEqual([
      '.spec',
      '.spec.ports',
      '.spec.ports[].name',
    ]);
  });

  test('a path leads to its field, or to the nearest above it', () => {
    expect(paths(tree.find('.spec.ports[].name'))).toEqual(['.spec', '.spec.ports', '.spec.ports[].name']);
    expect(paths(tree.find('.spec.limits.*'))).toEqual(['.spec', '.spec.limits']);
    expect(paths(tree.find('.status'))).toEqual([]);
  });

  test('names that mean something elsewhere are names', () => {
    const names = JSON.parse(
      '{"__proto__":{"type":"string"},"a.b":{"type":"string"},"a\\nb":{"type":"string"},"[]":{"type":"string"}}',
    );
    const fields = treeOf(object(names)).rows(all);
    expect(fields.map(({ name }) => name)).toEqual(['__proto__', 'a.b', 'a\nb', '[]']);
    expect(new Set(fields.map(({ key }) => key)).size).toBe(4);
  });

  test('a schema that refers to itself has no end, and a search ends', () => {
    const self: Schema = { $ref: '#/components/schemas/self' };
    const endless = treeOf(self, { self: object({ left: self, right: self }) });
    expect(paths(endless.rows(({ level }) => level < 3))).toEqual([
      '.left',
      '.left.left',
      '.left.right',
      '.right',
      '.right.left',
      '.right.right',
    ]);
    expect(endless.search('left').isComplete).toBe(false);
  });
});

describe('a schema in words', () => {
  test.each<[Schema, readonly string[]]>([
    [{ type: 'integer', minimum: 1, maximum: 5, exclusiveMaximum: true }, ['at least 1', 'less than 5']],
    [{ type: 'string', minLength: 1, pattern: '^a' }, ['at least 1 character', 'matches ^a']],
    [{ type: 'array', maxItems: 3, uniqueItems: true }, ['at most 3 items', 'no item twice']],
    [
      { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b', 'c'] }] },
      ['exactly one of: with a; or with b and c'],
    ],
    [{ not: { required: ['a'] } }, ['not: with a']],
    [
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      ['a whole number, or a text', 'any of: integer; or string'],
    ],
  ])('%j', (schema, words) => expect(validationWords(schema)).toEqual(words));

  test('rules say when they judge', () => {
    const rules = [
      { rule: 'self == oldSelf' },
      { rule: 'self.a < self.b', message: 'a is less than b', fieldPath: '.a' },
    ];
    expect(ruleTexts({ 'x-kubernetes-validations': rules })).toEqual([
      {
        rule: 'self == oldSelf',
        words: ['cannot change once it is set', 'compares with the value before, so it judges updates only'],
      },
      { rule: 'self.a < self.b', words: ['a is less than b', 'errors stand at .a'] },
    ]);
  });

  test('keys of maps and lists', () => {
    const names = { type: 'string', format: 'k8s-label-key', maxLength: 100 };
    expect(keyWords({ 'x-kubernetes-property-names': names })).toEqual([
      'a k8s-label-key',
      'at most 100 characters',
    ]);
    expect(keyWords({})).toBeUndefined();
    const map = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name', 'protocol'] };
    expect(behaviourWords({ type: 'array', ...map })).toEqual(['items are told apart by name and protocol']);
  });
});

test('values as they are written', () => {
  const json = '{"a":[1,1.5,"9",true,null],"__proto__":{}}';
  expect(exactText(parseExactly(json))).toBe(json);
  expect(exactText({ maximum: 9223372036854775807n })).toBe('{"maximum":9223372036854775807}');
});

test('the keys of a tree', () => {
  const tree = treeOf(object({ alpha: object({ inside: text }), beta: text, bravo: text }));
  const open = new Set<string>();
  let at = 0;
  const press = (key: string, timeStamp = 0) => {
    const isOpen = (field: Field) => open.has(field.key);
    const rows = tree.rows(isOpen);
    const place = {
      rows,
      at,
      pageRows: 10,
      isOpen,
      childrenOf: (field: Field) => tree.childrenOf(field),
      typed,
    };
    const action = keyToAction({ key, ctrlKey: false, metaKey: false, altKey: false, timeStamp }, place);
    for (const field of action?.open ?? []) open.add(field.key);
    if (action?.close !== undefined) open.delete(action.close.key);
    const selected = action?.select ?? rows[at];
    const after = tree.rows(isOpen);
    at = after.findIndex(({ key: one }) => one === selected?.key);
    return selected?.path;
  };
  const typed = { text: '', ms: 0 };
  expect(press('ArrowRight')).toBe('.alpha');
  expect(open.size).toBe(1);
  expect(press('ArrowRight')).toBe('.alpha.inside');
  expect(press('ArrowLeft')).toBe('.alpha');
  expect(press('ArrowLeft')).toBe('.alpha');
  expect(open.size).toBe(0);
  expect(press('End')).toBe('.bravo');
  expect(press('Home')).toBe('.alpha');
  expect(press('b', 1_000)).toBe('.beta');
  expect(press('r', 1_100)).toBe('.bravo');
  expect(press('*')).toBe('.bravo');
  expect(open.size).toBe(1);
});
