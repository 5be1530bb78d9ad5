import { DecodeError } from '../decode-error.ts';

/** A typed scalar. `time` matters only when text is encoded; it decodes to a string. */
export type YamlScalar =
  | { readonly type: 'str' | 'timestamp' | 'other'; readonly value: string }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number };

const longTagPrefix = 'tag:yaml.org,2002:';
const resolvable = new Set(
  ['str', 'bool', 'int', 'float', 'null', 'timestamp'].map((name) => longTagPrefix + name),
);

const words: ReadonlyMap<string, YamlScalar> = new Map([
  ...wordsFor({ type: 'bool', value: true }, 'y Y yes Yes YES true True TRUE on On ON'),
  ...wordsFor({ type: 'bool', value: false }, 'n N no No NO false False FALSE off Off OFF'),
  ...wordsFor({ type: 'null', value: null }, ' ~ null Null NULL'),
  ...wordsFor({ type: 'float', value: Number.NaN }, '.nan .NaN .NAN'),
  ...wordsFor({ type: 'float', value: Number.POSITIVE_INFINITY }, '.inf .Inf .INF +.inf +.Inf +.INF'),
  ...wordsFor({ type: 'float', value: Number.NEGATIVE_INFINITY }, '-.inf -.Inf -.INF'),
]);

function wordsFor(scalar: YamlScalar, list: string): [string, YamlScalar][] {
  return list.split(' ').map((word) => [word, scalar]);
}

/**
 * Resolves the type of a scalar by the rules of go-yaml 2, which `sigs.k8s.io/yaml` uses: YAML 1.1 without base 60
 * numbers; timestamps stay strings.
 *
 * @param tag - the explicit tag in its long form; empty if there is none.
 * @throws {DecodeError} if the text does not have the type of the tag.
 */
export function resolveScalar(tag: string, text: string): YamlScalar {
  if (tag === '') return resolvePlain(text);
  if (tag === `${longTagPrefix}str`) return { type: 'str', value: text };
  if (!resolvable.has(tag)) return { type: 'other', value: text };
  const wanted = tag.slice(longTagPrefix.length);
  const found = resolvePlain(text, wanted === 'timestamp');
  if (found.type === wanted) return found;
  if (wanted === 'float' && found.type === 'int') return { type: 'float', value: Number(found.value) };
  throw new DecodeError(`yaml: cannot decode !!${found.type} \`${text}\` as a !!${wanted}`);
}

function resolvePlain(text: string, allowTime = true): YamlScalar {
  const word = words.get(text);
  if (word !== undefined) return word;
  const first = text.charCodeAt(0);
  // A number or time starts with a sign, a point or a digit.
  if (!(first >= 0x2b && first <= 0x39)) return { type: 'str', value: text };
  if (text.startsWith('.')) return parseFloatText(text) ?? { type: 'str', value: text };
  if (allowTime && isTimestamp(text)) return { type: 'timestamp', value: text };
  const plain = text.replaceAll('_', '');
  return parseInteger(plain) ?? parseFloatText(plain) ?? { type: 'str', value: text };
}

const integerForm = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const integerCharsMax = 70;
const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;
const uint64Max = 2n ** 64n - 1n;

/** Go's `ParseInt` with base 0, and for larger values `ParseUint`, which accepts no sign. */
function parseInteger(text: string): YamlScalar | undefined {
  const match = text.length > integerCharsMax ? shortened(text) : integerForm.exec(text);
  if (match === null) return undefined;
  const [, sign = '', hex, binary, octal, decimal = '0'] = match;
  const digits =
    hex !== undefined
      ? `0x${hex}`
      : binary !== undefined
        ? `0b${binary}`
        : octal !== undefined
          ? `0o${octal}`
          : decimal;
  const size = BigInt(digits);
  const value = sign === '-' ? -size : size;
  if (value >= int64Min && value <= (sign === '' ? uint64Max : int64Max)) return { type: 'int', value };
  return undefined;
}

/** An integer with this many characters is in range only with leading zeros. */
function shortened(text: string): RegExpExecArray | null {
  return integerForm.exec(text.replace(/^([-+]?0[xXbBoO]?)0+/, '$1').slice(0, integerCharsMax + 1));
}

const floatForm = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

function parseFloatText(text: string): YamlScalar | undefined {
  if (!floatForm.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

const timestampForm =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:([Tt ])(\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(Z|[-+]\d\d:\d\d)?)?$/;

function isTimestamp(text: string): boolean {
  const match = timestampForm.exec(text);
  if (match === null) return false;
  const [, year, month, day, separator, hour = '0', minute = '0', second = '0', zone] = match;
  // A time zone is allowed with the letter T, and only with it.
  if (separator !== undefined && (separator === ' ') !== (zone === undefined)) return false;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return false;
  const days = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days;
}
