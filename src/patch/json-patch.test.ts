import { describe, expect, test } from 'vitest';
import { atOnce, clone, type JsonObject, type JsonValue, seededRandom } from '../meta/index.ts';
import { JsonPatchApplyError } from './json-patch-errors.ts';
import { applyCounted, applyJsonPatch, applyJsonPatchInSteps, parseJsonPatch } from './json-patch.ts';

const parse = (text: string): JsonValue => JSON.parse(text);
const patch = (document: string, operations: string) =>
  JSON.stringify(applyJsonPatch(parse(document), parseJsonPatch(parse(operations))));

describe('operations', () => {
  test.each([
    ['add a member', '{"a":1}', '[{"op":"add","path":"/b","value":2}]', '{"a":1,"b":2}'],
    ['add into a list', '{"a":[1,3]}', '[{"op":"add","path":"/a/1","value":2}]', '{"a":[1,2,3]}'],
    ['append to a list', '{"a":[1]}', '[{"op":"add","path":"/a/-","value":2}]', '{"a":[1,2]}'],
    ['replace the whole', '{"a":1}', '[{"op":"replace","path":"","value":{"b":2}}]', '{"b":2}'],
    ['remove', '{"a":1,"b":2}', '[{"op":"remove","path":"/a"}]', '{"b":2}'],
    ['remove from a list', '{"a":[1,2]}', '[{"op":"remove","path":"/a/0"}]', '{"a":[2]}'],
    ['replace', '{"a":1}', '[{"op":"replace","path":"/a","value":null}]', '{"a":null}'],
    ['replace what is not there', '{}', '[{"op":"replace","path":"/a","value":1}]', '{"a":1}'],
    ['copy what is not there', '{}', '[{"op":"copy","from":"/a","path":"/b"}]', '{"b":null}'],
    ['the last of a list', '{"a":[1,2]}', '[{"op":"replace","path":"/a/-1","value":3}]', '{"a":[1,3]}'],
    ['the end of a list', '{"a":[1]}', '[{"op":"add","path":"/a/-1","value":2}]', '{"a":[1,2]}'],
    ['an index with zeros', '{"a":[1]}', '[{"op":"replace","path":"/a/00","value":3}]', '{"a":[3]}'],
    ['no slash at the start', '{}', '[{"op":"add","path":"junk/a","value":1}]', '{"a":1}'],
    ['move', '{"a":{"b":1}}', '[{"op":"move","from":"/a/b","path":"/c"}]', '{"a":{},"c":1}'],
    ['copy', '{"a":{"b":1}}', '[{"op":"copy","from":"/a","path":"/c"}]', '{"a":{"b":1},"c":{"b":1}}'],
    ['test that holds', '{"a":{"b":1}}', '[{"op":"test","path":"/a","value":{"b":1}}]', '{"a":{"b":1}}'],
    ['escapes', '{"a/b":1,"c~d":2}', '[{"op":"remove","path":"/a~1b"},{"op":"remove","path":"/c~0d"}]', '{}'],
    ['hostile keys', '{}', '[{"op":"add","path":"/__proto__","value":{"x":1}}]', '{"__proto__":{"x":1}}'],
  ])('%s', (_, document, operations, expected) => {
    expect(patch(document, operations)).toBe(expected);
  });
});

/** RFC 6902 in the simplest form: on a copy, without sharing. */
function applyPlainly(document: JsonValue, operations: readonly JsonObject[]): JsonValue {
  const root: JsonObject = { '': clone(document) };
  for (const { op, path, from, value = null } of operations) {
    const at = (pointer: JsonValue | undefined) => {
      const steps = String(pointer).split('/');
      const last = steps.pop() ?? '';
      const container = steps.reduce<JsonValue>((inner, step) => Reflect.get(Object(inner), step), root);
      return { container: Object(container), last };
    };
    const { container, last } = at(path);
    const take = (pointer: JsonValue | undefined, remove: boolean) => {
      const { container: source, last: step } = at(pointer);
      const taken = Reflect.get(source, step);
      if (remove && Array.isArray(source)) source.splice(Number(step), 1);
      else if (remove) delete source[step];
      return clone(taken);
    };
    if (op === 'remove') take(path, true);
    else if (op === 'replace') container[last] = clone(value);
    else {
      const added = op === 'add' ? clone(value) : take(from, op === 'move');
      if (Array.isArray(container)) container.splice(Number(last), 0, added);
      else container[last] = added;
    }
  }
  return root[''] ?? null;
}

