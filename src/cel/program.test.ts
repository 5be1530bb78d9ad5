import { describe, expect, test } from 'vitest';
import {
  CelDouble,
  compile,
  CostBudget,
  declare,
  type DeclaredType,
  type EvaluateOptions,
  type Evaluation,
  intType,
  newExpressions,
  storedExpressions,
  stringType,
  WrongResultType,
} from './index.ts';

const environment = storedExpressions();
const text = declare.string();

function evaluate(source: string, type: DeclaredType, self: unknown, options?: EvaluateOptions): Evaluation {
  return compile(source, environment, { variables: { self: type } }).program.evaluate({ self }, options);
}

describe('budgets', () => {
  const numbers = declare.list(declare.int());
  // Each iteration costs 2 for the condition, 1 for the accumulator, 1 for x and 1 for the comparison; the rest costs
  // 2.
  const rule = 'self.all(x, x >= 0)';
  const cost = (length: number): number => 2 + 5 * length;

  test('an evaluation may cost exactly its limit', () => {
    const self = Array.from({ length: 100 }, (_, i) => i);
    expect(evaluate(rule, numbers, self, { costLimit: cost(100) })).toEqual({ value: true, cost: 502 });
    const { error } = evaluate(rule, numbers, self, { costLimit: cost(100) - 1 });
    expect(error).toEqual({ kind: 'cost-limit', message: 'operation cancelled: actual cost limit exceeded' });
  });

  test('the default limit is a million', () => {
    const self = Array.from({ length: 200_000 }, () => 1);
    expect(evaluate(rule, numbers, self).error?.kind).toBe('cost-limit');
    expect(evaluate(rule, numbers, self.slice(0, 199_999))).toEqual({ value: true, cost: 999_997 });
  });

  test('a shared budget can be used up completely', () => {
    const budget = new CostBudget(24);
    expect(evaluate(rule, numbers, [1, 2], { budget }).value).toBe(true);
    expect(budget.remaining).toBe(12);
    expect(evaluate(rule, numbers, [1, 2], { budget }).value).toBe(true);
    expect(budget.remaining).toBe(0);
    expect(evaluate('self.size() == 2', numbers, [1, 2], { budget }).error).toEqual({
      kind: 'budget',
      message: 'validation failed due to running out of cost budget, no further validation rules will be run',
    });
  });
});

describe('a time budget', () => {
  const { program } = compile('self.all(x, x >= 0)', environment, {
    variables: { self: declare.list(declare.int()) },
  });
  const self = Array.from({ length: 1000 }, (_, i) => i);
  const interrupted = { kind: 'cost-limit', message: 'operation interrupted' };

  test('ends loops when it is exceeded', () => {
    const budget = new CostBudget(10_000_000, () => true);
    expect(program.evaluate({ self }, { budget }).error).toEqual(interrupted);
    expect(program.interpret({ self }, 1_000_000, () => true).error).toEqual(interrupted);
    // The actual cost is unknown, so the maximum is charged.
    expect(budget.remaining).toBe(9_000_000);
  });

  test('is checked periodically, and not by short expressions', () => {
    let asked = 0;
    const interrupt = (): boolean => ++asked > 1_000_000;
    const budget = new CostBudget(10_000_000, interrupt);
    expect(program.evaluate({ self }, { budget })).toEqual({ value: true, cost: 5002 });
    expect(asked).toBeGreaterThan(50);
    expect(asked).toBeLessThan(100);
    expect(program.interpret({ self }, 1_000_000, interrupt)).toEqual({ value: true, cost: 5002 });
    expect(asked).toBeLessThan(200);
    asked = 0;
    program.evaluate({ self: self.slice(0, 10) }, { budget });
    expect(asked).toBe(0);
  });

  test('ends expressions that cost little and take long', () => {
    const wide = declare.object('Wide', [['items', declare.list(declare.list(declare.int()))]]);
    const many = { items: Array.from({ length: 500 }, () => Array.from({ length: 1000 }, (_, i) => i)) };
    const end = Date.now() + 200;
    const budget = new CostBudget(10_000_000, () => Date.now() > end);
    const rule = 'self.items.all(x, self.items == self.items)';
    expect(evaluate(rule, wide, many, { budget }).error).toEqual(interrupted);
  });
});

