import * as t from '../types/type.ts';
import type { Type } from '../types/type.ts';

/** A macro with placeholders, see RandomExpressions, and its result type. */
interface MacroTemplate {
  readonly result: Type;
  readonly text: string;
}

const T = t.typeParam('T');

function giving(result: Type, texts: readonly string[]): MacroTemplate[] {
  return texts.map((text) => ({ result, text }));
}

/** All macros in all forms, and the syntax of optional values. */
export const macroTemplates: readonly MacroTemplate[] = [
  ...giving(t.boolType, [
    '{list(T)}.all($x, {bool|$x: T})',
    '{list(T)}.exists($x, {bool|$x: T})',
    '{list(T)}.exists_one($x, {bool|$x: T})',
    '{map(string, T)}.all($k, {bool|$k: string})',
    '{map(int, T)}.exists($k, {bool|$k: int})',
    '{list(T)}.all($i, $x, {bool|$i: int, $x: T})',
    '{list(T)}.exists($i, $x, {bool|$i: int, $x: T})',
    '{list(T)}.existsOne($i, $x, {bool|$i: int, $x: T})',
    '{list(T)}.exists_one($i, $x, {bool|$i: int, $x: T})',
    '{map(string, T)}.all($k, $x, {bool|$k: string, $x: T})',
    '{map(string, T)}.exists($k, $x, {bool|$k: string, $x: T})',
    '{map(string, T)}.existsOne($k, $x, {bool|$k: string, $x: T})',
    'self.parts.all($p, $p.count > {int})',
    'self.parts.exists($p, has($p.count) && $p.name == {string})',
    'self.parts.all($i, $p, $p == self.parts[$i])',
    '(self.part == self.parts[{int}])',
    '(self.anything == {int})',
    'has(self.labels.a)',
    'self.?part.?name.hasValue()',
    '(self.set == {list(string)})',
    '(self.keyed == self.keyed + self.keyed)',
    "{string}.matches('^[a-z]*$')",
    "({string} in ['a', 'self', 'x'])",
    '({int} in [1, 3])',
    '({double} in [1.5, 2.0])',
    '(dyn({int}) == dyn({double}))',
    '(dyn({int}) < dyn({string}))',
  ]),
  ...giving(t.listType(T), [
    '{list(T)}.filter($x, {bool|$x: T})',
    '{list(string)}.map($x, {T|$x: string})',
    '{list(int)}.map($x, {bool|$x: int}, {T|$x: int})',
    '{map(string, int)}.map($k, {T|$k: string})',
    '{list(int)}.transformList($i, $x, {T|$i: int, $x: int})',
    '{list(string)}.transformList($i, $x, {bool|$x: string}, {T|$i: int, $x: string})',
    '{map(string, int)}.transformList($k, $x, {T|$k: string, $x: int})',
    ...['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'].map(
      (key) => `{list(T)}.sortBy($x, {${key}|$x: T})`,
    ),
    '[{T}, ?{optional(T)}]',
    '[?{optional(T)}, ?{optional(T)}]',
  ]),
  ...giving(t.mapType(t.stringType, T), [
    '{map(string, T)}.transformMap($k, $x, {T|$k: string, $x: T})',
    '{map(string, int)}.transformMap($k, $x, {bool|$x: int}, {T|$k: string, $x: int})',
    '{list(string)}.transformMapEntry($i, $x, {$x: {T|$i: int}})',
    '{list(string)}.transformMapEntry($i, $x, {bool|$x: string}, {$x: {T|$i: int}})',
    '{{string}: {T}, {string}: {T}}',
    '{{string}: {T}, ?{string}: {optional(T)}}',
  ]),
  ...giving(t.mapType(t.intType, T), ['{list(T)}.transformMap($i, $x, {T|$i: int, $x: T})']),
  ...giving(t.optionalType(T), [
    '{optional(string)}.optMap($x, {T|$x: string})',
    '{optional(int)}.optFlatMap($x, {optional(T)|$x: int})',
    '{map(string, T)}[?{string}]',
    '{list(T)}[?{int}]',
  ]),
  ...giving(t.stringType, [
    'self.parts[{int}].name',
    '(self.flag ? self.part : self.parts[0]).name',
    'self.labels[{string}]',
    "{string}.find('[0-9]+')",
    "'%d of %s and %s'.format([{int}, {string}, {list(int)}])",
    '(self.set + {list(string)})[{int}]',
  ]),
  ...giving(t.intType, ['self.parts[{int}].count', 'self.labels.size()', '(self.keyed + self.keyed).size()']),
];
