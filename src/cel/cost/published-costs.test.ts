import { describe, expect, test } from 'vitest';
import {
  authorizerVariable,
  CelAuthorizer,
  compile,
  type CompileOptions,
  storedExpressions,
} from '../index.ts';

/**
 * The costs that upstream publishes for its libraries: the figures of pkg/cel/library/cost_test.go of k8s.io/apiserver,
 * for our own expressions. Upstream's tests create constants at run time, while kube-apiserver and Ilk create them at
 * compile time: the last figure of a row is the difference, 10 for a list, 30 for a map, a tenth of the characters or 1
 * for a conversion.
 */
type Row = readonly [
  source: string,
  min: number,
  max: number | typeof unknown,
  actual: number,
  constants?: number,
];

/** The sizes of strings in list literals are unknown; upstream's tests declare them short. */
const unknown = 'more than anything may cost';

const environment = storedExpressions({ jsonPatch: true });
const options: CompileOptions = { variables: { authorizer: authorizerVariable } };
const authorizer = new CelAuthorizer(() => ({ allowed: true, reason: '' }));

function rows(name: string, table: readonly Row[]): void {
  test.each(table.map((row) => [row[0], row] as const))(`${name}: %s`, (source, row) => {
    const [, min, max, actual, constants = 0] = row;
    const { cost, program } = compile(source, environment, options);
    const interpreted = program.interpret({ authorizer }, 1_000_000);
    expect(interpreted.error).toBeUndefined();
    expect({
      min: Number(cost.min),
      max: cost.max > 1e15 ? unknown : Number(cost.max),
      interpreted: interpreted.cost + constants,
      generated: program.evaluate({ authorizer }).cost + constants,
    }).toEqual({ min, max, interpreted: actual, generated: actual });
  });
}

const five = (item: (index: number) => string): string => `[${[1, 2, 3, 4, 5].map(item).join(', ')}]`;
const twelve = "'abcdefghijkl'";

/** Lists of five elements, each of another type. */
const lists = {
  ints: five(String),
  uints: five((i) => `uint(${i})`),
  doubles: five((i) => `${i}.0`),
  bools: five((i) => String(i % 2 === 0)),
  texts: five(() => twelve),
  bytes: five(() => `bytes(${twelve})`),
  durations: five((i) => `duration('${i}s')`),
  timestamps: five((i) => `timestamp('2026-02-0${i}T12:30:00.000+01:00')`),
};