describe('data that does not match its declaration', () => {
  test.each([
    ['self', declare.int(), 1.5, 'invalid data, expected int, got float64'],
    ['self', declare.int(), 'x', 'invalid data, expected int, got string'],
    ['self', declare.string(), 7, 'invalid data, expected string, got int64'],
    ['self', declare.bool(), [], 'invalid data, expected bool, got []interface {}'],
    ['self', declare.double(), true, 'invalid data, expected float, got bool'],
    ['self', declare.string(), null, 'invalid data, got null for schema with nullable=false'],
    [
      'self',
      declare.intOrString(),
      1.5,
      'invalid data, expected XIntOrString value to be either a string or integer',
    ],
    [
      'self.size()',
      declare.list(declare.int()),
      {},
      'invalid data, expected an array for the provided schema with type=array',
    ],
    [
      'self.size()',
      declare.map(declare.int()),
      [],
      'invalid data, expected a map for the provided schema with type=object',
    ],
    ['self[1]', declare.list(declare.int()), [1, 'x'], 'invalid data, expected int, got string'],
    ['self', declare.duration(), 'soon', 'Invalid duration soon: unable to parse soon as duration'],
  ])('%s of %o', (source, type, self, message) => {
    expect(evaluate(source, type, self).error).toEqual({ kind: 'error', message });
  });

  test('is an error on the left of a comparison; on the right it is unequal to a scalar', () => {
    const type = declare.object('Pair', [
      ['left', declare.list(declare.int())],
      ['right', declare.list(declare.int())],
    ]);
    const { error } = evaluate('self.left == self.right', type, { left: [1.5], right: [1] });
    expect(error?.message).toBe('invalid data, expected int, got float64');
    expect(evaluate('self.left == self.right', type, { left: [1], right: [1.5] }).value).toBe(false);
    const nested = declare.list(declare.list(declare.int()));
    const lists = declare.object('Lists', [
      ['left', nested],
      ['right', nested],
    ]);
    expect(evaluate('self.left == self.right', lists, { left: [[]], right: ['x'] }).error?.message).toBe(
      'invalid data, expected an array for the provided schema with type=array',
    );
  });

  test('is ignored if it is not read', () => {
    expect(evaluate('self[0] == 1', declare.list(declare.int()), [1, 'x']).value).toBe(true);
  });
});

