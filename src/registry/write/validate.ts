import {
  declaredLast,
  dedupOwnerReferences,
  ensureMetadata,
  type FieldError,
  finalizerWarnings,
  invalidError,
  type KubeObject,
  metadataOf,
  nameOf,
  own,
  ownList,
  ownString,
  stringList,
  validateObjectMetaCreate,
  validateObjectMetaUpdate,
  parseGroupVersion,
} from '../../meta/index.ts';
import type { Warnings } from '../request/context.ts';
import type { Endpoint, Strategy, StrategyContext } from '../../kinds/index.ts';

/**
 * Validates a new object; returns the warnings.
 *
 * @throws {StatusError} 422 with all errors at once
 */
export function validateNew(
  object: KubeObject,
  strategy: Strategy,
  context: StrategyContext,
): readonly string[] {
  const { namespaced } = context.type;
  const names = strategy.nameRule;
  const errors =
    strategy.validatesMetadata === true
      ? []
      : validateObjectMetaCreate(metadataOf(object), { namespaced, names });
  const report = strategy.validateCreate(object, context);
  refuse(object, { strategy, context }, [...errors, ...report.errors]);
  return [...finalizerWarnings(finalizersOf(object)), ...report.warnings];
}

/**
 * Validates a changed object; returns the warnings.
 *
 * @throws {StatusError} 422 with all errors at once
 */
export function validateChanged(
  object: KubeObject,
  old: KubeObject,
  endpoint: Endpoint,
  { strategy, context }: { strategy: Strategy; context: StrategyContext },
): readonly string[] {
  const { namespaced } = context.type;
  const errors = validateObjectMetaUpdate(metadataOf(object), metadataOf(old), { namespaced });
  const report = strategy.validateUpdate(object, old, endpoint, context);
  refuse(object, { strategy, context }, [...errors, ...report.errors]);
  return [...finalizerWarnings(finalizersOf(object), finalizersOf(old)), ...report.warnings];
}

function finalizersOf(object: KubeObject): string[] {
  return stringList(own(metadataOf(object), 'finalizers'));
}

/** The kind and the group in the refusal are those of the request. */
function refuse(
  object: KubeObject,
  { strategy, context: { type } }: { readonly strategy: Strategy; readonly context: StrategyContext },
  errors: readonly FieldError[],
): void {
  if (errors.length === 0) return;
  const kind = ownString(object, 'kind') ?? type.kind;
  const said = parseGroupVersion(ownString(object, 'apiVersion') ?? '');
  const builtIn = strategy.groupInRefusals ?? type.group;
  const group = type.isBuiltIn ? builtIn : (said?.group ?? type.group);
  throw invalidError({ group, kind }, nameOf(object), declaredLast(errors));
}

/** Removes duplicate owner references, with a warning. */
export function dedupOwners(object: KubeObject, warnings: Warnings, stage: 'request' | 'admission'): void {
  const listed = ownList(metadataOf(object), 'ownerReferences');
  if (listed === undefined) return;
  const { references, warning } = dedupOwnerReferences(listed, stage);
  if (warning === undefined) return;
  ensureMetadata(object)['ownerReferences'] = references;
  warnings.add(warning);
}
