import type { Schema } from '../api/openapi.ts';

/** What a schema says of a field, in words. */
export function typeWords({
  type,
  format,
  enum: values,
  items,
  'x-kubernetes-int-or-string': intOrString,
}: Schema): string {
  if (intOrString === true) return 'integer or string';
  if (values !== undefined) return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  if (type === 'array') return `list${items?.type === undefined ? '' : ` of ${items.type}`}`;
  return `${type ?? 'anything'}${format === undefined ? '' : ` (${format})`}`;
}

/** The rules of a field that can be said in a few words. */
export function ruleWords(schema: Schema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, pattern, nullable } = schema;
  return [
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(minLength === undefined ? [] : [`at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(pattern === undefined ? [] : [`matches ${pattern}`]),
    ...(nullable === true ? ['may be null'] : []),
  ];
}
