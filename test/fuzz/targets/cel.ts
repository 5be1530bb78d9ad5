import type { Random } from '../random.ts';
import type { FuzzTarget } from '../target.ts';
import { prepareThings, thingsPath } from '../things.ts';
import { crdOf, versionOf } from '../../fixtures/crd.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All';
const crd = (rule: string) =>
  JSON.stringify(
    crdOf('Rule', {
      group: 'cel.example.com',
      names: { listKind: 'RuleList' },
      versions: [versionOf({ spec: specSchema(rule) })],
    }),
  );

const specSchema = (rule: string) => ({
  type: 'object',
  'x-kubernetes-validations': [{ rule, messageExpression: "'a' + string(self.i)" }],
  properties: {
    s: { type: 'string', maxLength: 50, default: 'aab' },
    i: { type: 'integer', default: 3 },
    n: { type: 'number', default: 1.5 },
    b: { type: 'boolean', default: true },
    l: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 10 }, default: ['a', 'b'] },
    m: { type: 'object', maxProperties: 10, additionalProperties: { type: 'integer' }, default: { a: 1 } },
    o: { type: 'object', default: {}, properties: { in: { type: 'integer', default: 1 } } },
  },
});

const leaves: readonly string[] = [
  ...[
    'self',
    'oldSelf',
    'self.s',
    'self.i',
    'self.n',
    'self.b',
    'self.l',
    'self.m',
    'self.o',
    'self.o.__in__',
    'x',
  ],
  ...[
    '1',
    '-1',
    '0',
    '9223372036854775807',
    '-9223372036854775808',
    '1u',
    '1.5',
    '1e308',
    '0x7f',
    'true',
    'null',
  ],
  ...["'a'", '"\\u0000"', "r'\\'", "b'\\xff'", "''", '[]', '{}', "[1, 'a']", "{'a': 1}", "duration('1h')"],
  ...[
    "timestamp('2020-01-01T00:00:00Z')",
    "quantity('1Gi')",
    "url('https://a/b')",
    "ip('::1')",
    "cidr('10.0.0.0/8')",
    'optional.none()',
  ],
];
const binary: readonly string[] = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  '&&',
  '||',
  'in',
];
const members: readonly string[] = [
  ...[
    'size()',
    'all(x, x)',
    'exists(x, x == x)',
    'exists_one(x, true)',
    'map(x, x)',
    'filter(x, x)',
    'sum()',
    'max()',
  ],
  ...[
    "startsWith('a')",
    "matches('(a+)+$')",
    "matches('[')",
    "split('')",
    "replace('a', 'aaaa')",
    'lowerAscii()',
  ],
  ...[
    'isSorted()',
    'indexOf(1)',
    'getHost()',
    'asInteger()',
    'orValue(1)',
    "find('a*')",
    'getHours()',
    "format(['a'])",
    'join()',
    'charAt(9)',
  ],
];

/** An expression, mostly of the right grammar and seldom of the right types. */
function expression(random: Random, depth = 0): string {
  if (depth > 5 || random.chance(0.25)) return random.pick(leaves);
  const inner = () => expression(random, depth + 1);
  return random.pick<() => string>([
    () => `${inner()} ${random.pick(binary)} ${inner()}`,
    () => `${inner()} ${random.pick(binary)} ${inner()}`,
    () => `(${inner()}).${random.pick(members)}`,
    () => `${inner()}.${random.pick(members)}`,
    () => `${inner()} ? ${inner()} : ${inner()}`,
    () => `${inner()}[${inner()}]`,
    () => `${random.pick(['!', '-', '--', '!!!'])}${inner()}`,
    () =>
      `${random.pick(['string', 'int', 'double', 'type', 'dyn', 'size', 'has', 'uint', 'bytes', 'bool'])}(${inner()})`,
    () => `[${inner()}, ${inner()}].map(x, ${inner()}).all(y, ${inner()})`,
    () => `{${inner()}: ${inner()}}`,
  ])();
}

/** Rules of CRDs, which run over the defaults of the schema, and `?filter=`. */
export const cel: FuzzTarget = {
  name: 'cel',
  shortCases: 400,
  prepare: prepareThings,
  run: async (random, send) => {
    const made = random.chance(0.01) ? '('.repeat(random.below(5_000)) : expression(random);
    const rule = random.chance(0.15) ? random.damaged(Buffer.from(made)).toString() : made;
    if (random.chance(0.2)) {
      await send({
        method: 'GET',
        path: `${thingsPath}?filter=${encodeURIComponent(Buffer.from(rule).toString())}`,
      });
      return;
    }
    await send({ method: 'POST', path, contentType: 'application/json', body: crd(rule) });
  },
};