describe('what is shared', () => {
  const places = ['/l/0', '/l/1', '/o/a', '/o/b', '/o/c/x', '/p'] as const;
  const document = parse(
    '{"l":[{"i":0},{"i":1},{"i":2}],"o":{"a":{"n":[]},"b":1,"c":{"x":{}}},"p":{"q":{}}}',
  );

  /** A few operations, most of which succeed. */
  function randomOperations(random: () => number): JsonObject[] {
    const pick = () => places[Math.floor(random() * places.length)] ?? places[0];
    return Array.from({ length: 4 }, () => {
      const [path, from] = [pick(), pick()];
      const choice = Math.floor(random() * 4);
      const value = [{ n: random() }, [random()], random()][Math.floor(random() * 3)] ?? null;
      if (choice === 0) return [{ op: 'copy', from, path }];
      if (choice === 1) return [{ op: 'replace', path, value }];
      if (choice === 2) return [{ op: 'add', path: path, value }];
      return [
        { op: 'copy', from, path: '/p' },
        { op: 'move', from: '/p', path: '/r' },
        { op: 'add', path: '/p', value },
      ];
    }).flat();
  }

  test('random operations: the plain result, the document as it was, nothing shared across places', () => {
    const random = seededRandom(3);
    const before = JSON.stringify(document);
    let applied = 0;
    for (let round = 0; round < 3_000; round += 1) {
      const operations = randomOperations(random);
      const patched = applyOrRefuse(document, operations);
      if (patched === undefined) continue;
      applied += 1;
      expect(patched).toEqual(applyPlainly(document, operations));
      expect(JSON.stringify(document)).toBe(before);
      expectSharedInPlace(document, patched);
    }
    expect(applied).toBeGreaterThan(1_000);
  });
});

function applyOrRefuse(document: JsonValue, operations: readonly JsonObject[]): JsonValue | undefined {
  try {
    return applyJsonPatch(document, parseJsonPatch([...operations]));
  } catch (error) {
    if (error instanceof JsonPatchApplyError) return undefined;
    throw error;
  }
}

/** Every object or list of one that is also in the other is at the same place in both. */
function expectSharedInPlace(document: JsonValue, patched: JsonValue): void {
  const placesOf = (value: JsonValue, path: string, found: Map<JsonValue, string>) => {
    if (typeof value !== 'object' || value === null) return found;
    found.set(value, path);
    for (const [key, item] of Object.entries(value)) placesOf(item, `${path}/${key}`, found);
    return found;
  };
  const originals = placesOf(document, '', new Map());
  for (const [value, path] of placesOf(patched, '', new Map())) {
    if (originals.has(value)) expect(path).toBe(originals.get(value));
  }
}

test('ten thousand operations', () => {
  const appends = Array.from({ length: 10_000 }, (_, value) => ({ op: 'add', path: '/l/-', value }));
  expect(applyJsonPatch({ l: [] }, parseJsonPatch(appends))).toEqual({
    l: appends.map(({ value }) => value),
  });
});

