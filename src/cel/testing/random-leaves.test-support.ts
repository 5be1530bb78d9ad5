import { formatType, type Type } from '../types/type.ts';

/** Literals and fields of `self` by type name. */
const known: Readonly<Record<string, readonly string[]>> = {
  bool: ['true', 'false', 'self.flag', 'has(self.text)', 'has(self.part.count)', 'has(self.absent)'],
  int: ['0', '1', '-7', '3', '9007199254740991', '9223372036854775807', 'self.count', 'self.part.count'],
  uint: ['0u', '7u', '18446744073709551615u'],
  double: ['0.0', '1.5', '-0.25', '1e300', 'self.ratio'],
  string: [
    "''",
    "'a'",
    "'h\\u00e9llo \\U0001f600'",
    "'a longer text, of more than ten characters'",
    "'^[a-z]+$'",
    "'%s-%d'",
    "'1.5Gi'",
    "'2001:db8::1'",
    "'10.0.0.0/8'",
    "'2.0.1'",
    "'https://u:p@host:81/p/a?q=1&q=2#f'",
    "'2026-02-03T04:05:06.789Z'",
    "'90s'",
    "'+01:30'",
    "'12'",
    'self.text',
    'self.part.name',
  ],
  bytes: ["b''", "b'ab\\xff'", 'self.bytes'],
  timestamp: ["timestamp('2026-02-03T04:05:06.789Z')", 'timestamp(0)', 'self.when', 'self.day'],
  duration: ["duration('1h30m')", "duration('-0.5s')", 'self.span'],
  null_type: ['null'],
  'list(string)': ["['a', 'b']", 'self.names', 'self.set'],
  'list(int)': ['[3, 1, 2]', 'self.numbers'],
  'list(double)': ['[2.5, 0.5]', 'self.ratios'],
  'map(string, string)': ['self.labels', "{'a': 'b'}"],
  'optional_type(string)': ['self.?text', 'self.?absent', 'self.part.?name'],
  'kubernetes.URL': ["url('https://u:p@host:81/p/a?q=1&q=2#f')", "url('/path')"],
  'kubernetes.Quantity': ["quantity('1.5Gi')", "quantity('-3')", "quantity('12e3')"],
  'net.IP': ["ip('192.168.0.1')", "ip('::1')"],
  'net.CIDR': ["cidr('192.168.0.0/16')", "cidr('2001:db8::/32')"],
  'kubernetes.Semver': ["semver('1.2.3')", "semver('1.0.0-rc.1')"],
  'kubernetes.NamedFormat': ['format.dns1123Label()', 'format.date()', 'format.uuid()'],
};

/** Expressions of a type without calls; `leaf` returns those of an inner type. */
export function leavesOf(type: Type, leaf: (inner: Type) => string): readonly string[] {
  const leaves = known[formatType(type)] ?? [];
  const [first, second] = type.params;
  if (first === undefined) return leaves;
  switch (type.kind) {
    case 'list':
      return [...leaves, `[${leaf(first)}, ${leaf(first)}]`, `[${leaf(first)}]`];
    case 'map':
      return [...leaves, `{${leaf(first)}: ${second === undefined ? '0' : leaf(second)}}`];
    case 'type':
      return [...leaves, `type(${leaf(first)})`];
    default:
      return [...leaves, `optional.of(${leaf(first)})`, `[?optional.of(${leaf(first)})].first()`];
  }
}
