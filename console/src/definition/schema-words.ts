import { exactText } from '../api/exact-json.ts';
import type { Schema, ValidationRule } from '../api/kind-schema.ts';
import { boundWords, typeWords } from '../object/field-words.ts';

/** A CEL rule, with its message for authors of objects. */
export interface RuleText {
  readonly rule: string;
  readonly words: readonly string[];
}

const listTypes: Readonly<Record<string, string>> = {
  set: 'a set: no value stands twice, and each writer owns its own values',
  atomic: 'replaced as a whole by an apply',
};

/** The restrictions of a field, in a few words each. */
export function validationWords(schema: Schema): readonly string[] {
  return [
    ...boundWords(schema),
    ...(schema['x-kubernetes-int-or-string'] === true ? ['a whole number, or a text'] : []),
    ...(schema['x-kubernetes-embedded-resource'] === true
      ? ['a whole object, with apiVersion, kind and metadata']
      : []),
    ...alternatives('all of', schema.allOf),
    ...alternatives('any of', schema.anyOf),
    ...alternatives('exactly one of', schema.oneOf),
    ...(schema.not === undefined ? [] : [`not: ${summary(schema.not)}`]),
  ];
}

/** How a field is merged, and how unknown fields are treated. */
export function behaviourWords(schema: Schema): readonly string[] {
  const listType = schema['x-kubernetes-list-type'] ?? (schema.type === 'array' ? 'atomic' : '');
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const isAtomicMap = schema['x-kubernetes-map-type'] === 'atomic';
  return [
    ...(listType === 'map' ? [`items are told apart by ${keys.join(' and ')}`] : []),
    ...(Object.hasOwn(listTypes, listType) ? [listTypes[listType] ?? ''] : []),
    ...(isAtomicMap ? [listTypes['atomic'] ?? ''] : []),
    ...(schema['x-kubernetes-preserve-unknown-fields'] === true
      ? ['fields that the schema does not name are kept']
      : []),
  ];
}

/** The restrictions of map keys (KEP-5667); undefined if there are none. */
export function keyWords(schema: Schema): readonly string[] | undefined {
  const names = schema['x-kubernetes-property-names'];
  if (names === undefined) return undefined;
  const values = names.enum === undefined ? [] : [`one of ${names.enum.map(exactText).join(', ')}`];
  return [
    ...values,
    ...(names.format === undefined ? [] : [`a ${names.format}`]),
    ...(names.default === undefined ? [] : [`${exactText(names.default)} in place of the empty key`]),
    ...validationWords(names),
  ];
}

/** The rules of a field. */
export function ruleTexts(schema: Schema): readonly RuleText[] {
  return (schema['x-kubernetes-validations'] ?? []).map((rule) => ({
    rule: (rule.rule ?? '').trim(),
    words: wordsOf(rule),
  }));
}

function wordsOf(validation: ValidationRule): readonly string[] {
  const { rule = '', message, messageExpression, fieldPath, reason, featureGate } = validation;
  const isTransition = /\boldSelf\b/.test(rule);
  return [
    ...(message === undefined ? [] : [message]),
    ...(message === undefined && rule.trim() === 'self == oldSelf' ? ['cannot change once it is set'] : []),
    ...(messageExpression === undefined ? [] : [`the message is computed: ${messageExpression}`]),
    ...(isTransition ? [transitionWords(validation)] : []),
    ...(fieldPath === undefined ? [] : [`errors stand at ${fieldPath}`]),
    ...(reason === undefined || reason === 'FieldValueInvalid' ? [] : [`reason ${reason}`]),
    ...(featureGate === undefined ? [] : [`only while the gate ${featureGate} is on`]),
  ];
}

function transitionWords({ optionalOldSelf }: ValidationRule): string {
  return optionalOldSelf === true
    ? 'compares with the value before, where there is one'
    : 'compares with the value before, so it judges updates only';
}

function alternatives(words: string, branches: readonly Schema[] | undefined): readonly string[] {
  if (branches === undefined) return [];
  return [`${words}: ${branches.map(summary).join(words === 'all of' ? '; ' : '; or ')}`];
}

const summaryCharsMax = 400;

/** A branch on one line. */
function summary(schema: Schema): string {
  const { required = [], properties = {} } = schema;
  const parts = [
    ...(schema.type === undefined && schema.enum === undefined ? [] : [typeWords(schema)]),
    ...boundWords(schema),
    ...(required.length === 0 ? [] : [`with ${required.join(' and ')}`]),
    ...Object.entries(properties)
      .map(([name, inner]) => [name, summary(inner)] as const)
      .map(([name, inner]) => (inner === 'anything' ? name : `${name} ${inner}`)),
    ...(schema.not === undefined ? [] : [`not (${summary(schema.not)})`]),
    ...alternatives('any of', schema.anyOf),
    ...alternatives('all of', schema.allOf),
    ...alternatives('exactly one of', schema.oneOf),
  ];
  return (parts.length === 0 ? 'anything' : parts.join(', ')).slice(0, summaryCharsMax);
}
