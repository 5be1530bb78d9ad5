import { describe, expect, test } from 'vitest';
import { compile } from '../compile.ts';
import { storedExpressions } from '../kubernetes-environments.ts';
import { declare } from '../types/declared-type.ts';

const environment = storedExpressions();

describe('generated code', () => {
  test('does not execute names and strings of an expression', () => {
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

  test('inherited properties are not fields', () => {
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
