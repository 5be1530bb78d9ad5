import type { PrinterColumn, SelectableField } from '../../crd/index.ts';
import {
  type FieldError,
  invalid,
  type JsonObject,
  type KubeObject,
  type NameRule,
  own,
  ownObject,
  put,
} from '../../meta/index.ts';
import { containerWarnings } from '../rules/validate-container.ts';
import { notNegativeAt, numberAt } from '../rules/field-checks.ts';
import { ageColumn, type BuiltInKind, builtInType } from '../definition/kind.ts';
import { fieldRuleErrors, type KindRule } from '../rules/field-rules.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import {
  alwaysTemplateErrors,
  completeTemplate,
  immutableErrors,
  notNegative,
  readSelector,
  type SelectorRules,
  selectorErrors,
  specOf,
  statusOf,
  templateSpec,
  workloadScale,
} from '../rules/workload.ts';
import { selectorColumn, wideColumns } from '../definition/workload-columns.ts';

/** The differences between the kinds of `apps/v1` that keep pods running. */
interface WorkloadDescription {
  readonly kind: string;
  readonly resource: string;
  readonly shortNames: readonly string[];
  readonly nameRule?: NameRule;
  /** How it is held to its selector. */
  readonly selector: SelectorRules;
  /** What upstream's texts about its template call it. */
  readonly templateOf: string;
  /** The template to validate, if it is not that of the object itself. */
  readonly readTemplate?: (object: KubeObject) => JsonObject;
  /** Whether it can be scaled. */
  readonly scales: boolean;
  /** Fields of the spec that may not be below zero; upstream checks some of them first and others last. */
  readonly counts: { readonly first?: readonly string[]; readonly last?: readonly string[] };
  /** The field with the update strategy, and the defaults of a rolling update. */
  readonly rollingUpdate?: RollingUpdateDefaults;
  /** The status of a new object: upstream's Go types write these zeros. */
  readonly firstStatus?: JsonObject;
  /** Numbers of the status that may not be below zero, and those of them that count some of its replicas. */
  readonly statusCounts: { readonly all: readonly string[]; readonly ofReplicas?: readonly string[] };
  /** The server's own marks on a new object, and on a change. */
  readonly mark?: (object: KubeObject, old: KubeObject | undefined) => void;
  /** True where annotations count in the generation. */
  readonly countsAnnotations?: boolean;
  /** The rules that only this kind has and whose errors come first. */
  readonly ahead?: readonly KindRule[];
  /** Further defaults. */
  readonly complete?: (object: KubeObject) => void;
  /** The rules that only this kind has; their errors follow those of the template. */
  readonly rules?: readonly KindRule[];
  /** What may not change; the selector alone where it is left out. */
  readonly validateChange?: (object: KubeObject, old: KubeObject) => readonly FieldError[];
  readonly selectableFields?: readonly SelectableField[];
  /** Those between the name and the age. */
  readonly columns: readonly PrinterColumn[];
  /** Those of `-o wide`, where they are not the containers, their images and the selector. */
  readonly wide?: readonly PrinterColumn[];
}

interface RollingUpdateDefaults {
  readonly field: string;
  readonly defaults: JsonObject;
  /** True if a strategy that says its type and no more stays so. */
  readonly onlyGiven?: true;
}