describe('declared data', () => {
  test('an integral number is a double if declared so', () => {
    expect(evaluate('self / 2.0', declare.double(), 5).value).toEqual(new CelDouble(2.5));
    expect(evaluate('self[0]', declare.list(declare.double()), [5]).value).toEqual(new CelDouble(5));
  });

  test('integers keep all 64 bits', () => {
    expect(evaluate('self + 1', declare.int(), 9007199254740991).value).toBe(9007199254740992n);
    expect(evaluate('self - 1', declare.int(), 9007199254740992n).value).toBe(9007199254740991);
    expect(evaluate('self + 1', declare.int(), 9223372036854775807n).error?.message).toBe('integer overflow');
  });

  test('a map has only own keys', () => {
    const labels = declare.map(declare.string());
    const hostile: unknown = JSON.parse('{"__proto__": "p", "constructor": "c"}');
    expect(evaluate("self['__proto__'] + self['constructor']", labels, hostile).value).toBe('pc');
    expect(evaluate("'toString' in self", labels, hostile).value).toBe(false);
    expect(evaluate("self['toString']", labels, {}).error?.message).toBe('no such key: toString');
  });

  test('a null field is absent', () => {
    const type = declare.object('Part', [['name', declare.string({ nullable: true })]]);
    expect(evaluate('has(self.name)', type, { name: null }).value).toBe(false);
    expect(evaluate('self.name', type, { name: null }).error?.message).toBe('no such key: name');
  });

  test('a field named like a reserved word is escaped or selected directly', () => {
    const type = declare.object('Ref', [['__namespace__', { property: 'namespace', type: text }]]);
    const self = { namespace: 'default' };
    for (const field of ['namespace', '__namespace__']) {
      expect(evaluate(`self.${field}`, type, self)).toEqual({ value: 'default', cost: 2 });
      expect(evaluate(`has(self.${field})`, type, self).value).toBe(true);
      expect(evaluate(`dyn(self).${field}`, type, self).value).toBe('default');
    }
    const before = newExpressions({ major: 1, minor: 30 });
    expect(() => compile('self.namespace', before, { variables: { self: type } })).toThrow(
      "undefined field 'namespace'",
    );
  });

  test('a hidden field only counts in comparisons of objects', () => {
    const hidden = { property: 'a b', type: declare.dyn(), isHidden: true };
    const pair = declare.list(declare.object('Hiding', [['a b', hidden]]));
    expect(evaluate('self[0] == self[1]', pair, [{ 'a b': 1 }, { 'a b': 1 }]).value).toBe(true);
    expect(evaluate('self[0] == self[1]', pair, [{ 'a b': 1 }, { 'a b': 2 }]).value).toBe(false);
    expect(() => evaluate('self[0].`a b`', pair, [])).toThrow("undefined field 'a b'");
  });

  test('undeclared fields are compared as JSON', () => {
    const pair = declare.list(declare.object('Known', [['known', declare.int()]]));
    const equal = (left: object, right: object) => evaluate('self[0] == self[1]', pair, [left, right]).value;
    expect(equal({ known: 1, more: { a: [1] } }, { known: 1, more: { a: [1] } })).toBe(true);
    expect(equal({ known: 1, more: { a: [1] } }, { known: 1, more: { a: [2] } })).toBe(false);
    // As upstream: properties that only one object has are ignored, if both have the same number.
    expect(equal({ known: 1, more: 1 }, { known: 1, less: 1 })).toBe(true);
  });

  test('a field may have another name in expressions than in JSON', () => {
    const type = declare.object('Part', [['a__dash__b', { property: 'a-b', type: declare.int() }]]);
    expect(evaluate('self.a__dash__b', type, { 'a-b': 7 }).value).toBe(7);
  });

  test('sets and map-lists are equal in any order, and adding merges', () => {
    const set = declare.list(declare.string(), { listType: 'set' });
    expect(evaluate("self == ['b', 'a']", set, ['a', 'b']).value).toBe(true);
    expect(evaluate("(self + ['b', 'c']).size()", set, ['a', 'b']).value).toBe(3);
    const item = declare.object('Item', [
      ['key', declare.string()],
      ['value', declare.int()],
    ]);
    const both = declare.object('Both', [
      ['old', declare.list(item, { listType: 'map', mapKeys: ['key'] })],
      ['new', declare.list(item, { listType: 'map', mapKeys: ['key'] })],
    ]);
    const self = {
      old: [
        { key: 'a', value: 1 },
        { key: 'b', value: 2 },
      ],
      new: [
        { key: 'b', value: 3 },
        { key: 'c', value: 4 },
      ],
    };
    expect(evaluate('(self.old + self.new).map(x, x.value).sum()', both, self).value).toBe(8);
    expect(evaluate('self.old == self.new', both, { ...self, new: self.old.toReversed() }).value).toBe(true);
  });

  test('an unbound optional variable is none', () => {
    const type = declare.optional(declare.int());
    expect(evaluate('self.hasValue()', type, undefined).value).toBe(false);
    expect(evaluate('self.orValue(0) + 1', type, 6).value).toBe(7);
  });
});

