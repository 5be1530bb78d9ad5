import {
  annotationErrors,
  equal,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type LabelSelector,
  labelSelectorFromObject,
  notSupported,
  own,
  ownList,
  ownObject,
  required,
  SelectorError,
  stringMap,
} from '../../meta/index.ts';
import { notNegativeAt } from './field-checks.ts';
import { labelSelectorErrors, labelsErrors } from './validate-label-selector.ts';
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
  return (selector && readSelector(selector)?.toString()) ?? '';
}

/** Undefined for a selector that selects nothing that can be. */
export function readSelector(selector: JsonObject): LabelSelector | undefined {
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

/** The path of the replicas of a workload. */
export const workloadScale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  readSelector: selectorText,
};

/** Fields of the spec that may not be below zero. */
export function notNegative(spec: JsonObject, ...fields: readonly string[]): FieldError[] {
  return notNegativeAt('spec', spec, ...fields);
}

/** How a kind is held to its selector. */
export interface SelectorRules {
  /** How the refusal of an empty selector calls the kind; undefined where it may be empty. */
  readonly calledInTexts: string | undefined;
  /** False where nothing but a mismatch is said of a missing one. */
  readonly isRequired: boolean;
  /** The text of a second error for an invalid selector as a whole; undefined for none. */
  readonly unreadable: string | undefined;
}

/** The selector must be there, select something, and select what the template makes. */
export function selectorErrors(object: KubeObject, rules: SelectorRules): FieldError[] {
  const selector = ownObject(specOf(object), 'selector');
  const found = selector === undefined ? undefined : readSelector(selector);
  const missing = selector === undefined && rules.isRequired ? [required('spec.selector')] : [];
  const empty = `empty selector is invalid for ${rules.calledInTexts ?? ''}`;
  return [
    ...missing,
    ...labelSelectorErrors('spec.selector', selector),
    ...(selector !== undefined && found?.isEmpty === true && rules.calledInTexts !== undefined
      ? [selectorError(selector, empty)]
      : []),
    ...(selector !== undefined && found === undefined && rules.unreadable !== undefined
      ? [selectorError(selector, rules.unreadable)]
      : []),
    ...(selector === undefined || found !== undefined ? mismatchErrors(specOf(object), found) : []),
  ];
}

/** No selector selects nothing. */
function mismatchErrors(spec: JsonObject, selector: LabelSelector | undefined): FieldError[] {
  const labels = templateLabels(spec);
  const texts = Object.entries(labels ?? {}).map(([key, value]) => [key, String(value)] as const);
  if (selector?.isEmpty === true || selector?.matches(new Map(texts)) === true) return [];
  return [labelsMismatch(spec)];
}

function templateLabels(spec: JsonObject): JsonObject | undefined {
  return ownObject(ownObject(ownObject(spec, 'template') ?? {}, 'metadata') ?? {}, 'labels');
}

/** The error of a selector that does not select the pods of its template. */
export function labelsMismatch(spec: JsonObject): FieldError {
  const labels = templateLabels(spec) ?? null;
  return invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`');
}

/** Mistakes in a template of pods, its labels and annotations among them. */
export function templateErrors(path: string, template: JsonObject): FieldError[] {
  const metadata = ownObject(template, 'metadata') ?? {};
  const spec = ownObject(template, 'spec') ?? {};
  const annotations = stringMap(own(metadata, 'annotations'));
  return [
    ...labelsErrors(`${path}.labels`, ownObject(metadata, 'labels')),
    ...annotationErrors(FieldPath.of(`${path}.annotations`), annotations),
    ...podSpecErrors(`${path}.spec`, spec),
    ...((ownList(spec, 'ephemeralContainers') ?? []).length > 0
      ? [forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}

/** A template must make sound pods that are always started again, and run until they are stopped. */
export function alwaysTemplateErrors(template: JsonObject, calledInTexts: string): FieldError[] {
  const path = 'spec.template';
  const spec = ownObject(template, 'spec') ?? {};
  const policy = own(spec, 'restartPolicy');
  const endless = `activeDeadlineSeconds in ${calledInTexts} is not Supported`;
  return [
    ...templateErrors(path, template),
    ...(policy === 'Always' ? [] : [notSupported(`${path}.spec.restartPolicy`, policy ?? '', ['Always'])]),
    ...(own(spec, 'activeDeadlineSeconds') === undefined
      ? []
      : [forbidden(`${path}.spec.activeDeadlineSeconds`, endless)]),
  ];
}

/** Prints the selector in the order of Go's fields. */
function selectorError(selector: JsonObject, detail: string): FieldError {
  const matchExpressions = ownList(selector, 'matchExpressions')
    ?.filter(isObject)
    .map(({ key, operator, values }) => ({ key, operator, values }));
  const valueText = JSON.stringify({ matchLabels: own(selector, 'matchLabels'), matchExpressions });
  return { ...invalid('spec.selector', {}, detail), valueText };
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
