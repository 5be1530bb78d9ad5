import { namespaceType } from '../../apply/index.ts';
import {
  checkLabelKey,
  dnsLabelName,
  ensureMetadata,
  type FieldError,
  foregroundFinalizer,
  formatTime,
  invalid,
  isObject,
  type KubeObject,
  metadataOf,
  nameOf,
  orphanFinalizer,
  own,
  ownObject,
  ownString,
  stringList,
} from '../../meta/index.ts';
import type { Endpoint, Strategy, StrategyContext } from '../strategy/strategy.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { nameField } from '../definition/name-field.ts';
import { keepField, plainStrategy } from '../strategy/plain-strategy.ts';
import { condition, listOf, object, text } from '../definition/schema-parts.ts';

/** The finalizer of a namespace until its content is deleted. */
const namespaceFinalizer = 'kubernetes';
const nameLabel = 'kubernetes.io/metadata.name';

function specFinalizers(namespace: KubeObject): string[] {
  return stringList(own(ownObject(namespace, 'spec') ?? {}, 'finalizers'));
}

function setPhase(namespace: KubeObject, phase: string): void {
  namespace['status'] = { ...(ownObject(namespace, 'status') ?? {}), phase };
}

function labelWithName(namespace: KubeObject): void {
  const metadata = ensureMetadata(namespace);
  const labels = own(metadata, 'labels');
  metadata['labels'] = { ...(isObject(labels) ? labels : {}), [nameLabel]: nameOf(namespace) };
}

/** Upstream's defaults know the name already, so that admission sees the label. */
function completeLabels(namespace: KubeObject): void {
  if (nameOf(namespace) !== '') labelWithName(namespace);
}

function phaseOf(namespace: KubeObject): string {
  return ownString(ownObject(namespace, 'status') ?? {}, 'phase') ?? '';
}

const standardFinalizers: ReadonlySet<string> = new Set([
  namespaceFinalizer,
  orphanFinalizer,
  foregroundFinalizer,
]);

/**
 * Source: kubernetes, pkg/apis/core/validation, validateFinalizerName.
 *
 * @param pathAt the path of a finalizer in errors: a create names the list, a finalize request the item
 */
function finalizerErrors(namespace: KubeObject, pathAt: (index: number) => string): FieldError[] {
  return specFinalizers(namespace).flatMap((name, index) => {
    const path = pathAt(index);
    const errors = checkLabelKey(name).map((text) => invalid(path, name, text));
    if (name.includes('/') || standardFinalizers.has(name)) return errors;
    const text = 'name is neither a standard finalizer name nor is it fully qualified';
    return [...errors, invalid(path, name, text)];
  });
}

/** The capital in `status.Phase` is upstream's. */
function phaseErrors(namespace: KubeObject): FieldError[] {
  const deleting = own(metadataOf(namespace), 'deletionTimestamp') !== undefined;
  const [only, when] = deleting ? ['Terminating', 'not empty'] : ['Active', 'empty'];
  const phase = phaseOf(namespace);
  if (phase === only) return [];
  return [invalid('status.Phase', phase, `may only be '${only}' if \`deletionTimestamp\` is ${when}`)];
}

const plain = plainStrategy();

/** Source: kubernetes, pkg/registry/core/namespace/strategy.go and storage.go. */
const strategy: Strategy = Object.freeze({
  ...plain,
  nameRule: dnsLabelName,
  prepareForCreate(namespace: KubeObject): void {
    namespace['status'] = { phase: 'Active' };
    const finalizers = specFinalizers(namespace);
    if (!finalizers.includes(namespaceFinalizer)) finalizers.push(namespaceFinalizer);
    namespace['spec'] = { ...(ownObject(namespace, 'spec') ?? {}), finalizers };
    labelWithName(namespace);
  },

  prepareForUpdate(namespace: KubeObject, old: KubeObject, endpoint: Endpoint, _: StrategyContext): void {
    if (endpoint !== 'finalize') keepField(namespace, old, 'spec');
    if (endpoint !== 'status') keepField(namespace, old, 'status');
    else if (phaseOf(namespace) === '') setPhase(namespace, 'Active');
    labelWithName(namespace);
  },

  /** There is no grace period and no generation; upstream sets no more than this either. */
  prepareForDelete(namespace: KubeObject, { clock }: StrategyContext) {
    const metadata = ensureMetadata(namespace);
    if (own(metadata, 'deletionTimestamp') !== undefined) return [];
    metadata['deletionTimestamp'] = formatTime(clock.now());
    setPhase(namespace, 'Terminating');
    return [];
  },

  validateCreate(namespace: KubeObject, context: StrategyContext) {
    const { errors, warnings } = plain.validateCreate(namespace, context);
    return { errors: [...errors, ...finalizerErrors(namespace, () => 'spec.finalizers')], warnings };
  },

  validateUpdate(namespace: KubeObject, old: KubeObject, endpoint: Endpoint, context: StrategyContext) {
    const { errors, warnings } = plain.validateUpdate(namespace, old, endpoint, context);
    if (endpoint === 'status') return { errors: [...errors, ...phaseErrors(namespace)], warnings };
    if (endpoint !== 'finalize') return { errors, warnings };
    const atItem = (index: number) => `spec.finalizers[${index}]`;
    return { errors: [...errors, ...finalizerErrors(namespace, atItem)], warnings };
  },

  holdsDeletion: (namespace: KubeObject) => specFinalizers(namespace).length > 0,
});

export const namespaceKind: BuiltInKind = {
  strategy,
  mergeType: namespaceType,
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'Namespace',
    resource: 'namespaces',
    namespaced: false,
    complete: completeLabels,
    lacksDeleteCollection: true,
    furtherSubresources: [{ name: 'finalize', verbs: ['update'] }],
    shortNames: ['ns'],
    status: true,
    selectableFields: [{ fieldPath: 'status.phase' }, nameField],
    columns: [column('Status', '.status.phase', { description: 'The status of the namespace' }), ageColumn],
    properties: {
      spec: object({ finalizers: listOf(text) }),
      status: object({ phase: text, conditions: listOf(condition) }),
    },
  }),
};
