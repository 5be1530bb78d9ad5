import { describe, expect, test } from 'vitest';
import { compile } from '../compile.ts';
import { storedExpressions } from '../kubernetes-environments.ts';
import type { Evaluation } from '../program.ts';
import { randomJson } from '../testing/random-data.test-support.ts';
import { seeded } from '../testing/random-expressions.test-support.ts';
import { showValue } from '../testing/show-value.test-support.ts';
import { declare } from '../types/declared-type.ts';
import { CelOptional } from '../values/optional.ts';

const environment = storedExpressions();
const variables = {
  object: declare.dyn(),
  other: declare.dyn(),
  count: declare.int(),
  text: declare.string(),
};

const compiled = (source: string) => compile(source, environment, { variables }).program;

function shown({ value, error, cost }: Evaluation): string {
  return error === undefined
    ? `${showValue(value)} for ${cost}`
    : `${error.kind} ${error.message} for ${cost}`;
}

/** Random expressions over `object` and `other`, of unknown type. */
function randomExpression(random: () => number, depth: number, names: readonly string[] = []): string {
  const pick = (...items: readonly string[]): string =>
    items[Math.floor(random() * items.length)] ?? 'object';
  const sub = (...more: readonly string[]) => randomExpression(random, depth - 1, [...names, ...more]);
  const leaf = () =>
    pick('other', 'object.a', 'object.self', 'object.a', 'object.self', 'object[0]', 'object["a"]') +
    pick('', '', '', '', '', '.a', '[1]', '[text]', '[count]', '.constructor', '.__proto__');
  if (depth === 0)
    return random() < 0.6
      ? leaf()
      : pick('1', '1.5', "'a'", 'true', 'count', 'text', 'null', ...names, ...names);
  const x = `x${depth}`;
  const i = `i${depth}`;
  switch (Math.floor(random() * 11)) {
    case 0:
      return `(${sub()} ${pick('==', '!=')} ${sub()})`;
    case 1:
      return `(dyn(${sub()}) ${pick('<', '<=', '>', '>=')} dyn(${sub()}))`;
    case 2:
      return `(${leaf()} ${pick('<', '<=', '>', '>=')} ${pick('count', '1', "'a'", 'text', 'object.a')})`;
    case 3:
      return `${pick('size', 'int', 'string', 'size')}(dyn(${sub()}))`;
    case 4:
      return `${leaf()}.${pick('all', 'exists', 'exists_one')}(${x}, dyn(${sub(x, `${x}.a`)}) == dyn(${sub(x)}))`;
    case 5:
      return `${leaf()}.${pick('all', 'exists')}(${i}, ${x}, dyn(${sub(i, x)}) == dyn(${sub(i, x)}))`;
    case 6:
      return `${leaf()}.${pick('map', 'filter')}(${x}, ${x} == dyn(${sub(x)}))`;
    case 7:
      return `has(${leaf()}.${pick('a', 'self', 'constructor', 'absent')})`;
    case 8:
      return `(dyn(${sub()}) ${pick('&&', '||')} dyn(${sub()}))`;
    case 9:
      return `(dyn(${sub()}) in ${pick('[1, 2]', "['a', 'self']", 'object', 'object.a')})`;
    default:
      return `(${pick('has(object.a)', 'object.self == 1', 'count == 1')} ? ${leaf()} : ${leaf()})`;
  }
}

/** Mostly with the fields that the expressions read. */
function randomObject(random: () => number): unknown {
  if (random() < 0.05) return new CelOptional(1);
  if (random() < 0.2) return randomJson(random);
  const part = (): unknown => randomJson(random, 2);
  return { a: random() < 0.5 ? [part(), part()] : part(), self: part() };
}

describe('undeclared JSON', () => {
  test.each([1, 2])('generated code and interpreter agree, costs included: seed %d', (seed) => {
    const random = seeded(seed);
    const counts = { all: 0, generated: 0, values: 0 };
    for (let round = 0; round < 150; round += 1) {
      const source = randomExpression(random, 1 + Math.floor(random() * 3));
      let program: ReturnType<typeof compiled>;
      try {
        program = compiled(source);
      } catch {
        // A comparison of literals that cannot be compared, or an unusable constant.
        continue;
      }
      counts.all += 1;
      if (program.isGenerated) counts.generated += 1;
      for (let turn = 0; turn < 4; turn += 1) {
        const bindings = {
          object: randomObject(random),
          other: randomJson(random),
          count: 1,
          text: 'a',
        };
        const costLimit = random() < 0.2 ? Math.floor(random() * 20) : 1_000_000;
        const ours = program.evaluate(bindings, { costLimit });
        if (ours.error === undefined) counts.values += 1;
        expect({ source, answer: shown(ours) }).toEqual({
          source,
          answer: shown(program.interpret(bindings, costLimit)),
        });
      }
    }
    expect(counts.all).toBeGreaterThan(120);
    expect(counts.generated).toBeGreaterThan(counts.all * 0.8);
    expect(counts.values).toBeGreaterThan(counts.all * 0.4);
  });

  test.each([
    ['object.spec.replicas <= count + 2', true],
    ["object.spec.color == 'red' || size(object.spec.tags) > 0", true],
    ['object.spec.tags.all(tag, tag in ["a", "b"])', true],
    ['object.spec.all(key, value, key != "absent")', true],
    ['has(object.spec.absent)', false],
    ['object.spec.tags[1] == object.metadata["name"]', true],
  ])('%s is %s, by generated code', (source, value) => {
    const object = { metadata: { name: 'b' }, spec: { replicas: 3, color: 'blue', tags: ['a', 'b'] } };
    const program = compiled(source);
    expect(program.isGenerated).toBe(true);
    expect(program.evaluate({ object, count: 1 }).value).toBe(value);
  });
});
