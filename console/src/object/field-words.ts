import { exactText } from '../api/exact-json.ts';
import type { Schema } from '../api/kind-schema.ts';

/** The description of a field by its schema. */
export function typeWords({
  type,
  format,
  enum: values,
  items,
  additionalProperties,
  'x-kubernetes-int-or-string': intOrString,
}: Schema): string {
  if (intOrString === true) return 'integer or string';
  if (values !== undefined) return `one of ${values.map(exactText).join(', ')}`;
  if (type === 'array') return `list${items?.type === undefined ? '' : ` of ${items.type}`}`;
  if (typeof additionalProperties === 'object')
    return `map${additionalProperties.type === undefined ? '' : ` of ${additionalProperties.type}`}`;
  return `${type ?? 'anything'}${format === undefined ? '' : ` (${format})`}`;
}

/** The restrictions of a field that fit in a few words. */
export function ruleWords(schema: Schema): readonly string[] {
  return [
    ...(schema.default === undefined ? [] : [`default ${exactText(schema.default)}`]),
    ...boundWords(schema),
  ];
}

type Bound = [value: unknown, words: string];

/** The restrictions of a value besides its type. */
export function boundWords(schema: Schema): readonly string[] {
  const { minimum, maximum, multipleOf, minLength, maxLength, pattern, minItems, maxItems } = schema;
  const bounds: readonly Bound[] = [
    [minimum, `${schema.exclusiveMinimum === true ? 'more than' : 'at least'} ${minimum}`],
    [maximum, `${schema.exclusiveMaximum === true ? 'less than' : 'at most'} ${maximum}`],
    [multipleOf, `a multiple of ${multipleOf}`],
    [minLength, `at least ${countOf(minLength, 'character')}`],
    [maxLength, `at most ${countOf(maxLength, 'character')}`],
    [pattern, `matches ${pattern}`],
    [minItems, `at least ${countOf(minItems, 'item')}`],
    [maxItems, `at most ${countOf(maxItems, 'item')}`],
    [schema.minProperties, `at least ${countOf(schema.minProperties, 'entry', 'entries')}`],
    [schema.maxProperties, `at most ${countOf(schema.maxProperties, 'entry', 'entries')}`],
    [schema.uniqueItems || undefined, 'no item twice'],
    [schema.nullable || undefined, 'may be null'],
  ];
  return bounds.filter(([value]) => value !== undefined).map(([, words]) => words);
}

function countOf(count: number | undefined, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