/** Makes a kind that keeps pods running which it makes from a template. */
export function workloadKind(description: WorkloadDescription): BuiltInKind {
  const { firstStatus, kind, mark, resource, shortNames, scales, selectableFields, columns } = description;
  const { wide = [...wideColumns, selectorColumn] } = description;
  return {
    strategy: ruledStrategy({
      generation: true,
      ...(description.nameRule === undefined ? {} : { nameRule: description.nameRule }),
      ...(description.countsAnnotations === true ? { countsAnnotations: true } : {}),
      ...(mark === undefined
        ? {}
        : {
            prepareNew: (object: KubeObject) => mark(object, undefined),
            prepareChange: (object: KubeObject, old: KubeObject) => mark(object, old),
          }),
      warn: (object) => containerWarnings('spec.template.spec', templateSpec(object) ?? {}),
      validate: (object) => workloadErrors(object, description),
      validateStatus: (object, old) => statusErrors(object, old, description),
      validateChange:
        description.validateChange ?? ((object, old) => immutableErrors(object, old, 'selector')),
      ...(firstStatus === undefined ? {} : { firstStatus: () => ({ ...firstStatus }) }),
    }),
    type: builtInType({
      group: 'apps',
      version: 'v1',
      kind,
      resource,
      namespaced: true,
      shortNames,
      categories: ['all'],
      status: true,
      ...(scales ? { scale: workloadScale } : {}),
      ...(selectableFields === undefined ? {} : { selectableFields }),
      complete: (object) => completeWorkload(object, description),
      columns: [...columns, ageColumn, ...wide],
    }),
  };
}

function completeWorkload(object: KubeObject, { complete, rollingUpdate }: WorkloadDescription): void {
  completeTemplate(object);
  complete?.(object);
  const strategy = rollingUpdate && ownObject(specOf(object), rollingUpdate.field);
  if (rollingUpdate !== undefined && strategy !== undefined) completeStrategy(strategy, rollingUpdate);
}

function completeStrategy(strategy: JsonObject, { defaults, onlyGiven }: RollingUpdateDefaults): void {
  const type = own(strategy, 'type');
  if (type === undefined) put(strategy, 'type', 'RollingUpdate');
  else if (type !== 'RollingUpdate') return;
  const update = ownObject(strategy, 'rollingUpdate');
  if (type !== undefined && update === undefined && onlyGiven === true) return;
  put(strategy, 'rollingUpdate', { ...defaults, ...update });
}

/** Source of the order: kubernetes, pkg/apis/apps/validation. */
function workloadErrors(object: KubeObject, description: WorkloadDescription): FieldError[] {
  const { ahead = [], counts, selector, templateOf, rules = [] } = description;
  const template = description.readTemplate?.(object) ?? ownObject(specOf(object), 'template') ?? {};
  const unreadable = hasUnreadableSelector(object) && selector.unreadable !== undefined;
  return [
    ...fieldRuleErrors(ahead, object),
    ...notNegative(specOf(object), ...(counts.first ?? [])),
    ...selectorErrors(object, selector),
    ...(unreadable ? [] : alwaysTemplateErrors(template, templateOf)),
    ...fieldRuleErrors(rules, object),
    ...notNegative(specOf(object), ...(counts.last ?? [])),
  ];
}

function hasUnreadableSelector(object: KubeObject): boolean {
  const selector = ownObject(specOf(object), 'selector');
  return selector !== undefined && readSelector(selector) === undefined;
}

function statusErrors(
  object: KubeObject,
  old: KubeObject,
  { statusCounts }: WorkloadDescription,
): FieldError[] {
  const status = statusOf(object);
  const { all, ofReplicas = [] } = statusCounts;
  const at = (field: string) => numberAt(status, field) ?? 0;
  const tooMany = ofReplicas.filter((field) => at(field) > at('replicas'));
  const collisions = numberAt(statusOf(old), 'collisionCount') ?? 0;
  return [
    ...notNegativeAt('status', status, 'observedGeneration', ...all, 'collisionCount'),
    ...tooMany.map((field) =>
      invalid(`status.${field}`, at(field), 'cannot be greater than status.replicas'),
    ),
    ...(ofReplicas.length > 0 && at('availableReplicas') > at('readyReplicas')
      ? [invalid('status.availableReplicas', at('availableReplicas'), 'cannot be greater than readyReplicas')]
      : []),
    ...(at('collisionCount') < collisions
      ? [invalid('status.collisionCount', at('collisionCount'), 'cannot be decremented')]
      : []),
  ];
}
