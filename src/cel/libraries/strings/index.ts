import { scanCost } from '../../cost/builders.ts';
import { type FunctionDeclaration, globalOverload, memberOverload } from '../../functions/function.ts';
import { int, list, string } from '../../functions/param.ts';
import { dynType, intType, listType, stringType } from '../../types/type.ts';
import { CelError, isError } from '../../values/cel-error.ts';
import { ArrayList, type CelList } from '../../values/list.ts';
import { maxTextLength, requireAtMost } from '../../values/too-large.ts';
import type { CelInt, Result } from '../../values/value.ts';
import type { Library } from '../library.ts';
import { joinCost, replaceCost, splitCost } from './costs.ts';
import { formatText } from './format.ts';
import { quote } from './quote.ts';
import { charAt, indexOf, lastIndexOf, substring } from './positions.ts';

function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function upper(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Replaces the first n occurrences, or all if the count is negative; '' occurs before each code point. */
function replace(text: string, old: string, by: string, count: CelInt): string {
  if (count === 0) return text;
  const parts = old === '' ? ['', ...Array.from(text), ''] : text.split(old);
  requireAtMost(text.length + parts.length * by.length, maxTextLength);
  if (count < 0 || count >= parts.length - 1) return parts.join(by);
  const replaced = Number(count);
  return [parts.slice(0, replaced + 1).join(by), ...parts.slice(replaced + 1)].join(old);
}

/** Splits into at most n parts, the last one unsplit; into all if the count is negative. */
function split(text: string, separator: string, count: CelInt): Result {
  if (count === 0) return new ArrayList([]);
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (count < 0 || parts.length <= count) return new ArrayList(parts);
  const kept = Number(count) - 1;
  return new ArrayList([...parts.slice(0, kept), parts.slice(kept).join(separator)]);
}

/** Go's strings.TrimSpace: Unicode's white space, which differs from JavaScript's in U+0085 and U+FEFF. */
function trim(text: string): string {
  return text.replace(/^[\p{White_Space}]+|[\p{White_Space}]+$/gu, '');
}

function join(values: CelList, separator: string): Result {
  const texts: string[] = [];
  let length = 0;
  for (let index = 0; index < values.size; index++) {
    const value = values.at(index);
    if (isError(value)) return value;
    if (typeof value !== 'string') return new CelError(`join: invalid input: ${String(value)}`);
    length += value.length + separator.length;
    requireAtMost(length, maxTextLength);
    texts.push(value);
  }
  return texts.join(separator);
}

const strings = listType(stringType);

const functions: readonly FunctionDeclaration[] = [
  { name: 'charAt', overloads: [memberOverload('string_char_at_int', [string, int], stringType, charAt)] },
  {
    name: 'indexOf',
    overloads: [
      memberOverload('string_index_of_string', [string, string], intType, (text, part) =>
        indexOf(text, part, 0),
      ),
      memberOverload('string_index_of_string_int', [string, string, int], intType, indexOf),
    ],
  },
  {
    name: 'lastIndexOf',
    overloads: [
      memberOverload('string_last_index_of_string', [string, string], intType, (text, part) =>
        lastIndexOf(text, part),
      ),
      memberOverload('string_last_index_of_string_int', [string, string, int], intType, lastIndexOf),
    ],
  },
  { name: 'lowerAscii', overloads: [memberOverload('string_lower_ascii', [string], stringType, lower)] },
  {
    name: 'replace',
    overloads: [
      memberOverload('string_replace_string_string', [string, string, string], stringType, (text, old, by) =>
        replace(text, old, by, -1),
      ),
      memberOverload('string_replace_string_string_int', [string, string, string, int], stringType, replace),
    ],
  },
  {
    name: 'split',
    overloads: [
      memberOverload('string_split_string', [string, string], strings, (text, separator) =>
        split(text, separator, -1),
      ),
      memberOverload('string_split_string_int', [string, string, int], strings, split),
    ],
  },
  {
    name: 'substring',
    overloads: [
      memberOverload('string_substring_int', [string, int], stringType, (text, start) =>
        substring(text, start),
      ),
      memberOverload('string_substring_int_int', [string, int, int], stringType, substring),
    ],
  },
  { name: 'trim', overloads: [memberOverload('string_trim', [string], stringType, trim)] },
  { name: 'upperAscii', overloads: [memberOverload('string_upper_ascii', [string], stringType, upper)] },
];

/** Functions added in versions 1 and 2 of the library. */
const laterFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'format',
    isVariadic: true,
    overloads: [memberOverload('string_format', [string, list(dynType)], stringType, formatText)],
  },
  { name: 'strings.quote', overloads: [globalOverload('strings_quote', [string], stringType, quote)] },
];

const joining: FunctionDeclaration = {
  name: 'join',
  overloads: [
    memberOverload('list_join', [list(stringType)], stringType, (values) => join(values, '')),
    memberOverload('list_join_string', [list(stringType), string], stringType, join),
  ],
};

/** cel-go's ext.Strings in the two versions that Kubernetes has used. */
export function stringsLibrary(version: 0 | 2): () => Library {
  return () => ({
    name: 'strings',
    functions: [...functions, joining, ...(version === 0 ? [] : laterFunctions)],
    costs: {
      functions: {
        lowerAscii: scanCost(1, { keepsSize: true }),
        upperAscii: scanCost(1, { keepsSize: true }),
        substring: scanCost(1, { keepsSize: true }),
        trim: scanCost(1, { keepsSize: true }),
        replace: replaceCost,
        split: splitCost,
        join: joinCost,
      },
    },
  });
}