describe('hostile rules', () => {
  /** `optional.of([1]).optMap(a, optional.of(a + a).optMap(a, ... end).value()).value()`: a list of 2^levels elements. */
  function doubled(levels: number, end: string, first = '[1]', more = 'a + a'): string {
    if (levels === 0) return end;
    return `optional.of(${first}).optMap(a, ${doubled(levels - 1, end, more, more)}).value()`;
  }

  test('macros that copy their target cannot grow an expression without limit', () => {
    expect(() => compile(`optional.of(1)${'.optMap(n, n + n)'.repeat(40)}`, environment)).toThrow(
      'ERROR: <input>:-1:0: expression node limit exceeded: 500000',
    );
  });

  test.each([
    ['a list that doubles', doubled(40, 'a.size()')],
    ['a text that squares', `self${".replace('', self)".repeat(40)}.size()`],
    ['a list of a million', 'lists.range(1000000).map(x, x).size()'],
    ['a list too long to find what is distinct in it', 'lists.range(900000).distinct().size()'],
    ['a list too long to be sorted', 'lists.range(900000).sort().size()'],
    ['two lists too long to be compared', 'sets.intersects(lists.range(900000), lists.range(90000))'],
    ['a list that holds another twice, forty times over', doubled(40, 'a == a', '[1]', '[a, a]')],
    [
      'a map that holds another twice, forty times over',
      doubled(40, 'a == a', "{'x': 1}", "{'x': a, 'y': a}"),
    ],
    ['lists too long together', doubled(22, `[${'a, '.repeat(60)}a].flatten().size()`)],
    [
      'loops within loops',
      `lists.range(1000).all(a, lists.range(1000).all(b, lists.range(1000).all(c, a + b + c >= 0)))`,
    ],
  ])('%s is given up', (_, source) => {
    expect(evaluate(source, text, 'x'.repeat(100)).error?.kind).toBe('cost-limit');
  });

  test('a pattern takes time linear in the text', () => {
    expect(evaluate("self.matches('^(a+)+$')", text, `${'a'.repeat(10_000)}b`).value).toBe(false);
  });

  test('nesting is limited', () => {
    const deep = `${'('.repeat(300)}1${')'.repeat(300)}`;
    expect(() => compile(deep, environment)).toThrow(
      'ERROR: <input>:-1:0: expression recursion limit exceeded: 250',
    );
    expect(() => compile(Array.from({ length: 300 }, () => '1').join('+'), environment)).toThrow(
      'max recursion depth exceeded',
    );
    expect(
      compile(Array.from({ length: 300 }, () => 'true').join('&&'), environment).program.evaluate({}).value,
    ).toBe(true);
  });

  test('an expression has a size limit', () => {
    expect(() => compile(`'${'x'.repeat(100_000)}'`, environment)).toThrow(
      'ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100002, limit 100000',
    );
  });
});

describe('compiling', () => {
  test('an expression of the wrong type is refused', () => {
    const compileAs = (source: string) => () => compile(source, environment, { expectedType: stringType });
    expect(compileAs('1')).toThrow(WrongResultType);
    expect(compileAs('1')).toThrow('must evaluate to a string');
    expect(() => compile("'x'", environment, { expectedType: intType })).toThrow('must evaluate to an int');
    expect(compileAs("dyn('x')")).toThrow('must evaluate to a string');
    expect(compileAs("'x'")().type).toBe(stringType);
  });

  test('issues are printed with the line and a caret, a wide one for wide characters', () => {
    expect(() => compile("'\u00e9' +\n  \u{1f600}x", environment)).toThrow(
      "ERROR: <input>:2:3: Syntax error: token recognition error at: '\u{1f600}'\n |   \u{1f600}x\n | ..\uff3e",
    );
  });

  test('reports the variables that an expression refers to', () => {
    const variables = { self: declare.int(), oldSelf: declare.int() };
    const usesOld = (source: string): boolean =>
      compile(source, environment, { variables }).ast.uses('oldSelf');
    expect(usesOld('self >= oldSelf')).toBe(true);
    expect(usesOld('[self].all(oldSelf, oldSelf > 0)')).toBe(true);
    expect(usesOld('self > 0')).toBe(false);
  });

  test('an invalid constant conversion fails at compile time', () => {
    expect(() => compile("int('x') == 1", environment)).toThrow(
      "type conversion error from 'string' to 'int'",
    );
  });
});
