/** A source of numbers in [0, 1) that gives the same ones for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

type Kind = 'bool' | 'int' | 'double' | 'string' | 'strings' | 'ints' | 'optional';

/** A variable of a comprehension around the place that is written. */
interface Variable {
  readonly name: string;
  readonly kind: Kind;
}

/** Writes random expressions over `self` with the fields of random-data.test-support.ts, right by their types. */
export class RandomExpressions {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** An expression that nests so deeply. */
  next(depth: number): string {
    return this.#of(
      this.#pick(['bool', 'int', 'double', 'string', 'strings', 'ints', 'optional']),
      depth,
      [],
    );
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#random() * items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  #of(kind: Kind, depth: number, scope: readonly Variable[]): string {
    const names = scope.filter((variable) => variable.kind === kind).map(({ name }) => name);
    const leaves = [...leavesOf[kind], ...names];
    if (depth <= 0 || this.#random() < 0.15) return this.#pick(leaves);
    return this.#fill(this.#pick(templates[kind]), depth - 1, scope);
  }

  /** Fills `{int}` with an int, and `{bool:string}` with a bool in which `x` is a string. */
  #fill(template: string, depth: number, scope: readonly Variable[]): string {
    const name = `x${scope.length}`;
    return template.replaceAll('$x', name).replace(/\{(\w+)(?::(\w+))?\}/g, (_, kind: Kind, bound?: Kind) => {
      const inner = bound === undefined ? scope : [...scope, { name, kind: bound }];
      return this.#of(kind, depth, inner);
    });
  }
}

const leavesOf: Readonly<Record<Kind, readonly string[]>> = {
  bool: ['true', 'false', 'self.flag', 'has(self.text)', 'has(self.part.count)', 'has(self.absent)'],
  int: ['0', '1', '-7', '3', '9007199254740991', '9223372036854775807', 'self.count', 'self.part.count'],
  double: ['0.0', '1.5', '-0.25', 'self.ratio'],
  string: ["''", "'a'", "'h\\u00e9llo \\U0001f600'", 'self.text', 'self.part.name'],
  strings: ["['a', 'b']", 'self.names', 'self.labels.map(k, k)'],
  ints: ['[3, 1, 2]', 'self.numbers', '[1].filter(i, false)'],
  optional: ['optional.none()', 'self.?text', 'self.?absent', 'self.part.?name'],
};

const templates: Readonly<Record<Kind, readonly string[]>> = {
  bool: [
    '({bool} && {bool})',
    '({bool} || {bool})',
    '!({bool})',
    '({int} < {int})',
    '({int} == {int})',
    '({int} >= {double})',
    '({string} == {string})',
    '({string} != {string})',
    '({string} <= {string})',
    '({double} == {double})',
    '({double} < {double})',
    '({strings} == {strings})',
    '{strings}.all($x, {bool:string})',
    '{strings}.exists($x, {bool:string})',
    '{ints}.exists_one($x, {bool:int})',
    '{ints}.all($x, {bool:int})',
    'self.parts.all($x, $x.count > {int})',
    '{string} in {strings}',
    "{string} in ['a', 'self', 'x']",
    '{int} in [1, 3]',
    '{int} in {ints}',
    '{double} in [1.5, 2.0]',
    '{string}.startsWith({string})',
    '{string}.contains({string})',
    "{string}.matches('^[a-z]+$')",
    '{string}.matches({string})',
    '{optional}.hasValue()',
    'self.labels.all($x, {bool:string})',
    'self.labels.exists(k, $x, {bool:string})',
    '({bool} ? {bool} : {bool})',
    '{ints}.all(i, $x, i < $x && {bool:int})',
    '(self.part == self.parts[{int}])',
    '(self.anything == {int})',
    'dyn({int}) == dyn({double})',
    '{string} in self.labels',
  ],
  int: [
    '({int} + {int})',
    '({int} - {int})',
    '({int} * {int})',
    '({int} / {int})',
    '({int} % {int})',
    '-({int})',
    'size({strings})',
    '{string}.size()',
    '{ints}[{int}]',
    '({bool} ? {int} : {int})',
    '{ints}.sum()',
    '{ints}.max()',
    'self.parts[{int}].count',
    'int({double})',
    '{string}.indexOf({string})',
    '{strings}.indexOf({string})',
    'self.labels.size()',
    'int({string})',
  ],
  double: [
    '({double} + {double})',
    '({double} / {double})',
    '({bool} ? {double} : {double})',
    'double({int})',
    'self.ratios[{int}]',
  ],
  string: [
    '({string} + {string})',
    '({bool} ? {string} : {string})',
    '{strings}[{int}]',
    'string({int})',
    '{string}.lowerAscii()',
    '{strings}.join({string})',
    '{string}.substring({int})',
    'self.labels[{string}]',
    '{optional}.orValue({string})',
    'self.parts[{int}].name',
    '{string}.replace({string}, {string})',
    '(self.flag ? self.part : self.parts[0]).name',
  ],
  strings: [
    '{strings}.filter($x, {bool:string})',
    '{strings}.map($x, {string:string})',
    '({strings} + {strings})',
    '[{string}, {string}]',
    '{string}.split({string})',
    'self.parts.map($x, $x.name)',
    '{strings}.map($x, {bool:string}, {string:string})',
    '({bool} ? {strings} : {strings})',
    '{strings}.transformList(i, $x, {string:string})',
    '[?{optional}, {string}]',
  ],
  ints: [
    '{ints}.map($x, {int:int})',
    '{ints}.filter($x, {bool:int})',
    '{strings}.map($x, {int:string})',
    '[{int}, {int}]',
    '{ints}.sort()',
    'self.parts.map($x, $x.count)',
  ],
  optional: [
    'optional.of({string})',
    'self.labels[?{string}]',
    '{optional}.or({optional})',
    '{optional}.optMap($x, {string:string})',
  ],
};