describe('refusals', () => {
  test.each([
    ['a failing test', '[{"op":"test","path":"/a","value":2}]', 'testing value /a failed'],
    [
      'a missing member',
      '[{"op":"remove","path":"/x"}]',
      "error in remove for path: '/x': Unable to remove nonexistent key: x: missing value",
    ],
    [
      'an index beyond the end',
      '[{"op":"add","path":"/l/5","value":1}]',
      "error in add for path: '/l/5': Unable to access invalid index: 5: invalid index referenced",
    ],
    [
      'an index before the start',
      '[{"op":"remove","path":"/l/-2"}]',
      "error in remove for path: '/l/-2': Unable to access invalid index: -2: invalid index referenced",
    ],
    [
      'a path below a scalar',
      '[{"op":"replace","path":"/a/x","value":1}]',
      'replace operation does not apply: doc is missing path: /a/x: missing value',
    ],
    [
      'a member of a member that is missing',
      '[{"op":"add","path":"/o/a~1b/x","value":1}]',
      'add operation does not apply: doc is missing path: "/o/a~1b/x": missing value',
    ],
    [
      'an index that is missing',
      '[{"op":"replace","path":"/l/1","value":1}]',
      'replace operation does not apply: doc is missing key: /l/1: missing value',
    ],
    [
      'a copy of an index that is missing',
      '[{"op":"copy","from":"/l/1","path":"/b"}]',
      "error in copy for from: '/l/1': Unable to access invalid index: 1: invalid index referenced",
    ],
    [
      'a move to a place that is missing',
      '[{"op":"move","from":"/a","path":"/b/c"}]',
      'move operation does not apply: doc is missing destination path: /b/c: missing value',
    ],
    ['a path without a slash', '[{"op":"add","path":"a","value":1}]', 'path without a slash: a'],
    ['a move of everything', '[{"op":"move","from":"","path":""}]', 'not for the whole document'],
    [
      'a scalar for everything',
      '[{"op":"replace","path":"","value":1}]',
      'a document is an object or a list',
    ],
    [
      'an inherited member',
      '[{"op":"remove","path":"/toString"}]',
      "error in remove for path: '/toString': Unable to remove nonexistent key: toString: missing value",
    ],
    ['a move into itself', '[{"op":"move","from":"/o","path":"/o/x"}]', 'cannot move into itself'],
    ['an unknown operation', '[{"op":"grow","path":"/a"}]', 'unexpected kind of operation: "grow"'],
  ])('%s', (_, operations, message) => {
    expect(() => patch('{"a":1,"l":[1],"o":{}}', operations)).toThrow(message);
  });

  test('a patch that is no list, and one that is too long', () => {
    expect(() => parseJsonPatch({})).toThrow(
      'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    );
    const many = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '' }));
    expect(() => parseJsonPatch(many)).toThrow(
      'The allowed maximum operations in a JSON patch is 10000, got 10001',
    );
  });

  test('unknown members are named for strict clients', () => {
    expect(parseJsonPatch([{ op: 'remove', path: '/a', foo: 1 }]).strictErrors).toEqual([
      'json patch unknown field "[0].foo"',
    ]);
  });

  test('a patch that fails half-way changes nothing', () => {
    const document = { a: 1 };
    const operations = parseJsonPatch([
      { op: 'add', path: '/b', value: 2 },
      { op: 'test', path: '/a', value: 9 },
    ]);
    expect(() => applyJsonPatch(document, operations)).toThrow();
    expect(document).toEqual({ a: 1 });
  });

  describe('a result that is deeper than a body may be', () => {
    const deep = (levels: number): JsonValue => (levels === 0 ? 1 : { k: deep(levels - 1) });
    const below = (levels: number) => '/k'.repeat(levels);
    const tooDeep = 'exceeded max depth of 1000';
    const build = (document: JsonValue, operations: JsonValue[]) => () =>
      applyJsonPatch(document, parseJsonPatch(operations));

    test('a deep value in a deep place', () => {
      const to = (levels: number) => [{ op: 'add', path: below(600), value: deep(levels) }];
      expect(build(deep(600), to(400))).not.toThrow();
      expect(build(deep(600), to(401))).toThrow(tooDeep);
      expect(build(deep(601), [{ op: 'replace', path: below(600), value: deep(401) }])).toThrow(tooDeep);
      expect(build(deep(601), [{ op: 'add', path: below(600), value: deep(401) }])).toThrow(tooDeep);
    });

    test('a deep copy in a deep place', () => {
      const to = (levels: number) => [{ op: 'copy', from: below(1), path: below(levels) }];
      expect(build(deep(600), to(401))).not.toThrow();
      expect(build(deep(600), to(402))).toThrow(tooDeep);
    });

    test('moves, of which a body has room for more levels than a stack', () => {
      const document = Object.fromEntries(Array.from({ length: 9_999 }, (_, at) => [`a${at}`, {}]));
      const into = (at: number) => ({ op: 'move', from: `/a${at}`, path: `/a${at + 1}/k` });
      expect(
        build(
          document,
          Array.from({ length: 998 }, (_, at) => into(at)),
        ),
      ).not.toThrow();
      expect(
        build(
          document,
          Array.from({ length: 9_998 }, (_, at) => into(at)),
        ),
      ).toThrow(tooDeep);
    });
  });

  describe('long lists', () => {
    const items = Array.from({ length: 100_000 }, (_, index) => `item-${index}`);
    const moved = (operations: JsonValue[]) =>
      atOnce(applyCounted({ items }, parseJsonPatch(operations))).itemsMoved;

    test('thousands of insertions move its items twice, not once each', () => {
      const insertions = Array.from({ length: 9_000 }, (_, at) => ({
        op: 'add',
        path: '/items/0',
        value: at,
      }));
      expect(moved(insertions)).toBe(100_000 + 109_000);
    });

    test('an item, and a list of another length, are read without putting the list together', () => {
      const reads = Array.from({ length: 1_000 }, () => [
        { op: 'remove', path: '/items/50000' },
        { op: 'test', path: '/items/0', value: 'item-0' },
        { op: 'copy', from: '/items/1', path: '/items/-' },
      ]).flat();
      expect(moved(reads)).toBe(200_000);
      expect(() => moved([...reads, { op: 'test', path: '/items', value: [] }])).toThrow('testing value');
    });

    test('reading it whole after each change is stopped', () => {
      const nested = [{ deep: 1 }, ...items];
      const turns = Array.from({ length: 60 }, () => [
        { op: 'add', path: '/items/1', value: 'x' },
        { op: 'copy', from: '/items/0', path: '/copy' },
      ]).flat();
      expect(() => applyJsonPatch({ items: nested }, parseJsonPatch(turns))).toThrow(
        'The operations of a JSON patch may not touch more than 10000000 list items',
      );
    });

    test('random operations give what they give on short lists', () => {
      const long = Array.from({ length: 3_000 }, (_, index) => index);
      const numbers = seededRandom(7);
      const random = (below: number) => Math.floor(numbers() * below);
      const model: JsonValue[] = [...long];
      const operations = Array.from({ length: 3_000 }, (_, step) => {
        const index = random(model.length);
        const kind = random(4);
        if (kind === 0) {
          model.splice(index, 1);
          return { op: 'remove', path: `/list/${index}` };
        }
        if (kind === 1) {
          model[index] = { step };
          return { op: 'replace', path: `/list/${index}`, value: { step } };
        }
        if (kind === 2) {
          const [item = null] = model.splice(index, 1);
          model.push(item);
          return { op: 'move', from: `/list/${index}`, path: '/list/-' };
        }
        model.splice(index, 0, step);
        return { op: 'add', path: `/list/${index}`, value: step };
      });
      expect(applyJsonPatch({ list: long }, parseJsonPatch(operations))).toEqual({ list: model });
      expect(long).toHaveLength(3_000);
    });
  });

  test('copies that double the document are stopped', () => {
    const doubling = Array.from({ length: 40 }, (_, step) => ({
      op: 'copy',
      from: '/o',
      path: `/o/x${step}`,
    }));
    expect(() => applyJsonPatch({ o: { a: 'x'.repeat(100) } }, parseJsonPatch(doubling))).toThrow(
      'copies grow without bound',
    );
  });
});

test('a copy that grows is done in steps, and costs as much as it adds', () => {
  const document = { a: Array.from({ length: 1_000 }, (_, index) => ({ index })) };
  const copies = Array.from({ length: 100 }, (_, index) => ({ op: 'copy', from: '/a', path: `/b${index}` }));
  const steps = applyJsonPatchInSteps(document, parseJsonPatch(copies));
  let count = 0;
  while (steps.next().done !== true) count += 1;
  expect(count).toBeGreaterThan(10);
});
