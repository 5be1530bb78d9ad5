import {
  declaredLongName,
  type FieldError,
  isObject,
  type JsonObject,
  type KubeObject,
  metadataOf,
  own,
  ownObject,
  required,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType } from '../definition/kind.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import {
  alwaysTemplateErrors,
  completeTemplate,
  count,
  labelsMismatch,
  selectorText,
  specOf,
  statusOf,
  withLabelSelector,
  workloadScale,
} from '../rules/workload.ts';
import { specCount, statusCount, wideColumns } from '../definition/workload-columns.ts';

const templateLabels = (controller: KubeObject): JsonObject =>
  ownObject(ownObject(ownObject(specOf(controller), 'template') ?? {}, 'metadata') ?? {}, 'labels') ?? {};

/** What is not said is taken from the template. Source: kubernetes, pkg/apis/core/v1/defaults.go. */
function complete(controller: KubeObject): void {
  completeTemplate(controller);
  const [spec, labels, metadata] = [
    ownObject(controller, 'spec'),
    templateLabels(controller),
    metadataOf(controller),
  ];
  if (spec === undefined || Object.keys(labels).length === 0) return;
  if (isEmpty(own(spec, 'selector'))) spec['selector'] = { ...labels };
  if (isEmpty(own(metadata, 'labels'))) metadata['labels'] = { ...labels };
}

const isEmpty = (value: unknown) => !isObject(value) || Object.keys(value).length === 0;

const rules: readonly KindRule[] = [
  { path: 'spec.replicas', min: 0 },
  { path: 'spec.minReadySeconds', min: 0 },
  { path: 'spec.selector', required: true },
  (controller) => (hasTemplate(controller) ? [] : [required('spec.template')]),
  controllerErrors,
];

const hasTemplate = (controller: KubeObject) => ownObject(specOf(controller), 'template') !== undefined;

/** Its selector is labels, and its template may be missing. */
function controllerErrors(controller: KubeObject): FieldError[] {
  const labels = ownObject(specOf(controller), 'selector') ?? {};
  const template = ownObject(specOf(controller), 'template');
  return [
    ...(template !== undefined && Object.keys(labels).length > 0 && !isSelected(controller, labels)
      ? [labelsMismatch(specOf(controller))]
      : []),
    ...(template === undefined ? [] : alwaysTemplateErrors(template, 'ReplicationController')),
  ];
}

/** Whether the selector selects the pods of the template; its values need not be labels. */
function isSelected(controller: KubeObject, selector: JsonObject): boolean {
  const labels = templateLabels(controller);
  return Object.entries(selector).every(([key, value]) => own(labels, key) === value);
}

/** No controller makes pods of it. */
export const replicationControllerKind: BuiltInKind = {
  strategy: ruledStrategy({
    generation: true,
    nameRule: declaredLongName,
    firstStatus: () => ({ replicas: 0 }),
    rules,
  }),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'ReplicationController',
    resource: 'replicationcontrollers',
    namespaced: true,
    shortNames: ['rc'],
    categories: ['all'],
    status: true,
    scale: {
      ...workloadScale,
      readSelector: (controller) => selectorText(withLabelSelector(controller)),
    },
    selectableFields: [
      {
        fieldPath: 'status.replicas',
        valueType: 'integer',
        read: (controller) => String(count(statusOf(controller), 'replicas')),
        default: '0',
      },
    ],
    complete,
    columns: [
      specCount('Desired', 'replicas', 'How many pods are wanted.'),
      statusCount('Current', 'replicas', 'How many pods there are.'),
      statusCount('Ready', 'readyReplicas', 'How many pods are ready.'),
      ageColumn,
      ...wideColumns,
    ],
  }),
};
