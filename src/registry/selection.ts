import type { ViewEntry } from '../cache/index.ts';
import { badRequestError, type FieldSelector, type LabelSelector } from '../meta/index.ts';
import { type Forms, formLabels, formObject, formOf } from './forms.ts';
import { selectableValue } from './selectable-value.ts';
import type { Target } from './target.ts';

/** Which objects of a resource a list or a watch is about. */
export interface Selection {
  /** Objects are looked for under this key prefix, or at exactly this key. */
  readonly scope:
    | { readonly kind: 'prefix'; readonly prefix: string }
    | { readonly kind: 'key'; readonly key: string };
  /** Undefined where everything in the scope is selected. */
  readonly matches: ((entry: ViewEntry<Forms>) => boolean) | undefined;
}

/** The selectors of a request. */
export interface Selectors {
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
}

/**
 * What the selectors of a request select.
 *
 * @throws {StatusError} 400 for a field that cannot be selected by
 */
export function selectObjects(
  target: Target,
  { labelSelector: labels, fieldSelector: fields }: Selectors,
): Selection {
  checkFields(target, fields);
  const scope = scopeOf(target, fields);
  const checks = [labelCheck(target, labels), fieldCheck(target, fields)].filter(
    (check) => check !== undefined,
  );
  if (checks.length === 0) return { scope, matches: undefined };
  return { scope, matches: (entry) => checks.every((check) => check(entry)) };
}

function checkFields(target: Target, selector: FieldSelector): void {
  const known = new Set<string>([
    'metadata.name',
    ...(target.type.namespaced ? ['metadata.namespace'] : []),
    ...target.version.selectableFields,
    ...(target.resource.strategy.selectableFields ?? []),
  ]);
  for (const { field } of selector.requirements) {
    if (!known.has(field)) throw badRequestError(`field label not supported: ${field}`);
  }
}

/** An exact name or namespace narrows the search to a key or a prefix. */
function scopeOf(target: Target, fields: FieldSelector): Selection['scope'] {
  const { resource, type } = target;
  const namespace =
    target.namespace || (type.namespaced ? (fields.exactValue('metadata.namespace') ?? '') : '');
  const name = fields.exactValue('metadata.name') ?? '';
  const located = !type.namespaced || namespace !== '';
  if (name !== '' && located) return { kind: 'key', key: resource.key(namespace, name) };
  if (type.namespaced && namespace !== '')
    return { kind: 'prefix', prefix: `${resource.prefix}${namespace}/` };
  return { kind: 'prefix', prefix: resource.prefix };
}

type Check = (entry: ViewEntry<Forms>) => boolean;

function labelCheck(target: Target, selector: LabelSelector): Check | undefined {
  if (selector.isEmpty) return undefined;
  return (entry) => selector.matches(formLabels(formOf(entry, target)));
}

function fieldCheck(target: Target, selector: FieldSelector): Check | undefined {
  if (selector.requirements.length === 0) return undefined;
  return (entry) => {
    const read = fieldReader(target, entry);
    return selector.matches(read);
  };
}

/** Reads fields of one object; it is decoded once, and only where the key does not tell. */
function fieldReader(target: Target, entry: ViewEntry<Forms>): (field: string) => string {
  const { type, version, resource } = target;
  const steps = entry.key.slice(resource.prefix.length).split('/');
  const decode = () => formObject(formOf(entry, target), entry.modRevision);
  let object: ReturnType<typeof decode> | undefined;
  return (field) => {
    if (field === 'metadata.name') return steps.at(-1) ?? '';
    if (field === 'metadata.namespace') return type.namespaced ? (steps[0] ?? '') : '';
    object ??= decode();
    if (version.selectableFields.includes(field)) return selectableValue(object, field);
    return resource.strategy.fieldValue?.(object, field) ?? '';
  };
}
