import { describe, expect, test } from 'vitest';
import { compile } from '../compile.ts';
import { storedExpressions } from '../kubernetes-environments.ts';
import { UnusableProgram } from '../interpreter/constants.ts';
import { declare } from '../types/declared-type.ts';
import { randomSelf, randomSelfType } from '../testing/random-data.test-support.ts';
import { RandomExpressions, seeded } from '../testing/random-expressions.test-support.ts';
import { showValue } from '../testing/show-value.test-support.ts';
import type { Evaluation, Program } from '../program.ts';

const environment = storedExpressions();

function shown({ value, error, cost }: Evaluation): string {
  return error === undefined
    ? `${showValue(value)} for ${cost}`
    : `${error.kind} ${error.message} for ${cost}`;
}

function programOf(source: string): Program | undefined {
  try {
    return compile(source, environment, { variables: { self: randomSelfType } }).program;
  } catch (error) {
    if (error instanceof UnusableProgram) return undefined;
    throw error;
  }
}

describe('generated code', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('answers as the interpreter does, costs included: seed %d', (seed) => {
    const random = seeded(seed);
    const expressions = new RandomExpressions(random);
    let generated = 0;
    for (let round = 0; round < 150; round++) {
      const source = expressions.next(1 + Math.floor(random() * 4));
      const program = programOf(source);
      if (program === undefined) continue;
      if (program.isGenerated) generated++;
      for (let variation = 0; variation < 6; variation++) {
        const bindings = { self: randomSelf(random) };
        const costLimit = random() < 0.2 ? Math.floor(random() * 40) : 1_000_000;
        const ours = shown(program.evaluate(bindings, { costLimit }));
        expect({ source, answer: ours }).toEqual({
          source,
          answer: shown(program.interpret(bindings, costLimit)),
        });
      }
    }
    expect(generated).toBeGreaterThan(75);
  });

  test('names and texts of an expression stay data, whatever they look like', () => {
    const nasty = '"]; throw 1; //\u0024{x}`\\\'\u2028';
    const type = declare.object('Nasty', [
      ['constructor', declare.string()],
      ['__proto__', declare.string()],
      ['f', { property: nasty, type: declare.string() }],
    ]);
    const self = JSON.parse(
      JSON.stringify({ constructor: 'c', [nasty]: nasty }).replace('{', '{"__proto__": "p",'),
    );
    const { program } = compile(
      `self.constructor + self.__proto__ + self.f + ${JSON.stringify(nasty).replace('\u2028', '\\u2028')}`,
      environment,
      {
        variables: { self: type },
      },
    );
    expect(program.isGenerated).toBe(true);
    expect(program.evaluate({ self }).value).toBe(`cp${nasty}${nasty}`);
  });

  test('what every object inherits is no field', () => {
    const type = declare.object('Plain', [
      ['toString', declare.string()],
      ['constructor', declare.string()],
    ]);
    const { program } = compile('has(self.toString) || has(self.constructor)', environment, {
      variables: { self: type },
    });
    expect(program.isGenerated).toBe(true);
    expect(program.evaluate({ self: {} })).toEqual({ value: false, cost: 2 });
  });
});
