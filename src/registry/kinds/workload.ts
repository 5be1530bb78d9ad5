import {
  equal,
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type LabelSelector,
  labelSelectorFromObject,
  notSupported,
  own,
  ownObject,
  required,
  SelectorError,
} from '../../meta/index.ts';
import { completePodSpec, podSpecErrors } from './pod-spec.ts';

/** What kinds that make pods from a template have in common. Source: kubernetes, pkg/apis/apps/validation. */

export const specOf = (object: KubeObject): JsonObject => ownObject(object, 'spec') ?? {};
export const statusOf = (object: KubeObject): JsonObject => ownObject(object, 'status') ?? {};

/** The spec of the pods to be made. */
export function templateSpec(object: KubeObject): JsonObject | undefined {
  return ownObject(ownObject(specOf(object), 'template') ?? {}, 'spec');
}

export function completeTemplate(object: KubeObject): void {
  completePodSpec(templateSpec(object));
}

/** A number in the status, for a cell; 0 where there is none. */
export function count(object: JsonObject, field: string): JsonValue {
  return own(object, field) ?? 0;
}

/** The selector of a workload as text, as a Scale shows it. */
export function selectorText(object: KubeObject): string {
  const selector = ownObject(specOf(object), 'selector');
  return (selector && parsed(selector)?.toString()) ?? '';
}

function parsed(selector: JsonObject): LabelSelector | undefined {
  try {
    return labelSelectorFromObject(selector);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** An object whose selector is labels alone, as those of the first kinds are, with a selector as later kinds have it. */
export function withLabelSelector(object: KubeObject): KubeObject {
  const spec = specOf(object);
  const matchLabels = ownObject(spec, 'selector');
  return matchLabels === undefined ? object : { ...object, spec: { ...spec, selector: { matchLabels } } };
}

/** Where the replicas of a workload stand. */
export const workloadScale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  readSelector: selectorText,
};

const minimum = 'must be greater than or equal to 0';

/** Fields of the spec that may not be below zero. */
export function notNegative(spec: JsonObject, ...fields: readonly string[]): FieldError[] {
  return fields.flatMap((field) => {
    const value = own(spec, field);
    return typeof value === 'number' && value < 0 ? [invalid(`spec.${field}`, value, minimum)] : [];
  });
}

/** The selector must be there, select something, and select what the template makes. */
export function selectorErrors(object: KubeObject, kind: string): FieldError[] {
  const spec = specOf(object);
  const selector = ownObject(spec, 'selector');
  if (selector === undefined) return [required('spec.selector')];
  const found = parsed(selector);
  if (found === undefined) return [invalid('spec.selector', selector, 'invalid label selector')];
  const empty = found.isEmpty
    ? [invalid('spec.selector', selector, `empty selector is invalid for ${kind}`)]
    : [];
  return [...empty, ...(found.isEmpty ? [] : labelsErrors(spec, found))];
}

function labelsErrors(spec: JsonObject, selector: LabelSelector): FieldError[] {
  const metadata = ownObject(ownObject(spec, 'template') ?? {}, 'metadata') ?? {};
  const labels = ownObject(metadata, 'labels') ?? {};
  const texts = Object.entries(labels).map(([key, value]) => [key, String(value)] as const);
  if (selector.matches(new Map(texts))) return [];
  return [invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')];
}

/** A template must make sound pods that are always started again. */
export function alwaysTemplateErrors(object: KubeObject): FieldError[] {
  const spec = templateSpec(object) ?? {};
  const errors = podSpecErrors('spec.template.spec', spec);
  const policy = own(spec, 'restartPolicy');
  if (policy === undefined || policy === 'Always' || errors.length > 0) return errors;
  return [notSupported('spec.template.spec.restartPolicy', policy, ['Always'])];
}

/** `spec.selector: Invalid value: {...}: field is immutable` */
export function immutableErrors(
  object: KubeObject,
  old: KubeObject,
  ...fields: readonly string[]
): FieldError[] {
  return fields.flatMap((field) => {
    const value = own(specOf(object), field);
    const same = equal(value, own(specOf(old), field));
    return same ? [] : [invalid(`spec.${field}`, value ?? null, 'field is immutable')];
  });
}

/** The names and images of the containers, for the columns of `-o wide`. */
export function containersCell(object: KubeObject, field: 'name' | 'image'): string {
  const containers = own(templateSpec(object) ?? {}, 'containers');
  if (!Array.isArray(containers)) return '';
  return containers
    .map((container) => (isObject(container) ? String(own(container, field) ?? '') : ''))
    .join(',');
}
