import type { PrinterColumn, SelectableField } from '../../crd/index.ts';
import { type FieldError, type JsonObject, type KubeObject, own, ownObject, put } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType } from './kind.ts';
import { ruledStrategy } from './ruled-strategy.ts';
import {
  alwaysTemplateErrors,
  completeTemplate,
  immutableErrors,
  notNegative,
  selectorErrors,
  specOf,
  workloadScale,
} from './workload.ts';
import { selectorColumn, wideColumns } from './workload-columns.ts';

/** What tells one kind of `apps/v1` that keeps pods running from the others. */
export interface WorkloadDescription {
  readonly kind: string;
  readonly resource: string;
  readonly shortNames: readonly string[];
  /** How the refusal of an empty selector calls it. */
  readonly calledInTexts: string;
  /** Whether it can be scaled. */
  readonly scales: boolean;
  /** Fields of the spec that may not be below zero; upstream looks at some of them first and at others last. */
  readonly counts: { readonly first?: readonly string[]; readonly last?: readonly string[] };
  /** Where the spec says how pods are replaced, and what of that is taken for granted when they are replaced bit by bit. */
  readonly rollingUpdate?: { readonly field: string; readonly defaults: JsonObject };
  /** The status of a new object: upstream's Go types write these zeros. */
  readonly firstStatus?: JsonObject;
  /** Mistakes that only this kind can have; they come after those of the template. */
  readonly validate?: (object: KubeObject) => readonly FieldError[];
  /** What may not change; the selector alone where it is left out. */
  readonly validateChange?: (object: KubeObject, old: KubeObject) => readonly FieldError[];
  readonly selectableFields?: readonly SelectableField[];
  /** Those between the name and the age. */
  readonly columns: readonly PrinterColumn[];
  /** Those of `-o wide`, where they are not the containers, their images and the selector. */
  readonly wide?: readonly PrinterColumn[];
}

/** Makes a kind that keeps pods running which it makes from a template. */
export function workloadKind(description: WorkloadDescription): BuiltInKind {
  const { firstStatus, kind, resource, shortNames, scales, selectableFields, columns } = description;
  const { wide = [...wideColumns, selectorColumn] } = description;
  return {
    strategy: ruledStrategy({
      generation: true,
      validate: (object) => workloadErrors(object, description),
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

function completeWorkload(object: KubeObject, { rollingUpdate }: WorkloadDescription): void {
  completeTemplate(object);
  if (rollingUpdate === undefined) return;
  const strategy = ownObject(specOf(object), rollingUpdate.field);
  if (strategy === undefined || own(strategy, 'type') !== 'RollingUpdate') return;
  put(strategy, 'rollingUpdate', { ...rollingUpdate.defaults, ...ownObject(strategy, 'rollingUpdate') });
}

/** Source of the order: kubernetes, pkg/apis/apps/validation. */
function workloadErrors(object: KubeObject, description: WorkloadDescription): FieldError[] {
  const { counts, calledInTexts, validate } = description;
  return [
    ...notNegative(specOf(object), ...(counts.first ?? [])),
    ...selectorErrors(object, calledInTexts),
    ...alwaysTemplateErrors(object),
    ...(validate?.(object) ?? []),
    ...notNegative(specOf(object), ...(counts.last ?? [])),
  ];
}