describe('the published costs of', () => {
  rows('sums', [
    [`${lists.ints}.sum()`, 15, 15, 15, 10],
    [`${lists.uints}.sum()`, 20, 20, 20, 15],
    [`${lists.doubles}.sum()`, 15, 15, 15, 10],
    [`${lists.durations}.sum()`, 20, 20, 20, 15],
  ]);

  rows(
    'orders',
    ['isSorted', 'max', 'min'].flatMap((name): Row[] => [
      [`${lists.ints}.${name}()`, 15, 15, 15, 10],
      [`${lists.uints}.${name}()`, 20, 20, 20, 15],
      [`${lists.doubles}.${name}()`, 15, 15, 15, 10],
      [`${lists.bools}.${name}()`, 15, 15, 15, 10],
      [`${lists.texts}.${name}()`, 15, unknown, 15, 10],
      [`${lists.bytes}.${name}()`, 25, unknown, 25, 20],
      [`${lists.durations}.${name}()`, 20, 20, 20, 15],
      [`${lists.timestamps}.${name}()`, 20, 20, 20, 15],
    ]),
  );

  const fifty = `'${'fifty char'.repeat(5)}'`;
  rows('searches', [
    ...['indexOf', 'lastIndexOf', 'includes'].flatMap((name): Row[] => [
      [`${lists.ints}.${name}(4)`, 15, 15, 15, 10],
      [`${lists.uints}.${name}(uint(4))`, 21, 21, 21, 16],
      [`${lists.doubles}.${name}(4.0)`, 15, 15, 15, 10],
      [`${lists.bools}.${name}(false)`, 15, 15, 15, 10],
      [`${lists.texts}.${name}('z')`, 15, unknown, 15, 10],
      [`${lists.bytes}.${name}(bytes('z'))`, 26, unknown, 26, 21],
      [`${lists.durations}.${name}(duration('4s'))`, 21, 21, 21, 16],
      [`${lists.timestamps}.${name}(timestamp('2026-02-04T12:30:00.000+01:00'))`, 21, 21, 21, 16],
    ]),
    [`${fifty}.indexOf('ty ')`, 5, 5, 5],
    [`${fifty}.lastIndexOf('ty ')`, 5, 5, 5],
    [`${fifty}.includes('ty ')`, 50, 50, 5],
  ]);

  const url = "url('https:://kubernetes.io/')";
  rows('URLs', [
    ...['getScheme', 'getHostname', 'getHost', 'getPort', 'getEscapedPath', 'getQuery'].map(
      (name): Row => [`${url}.${name}()`, 4, 4, 4],
    ),
    [`${url} == ${url}`, 7, 9, 7],
    [`${url} == url('http://y.c')`, 5, 5, 5],
  ]);

  const ipv4 = "ip('10.20.30.40')"; // 11 characters
  const ipv6 = "ip('2001:db8:3333:4444:5555:6666:7777:8888')";
  const questions = [
    'family',
    'isUnspecified',
    'isLoopback',
    'isLinkLocalMulticast',
    'isLinkLocalUnicast',
    'isGlobalUnicast',
  ];
  rows('IP addresses', [
    [ipv4, 2, 2, 2],
    [ipv6, 4, 4, 4],
    ...questions.flatMap((name): Row[] => [
      [`${ipv4}.${name}()`, 3, 3, 3],
      [`${ipv6}.${name}()`, 5, 5, 5],
    ]),
    [`${ipv4} == ip('192.168.0.1')`, 5, 5, 5],
    [`${ipv6} == ip('192.168.0.1')`, 7, 7, 7],
    ["ip.isCanonical('192.168.0.1')", 3, 3, 3],
    ["ip.isCanonical('2001:db8:3333:4444:5555:6666:7777:8888')", 8, 8, 8],
    ["ip.isCanonical('2001:db8::abcd')", 3, 3, 3],
  ]);

  const cidr4 = "cidr('192.168.0.0/16')";
  const cidr6 = "cidr('2001:db8::/32')";
  rows('CIDRs', [
    ...[cidr4, cidr6].flatMap((cidr): Row[] => [
      [cidr, 2, 2, 2],
      ...['ip', 'prefixLength', 'masked'].map((name): Row => [`${cidr}.${name}()`, 3, 3, 3]),
      [`${cidr} == ${cidr6}`, 5, 5, 5],
    ]),
    ...["cidr('10.0.0.0/30')", "'10.0.0.0/30'", cidr4, "'192.168.0.0/16'"].map(
      (other): Row => [`${cidr4}.containsCIDR(${other})`, 7, 11, 7],
    ),
    ...["cidr('2001:db8::/126')", "'2001:db8::/126'", cidr6, "'2001:db8::/32'"].map(
      (other): Row => [`${cidr6}.containsCIDR(${other})`, 7, 11, 7],
    ),
    ...["ip('192.0.0.1')", "'192.0.0.1'"].map((one): Row => [`${cidr4}.containsIP(${one})`, 4, 7, 4]),
    ...["ip('192.169.0.1')", "'192.169.0.1'", "ip('192.169.169.250')"].map(
      (one): Row => [`${cidr4}.containsIP(${one})`, 5, 8, 5],
    ),
    ...[ipv6, ipv6.slice(3, -1)].map((one): Row => [`${cidr6}.containsIP(${one})`, 7, 10, 7]),
    ...["ip('2001:db8::1')", "'2001:db8::1'"].map((one): Row => [`${cidr6}.containsIP(${one})`, 5, 8, 5]),
  ]);

  const twentyOne = "'Twenty-One Characters'";
  const fifteen = "'one two one two'";
  const ten = "['aa', 'bb', 'cc', 'd', 'e', 'f', 'g', 'h', 'i', 'j']";
  rows('texts', [
    [`${twentyOne}.lowerAscii()`, 3, 3, 3],
    [`${twentyOne}.lowerAscii() == ${twentyOne}.lowerAscii()`, 7, 9, 9],
    [`${twentyOne}.upperAscii()`, 3, 3, 3],
    [`${twentyOne}.upperAscii() == ${twentyOne}.upperAscii()`, 7, 9, 9],
    [`strings.quote(${twentyOne})`, 3, 3, 3],
    [`strings.quote(${twentyOne}) == strings.quote(${twentyOne})`, 7, 11, 9],
    [`${fifteen}.replace('two', '222')`, 3, 3, 3],
    [`${fifteen}.replace('', '-')`, 3, 3, 3],
    [`${fifteen}.replace('two', '')`, 3, 3, 3],
    [`${fifteen}.replace('two', '222', 1)`, 3, 3, 3],
    [`${fifteen}.split(' ')`, 3, 3, 3],
    [`${fifteen}.split(' ', 1)`, 3, 3, 3],
    [`${fifteen}.substring(5)`, 2, 2, 2],
    [`${fifteen}.substring(5, 8)`, 2, 2, 2],
    [`'  ${fifteen.slice(1, -1)}  '.trim()`, 2, 2, 2],
    [`${ten}.join(' ')`, 11, unknown, 15, 10],
    [`${ten}.join()`, 10, unknown, 13, 10],
    [`${fifteen}.find('two')`, 2, 2, 2],
    [`${fifteen}.findAll('two')`, 2, 2, 2],
    [`${fifteen}.findAll('two', 1)`, 2, 2, 2],
    ["jsonpatch.escapeKey('one/two~ one/two~')", 2, 2, 2],
  ]);

  const selector = 'spec.nodeName=one-host-name.that.is.as.long.as.domain.names.example.com';
  const backend =
    "authorizer.group('apps').resource('deployments').subresource('status').namespace('n').name('b')";
  rows('the authorizer', [
    ["authorizer.path('/healthz')", 2, 2, 2],
    [backend, 6, 6, 6],
    ...['fieldSelector', 'labelSelector'].map(
      (name): Row => [`authorizer.group('').resource('pods').${name}('${selector}')`, 1821, 1821, 1821],
    ),
    ["authorizer.path('/healthz').check('get').allowed()", 350_003, 350_003, 350_003],
    ...['allowed', 'reason', 'errored', 'error'].map(
      (name): Row => [`${backend}.check('create').${name}()`, 350_007, 350_007, 350_007],
    ),
  ]);
  test('a selector of 71 characters', () => expect(selector).toHaveLength(71));

  rows('quantities', [
    ['quantity("12Mi")', 1, 1, 1],
    ['isQuantity("20")', 1, 1, 1],
    ['isQuantity("20M")', 1, 1, 1],
    ['quantity("300M") == quantity("300M")', 3, 3, 3],
    ['quantity("300M") == quantity("0.3G") && quantity("0.3G") == quantity("300M")', 3, 6, 6],
    [
      'quantity("4M") == quantity("0.004G") && quantity("4000k") == quantity("4M") && quantity("0.004G") == quantity("4000k")',
      3,
      9,
      9,
    ],
    ['quantity("60M").isLessThan(quantity("60Mi"))', 3, 3, 3],
    ['quantity("60Mi").isGreaterThan(quantity("60M"))', 3, 3, 3],
    ['quantity("300M").compareTo(quantity("0.3G")) > 0', 4, 4, 4],
    ['quantity("60k").add(quantity("20")) == quantity("60.02k")', 5, 5, 5],
    ['quantity("60k").sub(quantity("20")) == quantity("59.98k")', 5, 5, 5],
    ['quantity("60k").sub(20) == quantity("59980")', 4, 4, 4],
    ['quantity("60k").add(20).sub(quantity("100k")).asInteger() > 0', 6, 6, 6],
    ['quantity("60k").add(20).sub(quantity("100k")).sub(-50000).asInteger() > 0', 7, 7, 7],
    ['quantity("60k").asInteger() > 0', 3, 3, 3],
    ['quantity("60").isInteger()', 2, 2, 2],
    ['quantity("60.703k").asApproximateFloat() > 0.0', 3, 3, 3],
  ]);

  const label = 'format.named("dns1123Label").value()';
  rows('formats', [
    ['format.named("dns1123subdomain")', 1, 1, 1],
    ['format.named("dns1123Subdomain").value().validate("my-name")', 34, 34, 17],
    [`${label}.validate("my-name")`, 34, 34, 10],
    [`${label} == ${label}`, 5, 11, 5],
  ]);

  /** The figures include the creation of the lists, which is saved. */
  const sets: readonly (readonly [name: string, sizes: string, lists: number, cost: number])[] = [
    ['contains', '[], []', 2, 21],
    ['contains', '[7], []', 2, 21],
    ['contains', '[7], [7]', 2, 22],
    ['contains', '[7], [7, 7]', 2, 23],
    ['contains', '[7, 7], [7]', 2, 23],
    ['contains', '[6, 7, 8, 9], [7, 8]', 2, 29],
    ['contains', '[[7], [8, 9]], [[8, 9]]', 5, 53],
    ['contains', '[7], [8, 9]', 2, 23],
    ['equivalent', '[], []', 2, 21],
    ['equivalent', '[7], [7]', 2, 23],
    ['equivalent', '[7], [7, 7]', 2, 25],
    ['equivalent', '[7, 8, 9], [9, 8, 7]', 2, 39],
    ['equivalent', '[[7], [8, 9]], [[7], [8, 9]]', 6, 69],
    ['equivalent', '[7, 8], [8, 8, 8]', 2, 33],
    ['intersects', '[7], [7]', 2, 22],
    ['intersects', '[7], [7, 7]', 2, 23],
    ['intersects', '[7, 8], [8, 8, 8]', 2, 27],
    ['intersects', '[[7], [8, 9]], [[7, 8], [8, 9]]', 6, 65],
    ['intersects', '[], []', 2, 21],
  ];
  rows(
    'sets',
    sets.map(([name, args, made, cost]) => [`sets.${name}(${args})`, cost, cost, cost, made * 10]),
  );

  rows('versions', [
    ['semver("2.0.0")', 1, 1, 1],
    ['semver("1234.56789012345.67890123456789")', 4, 4, 4],
    ['isSemver("2.0.0")', 1, 1, 1],
    ['isSemver("1234.56789012345.67890123456789")', 4, 4, 4],
    ...['major', 'minor', 'patch'].map((name): Row => [`semver("2.3.4").${name}()`, 2, 2, 2]),
    ...['isLessThan', 'isGreaterThan', 'compareTo'].map(
      (name): Row => [`semver("2.0.0").${name}(semver("2.1.0"))`, 3, 3, 3],
    ),
  ]);

  const map = "{'x': 1, 'y': 2}";
  const list = '[1, 2]';
  rows('comprehensions of two variables', [
    [`${map}.all(k, v, v > 0)`, 37, 41, 41, 30],
    [`${map}.exists(k, v, v > 0)`, 39, 43, 40, 30],
    [`${map}.existsOne(k, v, v > 0)`, 38, 40, 40, 30],
    [`${map}.transformMap(k, v, v + 1)`, 71, 71, 71, 60],
    [`${map}.transformMap(k, v, v < 5, v + 1)`, 67, 75, 75, 60],
    [`${map}.transformMapEntry(k, v, {k: v + 1})`, 131, 131, 131, 60],
    [`${map}.transformMapEntry(k, v, v < 5, {k: v + 1})`, 67, 135, 135, 60],
    [`${list}.all(i, v, v > 0)`, 17, 21, 21, 10],
    [`${list}.exists(i, v, v > 0)`, 19, 23, 20, 10],
    [`${list}.existsOne(i, v, v > 0)`, 18, 20, 20, 10],
    [`${list}.transformList(i, v, v + 1)`, 49, 49, 49, 20],
    [`${list}.transformList(i, v, v < 5, v + 1)`, 27, 53, 53, 20],
  ]);
});
