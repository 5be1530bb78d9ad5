import { type JsonObject, type JsonValue, put, seededRandom } from '../meta/index.ts';

/** Random numbers from 0 up to, not including, a bound; the same for the same seed. */
export type Random = (below: number) => number;

export function randomBelow(seed: number): Random {
  const random = seededRandom(seed);
  return (below) => Math.floor(random() * below);
}

const texts = [
  ...[
    '',
    'a',
    'b',
    'spec',
    'x-y',
    '__proto__',
    'constructor',
    '9',
    '10',
    '<a&b>',
    '\u2028',
    'é',
    '😀',
    '\uffee',
  ],
  ...[
    'yes',
    'No',
    'null',
    '~',
    'true',
    '1',
    '0x1f',
    '0o7',
    '1_000',
    '1e3',
    '.5',
    '.inf',
    '1:30',
    '2001-01-01',
  ],
  ...[
    ' lead',
    'trail ',
    'a: b',
    'a #b',
    '- a',
    '? a',
    '*a',
    '&a',
    '!a',
    '%a',
    '@a',
    '`a`',
    '{a',
    '[a',
    'a,b]}',
  ],
  ...[
    '"q"',
    "'q'",
    'a\nb',
    'a\nb\n',
    '\n',
    '\n\na',
    'a\n\n',
    '  a\nb',
    'a \nb',
    'tab\tx',
    '\x00',
    '\x7f',
    '\u0085',
    '=',
  ],
  ...[
    '---',
    '...',
    '<<',
    'a\r\nb',
    'a'.repeat(200),
    `${'word '.repeat(40)}end`,
    '\\',
    ':',
    '-',
    '?',
    '|',
    '>',
    '\ufeff',
  ],
];
const numbers = [0, 1, -1, 42, 1.5, -2.25, 1e21, 1e-7, 100000, 1e6, 2 ** 53 - 1, 0.1, 123456789.125];
const integers = [2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n), 1234567890123456789n];

/** Any JSON value; values that parsers often get wrong are frequent. */
export function randomValue(random: Random, depth = 0): JsonValue {
  const pick = random(depth > 3 ? 6 : 10);
  if (pick < 2) return texts[random(texts.length)] ?? '';
  if (pick === 2) return numbers[random(numbers.length)] ?? 0;
  if (pick === 3) return integers[random(integers.length)] ?? 0n;
  if (pick === 4) return random(2) === 0;
  if (pick === 5) return null;
  if (pick < 8) return Array.from({ length: random(4) }, () => randomValue(random, depth + 1));
  const object: JsonObject = {};
  for (let left = random(5); left > 0; left -= 1) {
    put(object, texts[random(texts.length)] ?? '', randomValue(random, depth + 1));
  }
  return object;
}
